"""Bundles the JavaScript side of the wheel into one file, which is both a script and a module.

All but the last line is a classic script that sets one variable: Python can evaluate it without waiting. The last line
exports that variable: a page can import the file.
"""

import json
from pathlib import Path

from js import scripts
from js.node import JS_DIR, run_tool
from js.scripts import Script
from tools.support.paths import artefact_dir

FILE_NAME = "tflite_webnn.mjs"
HELPER = "webnn_helper.mjs"
GLOBAL_SCRIPT = "tflite_webnn_global.mjs"
VARIABLE = "tfliteWebnnPyodide"
# EMBEDDED_VARIANTS of js/pyodide. Variants with threads need workers, for which Python's calls cannot wait.
VARIANTS = ("simd", "relaxed-simd")
SOURCE_DIR = JS_DIR / "pyodide" / "src"
SCRIPT = Script(FILE_NAME, SOURCE_DIR / "index.ts", classic=True, global_name=VARIABLE, source_map=False)
EXPORT = f"export default {VARIABLE};\n"
# For pages that cannot import: the worker of blocking mode, if it comes from an address, and a script element.
SMALL_MODULES = {
    HELPER: f"import {VARIABLE} from './{FILE_NAME}';\n{VARIABLE}.runHelper();\n",
    GLOBAL_SCRIPT: f"import {VARIABLE} from './{FILE_NAME}';\nglobalThis.{VARIABLE} = {VARIABLE};\n",
}


def bundle_module(folder: Path) -> set[Path]:
    """Write the module and the small ones into `folder`; return their source files.

    Raises:
        CommandError: the TypeScript cannot be bundled; esbuild has printed the errors.
    """
    metafile = folder / "esbuild.meta.json"
    run_tool("esbuild", *arguments(folder), f"--metafile={metafile}")
    made_of = scripts.parts(json.loads(metafile.read_text()))
    metafile.unlink()
    with (folder / FILE_NAME).open("a") as file:
        file.write(EXPORT)
    for name, text in SMALL_MODULES.items():
        (folder / name).write_text(text)
    return made_of


def arguments(folder: Path) -> list[str]:
    """Return esbuild's arguments. The module contains Emscripten's part of each variant."""
    return [
        *scripts.arguments(SCRIPT, (), folder),
        *(f"--alias:wasm-{variant}={artefact_dir(variant)}" for variant in VARIANTS),
        # If there is a `process`, Emscripten's part imports Node's modules, and cannot start synchronously.
        "--define:process=undefined",
        "--external:module",
    ]
