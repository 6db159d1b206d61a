"""`build.py explain` and `build.py limits` with a browser, and the scripts that explain exports, run in it."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from js.explain import Request, explain
from js.limits import CHROMIUM_147, read_limits
from web_tests import limits
from web_tests.explain import explain_in_browser, run
from web_tests.harness import Harness
from web_tests.inputs import inputs_for
from web_tests.models import Model, all_models
from web_tests.report_schema import check_report

FLOAT = all_models()["face_detection_short_range"]
INT8 = all_models()["mlperftiny_ic_int8"]


def test_with_a_browser_times_and_devices_are_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    export = tmp_path / "graph.mjs"
    run(FLOAT.path(), limits=None, variant="simd", export=export, json_output=True, browser=None)
    report = json.loads(capsys.readouterr().out)
    check_report(report)
    (part,) = report["partitions"]
    assert part["buildMs"] > 0
    assert part["dispatchMs"]["count"] > 1
    assert part["devices"] is None or part["devices"]
    assert "export async function build" in export.read_text()


def test_browser_and_saved_limits_agree() -> None:
    """The saved limits are those of the pinned browser: what it builds for real is what they promise."""
    real = explain_in_browser(FLOAT.path(), "simd", None).report
    if "Chrome/147." not in limits.capture(None)["browser"]["userAgent"]:
        pytest.skip("another browser than the one whose limits are saved")
    assert real["webnn"]["opSupportLimits"] == read_limits(CHROMIUM_147)
    saved = explain(FLOAT.path(), read_limits(CHROMIUM_147), Request("simd")).report
    assert real["nodes"] == saved["nodes"]


def test_captured_limits_can_be_read_again(tmp_path: Path) -> None:
    out = tmp_path / "folder" / "limits.json"
    assert limits.run(out, browser=None) == 0
    assert "conv2d" in read_limits(out)
    assert json.loads(out.read_text())["browser"]["version"]


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
