"""Build the wheel for Python in the browser.

Builds build/pyodide/tflite_webnn-VERSION-py3-none-any.whl, TFLite's Interpreter for Python in Pyodide:
  1. compiles all variants of the wasm module, unless they are current
  2. bundles the JavaScript into one module, and packs both with the Python files
  3. lets Pyodide's own tools write a recipe (meta.yaml) and a lock file's entry (lock_entry.json) for the wheel
The directory also has the wheel's files for pages that load them by URL (pyodide_pkg/README.md).
"""

import argparse

from tools import making

GROUPS = ("run",)


def add_options(parser: argparse.ArgumentParser) -> None:
    text = "where the wheel will be served from, for meta.yaml and lock_entry.json; without it they name the file only"
    parser.add_argument("--url", default="", metavar="DIRECTORY", help=text)
    text = "also build a JupyterLite site with the wheel and its notebook, build/jupyterlite, for any static server"
    parser.add_argument("--jupyterlite", action="store_true", help=text)


def run(arguments: argparse.Namespace) -> None:
    from support.console import console

    wheel = making.wheel(arguments.url)
    console.print(f"    the wheel is {wheel}")
    if arguments.jupyterlite:
        from tools import jupyterlite_site

        console.print(f"    the JupyterLite site is {jupyterlite_site.build(wheel)}")
