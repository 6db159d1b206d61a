"""Bundles the JavaScript half of the wheel into one file, which is both a script and a module.

All but the last line is a classic script that sets one variable: Python can evaluate it without waiting. The last line
exports that variable: a page can import the file.
"""

from pathlib import Path

from support.npm import JS_DIR, run_script

# The script `pyodide` of js/scripts/bundling/scripts.mjs, which also has its global and its variants.
FILE_NAME = "tflite_webnn.mjs"
HELPER = "webnn_helper.mjs"
GLOBAL_SCRIPT = "tflite_webnn_global.mjs"
VARIABLE = "tfliteWebnnPyodide"
VARIANTS = ("simd", "relaxed-simd")
SOURCE_DIR = JS_DIR / "apps" / "pyodide" / "src"
EXPORT = f"export default {VARIABLE};\n"
# For pages that cannot import: the worker of blocking mode, if it comes from an address, and a script element.
SMALL_MODULES = {
    HELPER: f"import {VARIABLE} from './{FILE_NAME}';\n{VARIABLE}.runHelper();\n",
    GLOBAL_SCRIPT: f"import {VARIABLE} from './{FILE_NAME}';\nglobalThis.{VARIABLE} = {VARIABLE};\n",
}


def bundle_module(directory: Path) -> None:
    """Write the module, its notices, and the small ones into `directory`.

    Raises:
        CommandError: the TypeScript cannot be bundled; esbuild has printed the errors.
    """
    run_script("build", "script", "pyodide", directory, quiet=True)
    with (directory / FILE_NAME).open("a") as file:
        file.write(EXPORT)
    for name, text in SMALL_MODULES.items():
        (directory / name).write_text(text)
