"""Runs in Pyodide: scripts written for other packages."""

import contextlib
import io
import runpy
import sys


def printed(script: str, arguments: list[str]) -> str:
    """Run a script after importing only the shim; return its output."""
    import tflite_webnn.shim  # noqa: F401

    text = io.StringIO()
    sys.argv = [script, *arguments]
    with contextlib.redirect_stdout(text):
        runpy.run_path(script, run_name="__main__")
    return text.getvalue()
