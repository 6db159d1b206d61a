"""The scripts for Node, a separate set in the package's folder node/.

They are not minified: Node prints the line of an uncaught error, and the stack's names are those of the sources. The
package's exports give them to Node by the condition "node"; the wasm modules are those of the folder above.
"""

import json
import re
from collections.abc import Collection
from pathlib import Path

from js import scripts
from js.node import JS_DIR, run_tool
from js.scripts import GPU_ENGINES, POLYFILL_DIR, SOURCE_DIR, VARIANT_FLAGS
from tools.support.cache import remove
from tools.support.paths import BUILD_DIR

FOLDER = "node"
ENTRY = "node.mjs"
ENTRIES = {
    "index": SOURCE_DIR / "index.ts",
    "metadata": SOURCE_DIR / "metadata.ts",
    "node": SOURCE_DIR / "node.ts",
    "explain": SOURCE_DIR / "explain.ts",
    "image": JS_DIR / "images" / "src" / "index.ts",
    "results": JS_DIR / "results" / "src" / "index.ts",
    "sound": JS_DIR / "sound" / "src" / "index.ts",
    "text": JS_DIR / "text" / "src" / "index.ts",
    "tasks": JS_DIR / "tasks" / "src" / "index.ts",
    "litert": JS_DIR / "litert" / "src" / "index.ts",
    "vision": JS_DIR / "vision" / "src" / "index.ts",
    "worker": SOURCE_DIR / "worker.ts",
    "webnn_helper": SOURCE_DIR / "webnn_helper.ts",
    "gpu_faults": SOURCE_DIR / "webnn" / "gpu_faults.ts",
    "polyfill": POLYFILL_DIR / "index.ts",
    "polyfill_worker": POLYFILL_DIR / "tflite" / "engine" / "worker.ts",
}
# For importing the package by its path.
ENTRY_TEXT = f"export * from './{FOLDER}/{ENTRY}';\n"
OF_FOLDER_ABOVE = re.compile(rf"([\"'])\./((?:{'|'.join(VARIANT_FLAGS)})/|{re.escape(GPU_ENGINES)})")


def bundle(variants: Collection[str], package_dir: Path, root: Path = BUILD_DIR) -> set[Path]:
    """Write the scripts and their source maps into `package_dir`/node; return their source files.

    Raises:
        CommandError: the TypeScript cannot be bundled; esbuild has printed the errors.
    """
    folder = package_dir / FOLDER
    remove(folder)
    metafile = package_dir / "esbuild.meta.json"
    run_tool("esbuild", *_arguments(variants, folder, root), f"--metafile={metafile}")
    metadata = json.loads(metafile.read_text())
    metafile.unlink()
    for script in folder.glob("*.mjs"):
        script.write_text(OF_FOLDER_ABOVE.sub(r"\1../\2", script.read_text()))
    (package_dir / ENTRY).write_text(ENTRY_TEXT)
    return scripts.parts(metadata)


def _arguments(variants: Collection[str], folder: Path, root: Path) -> list[str]:
    return [
        *(f"{name}={entry}" for name, entry in ENTRIES.items()),
        f"--outdir={folder}",
        "--splitting",
        "--entry-names=[name]",
        "--chunk-names=[name]-[hash]",
        "--out-extension:.js=.mjs",
        *scripts.define_arguments(variants, root),
        "--define:__FOR_NODE__=true",
        *scripts.external_arguments(),
        "--format=esm",
        "--bundle",
        "--platform=neutral",
        "--main-fields=module,main",
        "--target=node20",
        "--sourcemap",
        "--log-level=warning",
    ]
