"""`build.py bench --pyodide`: the time for Python in the browser to write an array into a model, and to read one."""

import json
from collections.abc import Sequence
from pathlib import Path

from playwright.sync_api import sync_playwright

from support.console import console
from tools.measuring.measurement import subjects_of
from web_tests.browsers import installed
from web_tests.browsers.playwright_pages import PlaywrightPage
from web_tests.drivers.python_page import PythonPage
from web_tests.server.server import PAGES_DIR, Server

# Its input, 1x224x224x3 float32, has the size of most image networks.
DEFAULT_MODEL = "hand_landmark_lite"
CALLS_PER_ROUND = 10
PATH = "model.tflite"


def run(model_files: Sequence[Path], *, json_output: bool, browser: Path | None, rounds: int) -> int:
    """Print the medians for the first input of each model (a file or a known name), and return the exit status.

    Raises:
        ModelFileError: a file cannot be read.
    """
    program = installed.at_path(browser) if browser else installed.discover()[0]
    models = subjects_of(model_files, [DEFAULT_MODEL])
    rows = []
    with sync_playwright() as playwright, Server() as server, installed.launched(playwright, program) as running:
        python = PythonPage(PlaywrightPage(running.new_page()), server).start()
        python.add_module(PAGES_DIR / "python_arrays.py")
        for model in models:
            python.write(PATH, model.content)
            row = python.run("python_arrays.measure", model=PATH, rounds=rounds * CALLS_PER_ROUND)
            rows.append({"model": model.name, **row})
    if json_output:
        print(json.dumps(rows, indent=2))
    else:
        for row in rows:
            tensor = f"{row['dtype']}[{','.join(map(str, row['shape']))}]"
            times = f"in {row['inMs']:.3f} ms, out {row['outMs']:.3f} ms"
            console.print(f"{row['model']}: {tensor} {times}", markup=False)
    return 0
