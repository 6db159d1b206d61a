"""`build.py explain` and `python3 -m tools.probe --limits` with a browser, and exported scripts in it."""

import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from support.command import run
from support.paths import PROJECT_DIR
from tools.explain.without_browser import Request, explain
from web_tests.drivers.harness import Harness
from web_tests.limits.saved import CHROMIUM_147, read_limits
from web_tests.models.catalogue import Model, all_models
from web_tests.references.inputs import inputs_for
from web_tests.references.report import check_report

FLOAT = all_models()["face_detection_short_range"]
INT8 = all_models()["mlperftiny_ic_int8"]

# A separate process: Playwright's synchronous driver cannot start twice in one thread.
EXPLAIN = """
import sys
from pathlib import Path
from tools.explain import explain
from tools.explain.without_browser import Request
model, export = map(Path, sys.argv[1:])
sys.exit(explain.run(model, Request("simd", export=export), limits=None, json_output=True, browser=None))
"""
LIMITS = """
import sys
from pathlib import Path
from tools.probe import browser_limits
browser_limits.write(Path(sys.argv[1]), None)
"""


def printed(program: str, *arguments: Path) -> str:
    command: list[str | Path] = [sys.executable, "-c", program, *arguments]
    return run(command, cwd=PROJECT_DIR, capture=True, quiet=True, timeout_seconds=240)


@pytest.mark.usefixtures("webnn_page")
def test_with_a_browser_times_and_devices_are_reported(tmp_path: Path) -> None:
    export = tmp_path / "graph.mjs"
    report = json.loads(printed(EXPLAIN, FLOAT.path(), export))
    check_report(report)
    (part,) = report["partitions"]
    assert part["buildMs"] > 0
    assert part["dispatchMs"]["count"] > 1
    assert "export async function build" in export.read_text()


@pytest.mark.usefixtures("webnn_page")
def test_captured_limits_explain_what_the_browser_does(webnn: Harness, tmp_path: Path) -> None:
    path = tmp_path / "directory" / "limits.json"
    printed(LIMITS, path)
    assert json.loads(path.read_text())["browser"]["version"]
    real = webnn.load(f"/models/{FLOAT.name}.tflite").report
    assert real["webnn"]["opSupportLimits"] == read_limits(path)
    explained = explain(FLOAT.path(), read_limits(path), Request("simd")).report
    assert real["nodes"] == explained["nodes"]


def test_the_committed_limits_are_those_of_their_browser(webnn: Harness) -> None:
    saved: dict[str, Any] = json.loads(CHROMIUM_147.read_text())
    agent = webnn.page.evaluate("navigator.userAgent")
    if agent != saved["browser"]["userAgent"]:
        pytest.skip(f"this is {agent}")
    report = webnn.load(f"/models/{FLOAT.name}.tflite").report
    assert report["webnn"]["opSupportLimits"] == read_limits(CHROMIUM_147)


@pytest.mark.parametrize("model", [FLOAT, INT8], ids=lambda model: model.name)
def test_an_exported_script_computes_what_the_package_does(webnn: Harness, model: Model, tmp_path: Path) -> None:
    loaded = webnn.load(f"/models/{model.name}.tflite")
    assert loaded.execution_mode == "direct"
    inputs = inputs_for(model)
    expected = loaded.run(inputs)
    script = tmp_path / "graph.js"
    explain(model.path(), loaded.report["webnn"]["opSupportLimits"], Request("simd", export=script))
    names = [f"t{info['index']}" for info in loaded.inputs]
    found = webnn.run_exported(script.read_text(), dict(zip(names, inputs, strict=True)))
    for info, array in zip(loaded.outputs, expected, strict=True):
        assert found[f"t{info['index']}"] == np.ascontiguousarray(array).tobytes()
