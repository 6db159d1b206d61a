"""The axes of the matrix, and its result."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from support.paths import PROJECT_DIR
from tools import result_file
from tools.matrix.axes import EXECUTIONS, HOSTS, ONE_IS_FASTER
from tools.matrix.result import Cell, EngineRow, ExecutionRow, HostInfo, Impossible, Matrix, ModelRow, Ran
from web_tests.browsers.engines import CHROMIUM_SELENIUM, ENGINES

BY_NAME = {execution.name: execution for execution in EXECUTIONS}
RAN = Ran("cpu", "simd-threads", "", 7, 0, 0, 2)
RIGHT = Cell("shell", "page", "simd", "oww_alexa", "right", difference=1e-7, tolerance=1e-5, unit="range", ms=1.23456)
WRONG = replace(RIGHT, execution="simd-threads", status="wrong", difference=0.5, note="too far", ran=RAN)
NO_THREADS = Impossible("shell", "plain-page", "simd-threads", "the page is not cross-origin isolated", "WasmLoadError")
ROW = EngineRow("shell", "Headless shell", "Playwright", version="147", measured="2026-11-21T16:00:00+00:00")


def matrix(**changes: Any) -> Matrix:
    full = Matrix(
        created="2026-11-21T16:00:00+00:00",
        revision="abc",
        reference="ai-edge-litert 2.3.0",
        executions=[ExecutionRow(one.name, one.title) for one in EXECUTIONS],
        hosts=HOSTS,
        models=[ModelRow("oww_alexa", 855312, quantized=False)],
        engines=[ROW],
        pages=[HostInfo("shell", "page", True, {"webgpu": "none"}, {"webgl": "SwiftShader"})],
        impossible=[NO_THREADS],
        cells=[RIGHT, WRONG],
    )
    return replace(full, **changes)


def report(**changes: Any) -> dict[str, Any]:
    webnn = {"used": False, "reason": "this browser has none", "backend": None}
    default = {"variant": "simd", "threads": {"used": 1, "reason": None}, "webnn": webnn}
    return {**default, **changes}


def used(backend: str | None) -> dict[str, Any]:
    return report(webnn={"used": True, "reason": None, "backend": backend})


@pytest.mark.parametrize(
    ("execution", "found", "message"),
    [
        ("webnn", used(None), ""),
        ("webnn", used("polyfill 0.1, tflite"), "ran on polyfill 0.1, tflite"),
        ("webnn", report(), "this browser has none"),
        ("polyfill-tflite", used("polyfill 0.1, tflite"), ""),
        ("polyfill-webgpu", used("polyfill 0.1, webgl"), "webgl"),
        ("polyfill-webgpu", used(None), "WebNN of the browser"),
        ("simd", report(), ""),
        ("simd-threads", report(variant="simd-threads", threads={"used": 1, "reason": "no worker"}), "no worker"),
        ("simd-threads", report(variant="simd-threads", threads={"used": 1, "reason": ONE_IS_FASTER}), ""),
    ],
)
def test_what_ran_otherwise_is_reported(execution: str, found: Mapping[str, Any], message: str) -> None:
    departure = BY_NAME[execution].departure(found)
    assert message in departure
    assert bool(message) == bool(departure)


def test_a_page_says_why_an_execution_is_impossible() -> None:
    lacks = {"relaxedSimd": "no relaxed SIMD", "threads": "not isolated", "webnn": "no WebNN"}
    assert BY_NAME["relaxed-simd-threads"].impossible(lacks) == "no relaxed SIMD; not isolated"
    assert BY_NAME["simd"].impossible(lacks) == ""


def test_numbers_are_rounded_in_files() -> None:
    assert result_file.to_json(matrix())["cells"][0]["ms"] == 1.235


def test_the_committed_result_is_one_that_the_matrix_writes() -> None:
    """The site shows it: every engine of this machine took part, and each red cell has a reason."""
    file = PROJECT_DIR / "site" / "results" / "matrix.json"
    found = result_file.read(Matrix, file)
    assert result_file.to_text(found) == file.read_text(encoding="utf-8")
    assert {row.name for row in found.engines} >= {
        "shell",
        "node",
        *(engine.name for engine in (*ENGINES, CHROMIUM_SELENIUM)),
    }
    assert all(cell.note for cell in found.cells if cell.status != "right")
