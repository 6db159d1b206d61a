"""The scripts of the package, as esbuild makes them."""

from __future__ import annotations

import json
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path

from js.node import JS_DIR, run_tool

SOURCE_DIR = JS_DIR / "runtime" / "src"
CLASSIC_SCRIPT_URL = SOURCE_DIR / "classic_script_url.ts"
GLOBAL_NAME = "tfliteWebnn"
# Whether a variant is in the package, as wasm_files.ts asks for it.
VARIANT_FLAGS = {"simd": "__PACKAGED__.simd", "relaxed-simd": "__PACKAGED__.relaxedSimd"}


@dataclass(frozen=True)
class Script:
    """One script: made of `entry` and what that imports; a classic one sets a global instead of exporting."""

    name: str
    entry: Path
    classic: bool = False


SCRIPTS = (
    Script("index.mjs", SOURCE_DIR / "index.ts"),
    Script("explain.mjs", SOURCE_DIR / "explain.ts"),
    Script("worker.mjs", SOURCE_DIR / "worker.ts"),
    Script("tflite_webnn.js", SOURCE_DIR / "index.ts", classic=True),
)


def bundle_scripts(variants: Collection[str], folder: Path) -> set[Path]:
    """Write the scripts, and their source maps, into `folder`; return the files that they are made of.

    Raises:
        CommandError: the TypeScript cannot be bundled; esbuild's words have been printed.
    """
    made_of: set[Path] = set()
    for script in SCRIPTS:
        metafile = folder / f"{script.name}.meta.json"
        run_tool("esbuild", *arguments(script, variants, folder), f"--metafile={metafile}")
        made_of.update(JS_DIR / name for name in json.loads(metafile.read_text())["inputs"])
        metafile.unlink()
    return made_of


def arguments(script: Script, variants: Collection[str], folder: Path) -> list[str]:
    """Return esbuild's arguments."""
    return [
        str(script.entry),
        f"--outfile={folder / script.name}",
        *(f"--define:{flag}={json.dumps(name in variants)}" for name, flag in VARIANT_FLAGS.items()),
        *(f"--external:./{name}/*" for name in VARIANT_FLAGS),  # found at run time, beside the script
        *(_classic_arguments() if script.classic else ["--format=esm"]),
        "--bundle",
        "--platform=neutral",
        "--main-fields=module,main",
        "--target=es2022",
        "--minify",
        "--sourcemap",
        "--log-level=warning",
    ]


def _classic_arguments() -> list[str]:
    return [
        "--format=iife",
        f"--global-name={GLOBAL_NAME}",
        f"--inject:{CLASSIC_SCRIPT_URL}",
        "--define:import.meta.url=classicScriptUrl",
    ]
