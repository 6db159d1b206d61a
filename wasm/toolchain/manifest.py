"""manifest.json of a module: its inputs, its toolchain and its sizes."""

import gzip
import json
from pathlib import Path
from typing import Any

from support.cache import file_sha256
from wasm.toolchain.emscripten.toolchain import Toolchain
from wasm.toolchain.sources.registry import Sources
from wasm.toolchain.variants import Variant

FILE_NAME = "manifest.json"
SCRIPT = "tflite_webnn.mjs"
ARTEFACTS = (SCRIPT, "tflite_webnn.wasm")


def write_manifest(
    directory: Path, *, variant: Variant, toolchain: Toolchain, sources: Sources, overrides: list[str], key: str
) -> None:
    """Write the manifest of the artefacts in `directory`. It has no date: the same inputs produce the same bytes."""
    manifest: dict[str, Any] = {
        "variant": variant.name,
        "key": key,
        "selection": variant.selection.described(),
        "toolchain": toolchain.identity,
        **{kind: list(flags) for kind, flags in variant.flags.items()},
        "sources": {
            name: {
                "revision": component.revision if name not in overrides else "overridden",
                "license": component.license,
                "sha256": component.sha256 if name not in overrides else None,
            }
            for name, component in sources.components.items()
        },
        "files": {name: _describe(directory / name) for name in ARTEFACTS},
    }
    (directory / FILE_NAME).write_text(json.dumps(manifest, indent=2) + "\n")


def read_manifest(directory: Path) -> dict[str, Any]:
    manifest: dict[str, Any] = json.loads((directory / FILE_NAME).read_text())
    return manifest


def _describe(path: Path) -> dict[str, Any]:
    content = path.read_bytes()
    return {
        "sha256": file_sha256(path),
        "size_bytes": len(content),
        "gzip_size_bytes": len(gzip.compress(content, 9, mtime=0)),
    }
