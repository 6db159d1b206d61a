"""The matrix on fake pages: choices, reasons, cells, results, tables, capabilities of grids."""

import json
from collections.abc import Mapping
from dataclasses import replace
from io import StringIO
from typing import Any, cast

import pytest
from rich.console import Console

from support.paths import PROJECT_DIR
from tools import result_file
from tools.matrix import cells, grid, questions, result, tables
from tools.matrix.axes import EXECUTIONS, PLACES, Execution, UnknownNameError, select
from tools.matrix.engines import MatrixEngine, local_engines
from tools.matrix.grid import CapabilitiesError
from tools.matrix.place_page import PlacePage
from tools.matrix.questions import Question
from tools.matrix.result import Cell, EngineRow, ExecutionRow, Impossible, Matrix, ModelRow, PlaceFacts, Ran
from web_tests.browsers.page import PageError
from web_tests.drivers.harness import LoadedModel
from web_tests.models.catalogue import all_models

BY_NAME = {execution.name: execution for execution in EXECUTIONS}
QUESTION = Question(all_models()["oww_alexa"])
RAN = Ran("cpu", "simd-threads", "", 7, 0, 0, 2)
RIGHT = Cell("shell", "page", "simd", "oww_alexa", "right", difference=1e-7, tolerance=1e-5, unit="range", ms=1.23456)
WRONG = replace(RIGHT, execution="simd-threads", status="wrong", difference=0.5, note="too far", ran=RAN)
NO_THREADS = Impossible("shell", "plain-page", "simd-threads", "the page is not cross-origin isolated", "WasmLoadError")
ROW = EngineRow("shell", "Headless shell", "Playwright", version="147", measured="2026-11-21T16:00:00+00:00")


def matrix(**changes: Any) -> Matrix:
    whole = Matrix(
        created="2026-11-21T16:00:00+00:00",
        revision="abc",
        reference="ai-edge-litert 2.3.0",
        executions=[ExecutionRow(one.name, one.title) for one in EXECUTIONS],
        places=PLACES,
        models=[ModelRow("oww_alexa", 855312, quantized=False)],
        engines=[ROW],
        facts=[PlaceFacts("shell", "page", True, {"webgpu": "none"}, {"webgl": "SwiftShader"})],
        impossible=[NO_THREADS],
        cells=[RIGHT, WRONG],
    )
    return replace(whole, **changes)


def report(**changes: Any) -> dict[str, Any]:
    webnn = {"used": False, "reason": "this browser has none", "backend": None}
    plain = {"variant": "simd", "threads": {"used": 1, "reason": None}, "webnn": webnn}
    return {**plain, **changes}


def used(backend: str | None) -> dict[str, Any]:
    return report(webnn={"used": True, "reason": None, "backend": backend})


class FakePage:
    """A place whose page refuses to load, or loads a model with a given report."""

    place = PLACES[0]

    def __init__(self, answer: Mapping[str, Any] | Exception) -> None:
        self._answer = answer

    def load(self, _question: Question, _execution: Execution) -> LoadedModel:
        if isinstance(self._answer, Exception):
            raise self._answer
        return cast(LoadedModel, FakeModel(self._answer))


class FakeModel:
    def __init__(self, report: Mapping[str, Any]) -> None:
        self.report = report

    def dispose(self) -> None:
        pass


def fake_page(answer: Mapping[str, Any] | Exception) -> PlacePage:
    return cast(PlacePage, FakePage(answer))


def test_names_are_patterns() -> None:
    assert [one.name for one in select("place", PLACES, ["plain-*"])] == ["plain-page", "plain-worker"]
    assert select("place", PLACES, []) == list(PLACES)
    with pytest.raises(UnknownNameError, match="one of: page, worker"):
        select("place", PLACES, ["plane"])


def test_without_names_the_models_are_the_real_ones() -> None:
    names = [question.name for question in questions.choose([])]
    assert set(all_models()) < set(names)
    assert [question.name for question in questions.choose(["u_net"])] == ["u_net"]


@pytest.mark.parametrize(
    ("execution", "found", "words"),
    [
        ("webnn", used(None), ""),
        ("webnn", used("polyfill 0.1, tflite"), "ran on polyfill 0.1, tflite"),
        ("webnn", report(), "this browser has none"),
        ("polyfill-tflite", used("polyfill 0.1, tflite"), ""),
        ("polyfill-webgpu", used("polyfill 0.1, webgl"), "webgl"),
        ("polyfill-webgpu", used(None), "WebNN of the browser"),
        ("simd", report(), ""),
        ("simd-threads", report(variant="simd-threads", threads={"used": 1, "reason": "no worker"}), "no worker"),
    ],
)
def test_what_ran_otherwise_is_reported(execution: str, found: Mapping[str, Any], words: str) -> None:
    departure = BY_NAME[execution].departure(found)
    assert words in departure
    assert bool(words) == bool(departure)


def test_why_a_way_is_impossible() -> None:
    lacks = {"relaxedSimd": "no relaxed SIMD", "threads": "not isolated", "webnn": "no WebNN"}
    assert cells.why_not(BY_NAME["relaxed-simd-threads"], lacks) == "no relaxed SIMD; not isolated"
    assert cells.why_not(BY_NAME["simd"], lacks) == ""


def test_what_a_page_denies_is_tried() -> None:
    webnn = BY_NAME["webnn"]
    refused = cells.try_impossible("e", fake_page(PageError("there is\n none")), webnn, QUESTION, "why")
    assert refused == Impossible("e", "page", "webnn", "why", "there is none")
    without = cells.try_impossible("e", fake_page(report()), webnn, QUESTION, "why")
    assert isinstance(without, Impossible)
    assert "this browser has none" in without.package_says
    nevertheless = cells.try_impossible("e", fake_page(used(None)), webnn, QUESTION, "why")
    assert isinstance(nevertheless, Cell)
    assert nevertheless.status == "failed"


def test_what_fails_is_a_cell() -> None:
    cell = cells.fill("e", fake_page(PageError("x" * 1000)), BY_NAME["simd"], QUESTION)
    assert cell.status == "failed"
    assert len(cell.note) == cells.NOTE_LENGTH + 1


def test_numbers_are_rounded_in_files() -> None:
    assert result_file.to_json(matrix())["cells"][0]["ms"] == 1.235


def test_the_committed_result_is_one_that_the_matrix_writes() -> None:
    """The site shows it: every engine of this machine took part, and each red cell has a reason."""
    file = PROJECT_DIR / "site" / "results" / "matrix.json"
    found = result_file.read(Matrix, file)
    assert result_file.to_text(found) == file.read_text(encoding="utf-8")
    assert {row.name for row in found.engines} >= {engine.name for engine in local_engines()}
    assert all(cell.note for cell in found.red())


def test_a_matrix_is_good_without_red_cells() -> None:
    assert matrix(cells=[RIGHT]).is_good()
    assert not matrix().is_good()
    assert matrix(cells=[]).is_good()
    assert not matrix(cells=[], impossible=[]).is_good()
    assert not matrix(cells=[RIGHT], engines=[replace(ROW, failure="it ended")]).is_good()


def test_older_cells_are_kept_where_there_are_no_new_ones() -> None:
    other = replace(RIGHT, engine="node")
    possible_then = replace(RIGHT, place="plain-page", execution="simd-threads")
    excluded_then = Impossible("shell", "page", "simd", "there was none")
    older = matrix(
        engines=[replace(ROW, version="146"), replace(ROW, name="node")],
        cells=[replace(RIGHT, ms=9.0), possible_then, other],
        impossible=[excluded_then],
    )
    both = result.merged(matrix(), older)
    assert [(row.name, row.version) for row in both.engines] == [("shell", "147"), ("node", "147")]
    assert {(row.engine, row.execution): row.ms for row in both.cells} == {
        ("shell", "simd"): 1.23456,
        ("shell", "simd-threads"): 1.23456,
        ("node", "simd"): 1.23456,
    }
    assert [row.reason for row in both.impossible] == [NO_THREADS.reason]


def test_the_tables_show_everything() -> None:
    text = StringIO()
    missing = EngineRow("firefox", "Firefox", "Playwright", missing="not installed: apt-get install firefox-esr")
    failed = EngineRow("grid", "chrome of a grid", "Selenium", failure="no session")
    tables.show(Console(file=text, width=200), matrix(engines=[ROW, missing, failed]))
    for words in (
        "Headless shell 147, by Playwright",
        "1 right, 1.23 ms",
        "shell, page, simd-threads, oww_alexa: wrong, 0.5 of 1e-05 range: too far",
        "the page is not cross-origin isolated: simd-threads (plain-page)",
        "apt-get install firefox-esr",
        "it failed: no session",
        "1 of 2 cells match",
    ):
        assert words in text.getvalue()


def test_capabilities_are_a_name_or_json() -> None:
    assert grid.parse("firefox").wanted == {"browserName": "firefox"}
    windows = '{"browserName": "chrome", "platformName": "Windows 11"}'
    assert grid.parse(windows).name == "chrome-windows-11"
    assert grid.parse(f"mine={windows}") == grid.Capabilities("mine", json.loads(windows))
    for text in ("{}", "mine={", '{"browserName": }'):
        with pytest.raises(CapabilitiesError, match="capabilities"):
            grid.parse(text)
    with pytest.raises(CapabilitiesError, match="several browsers are called chrome"):
        grid.engines("http://grid", [grid.parse("chrome")] * 2, [])


def test_browsers_of_a_grid_get_what_webnn_needs() -> None:
    origins = ["http://192.168.1.2:1", "http://192.168.1.2:2"]
    mine = {"browserName": "MicrosoftEdge", "ms:edgeOptions": {"args": ["--enable-features=Mine", "--mine"]}}
    flags = grid.completed(mine, origins)["ms:edgeOptions"]["args"]
    assert flags[0] == "--mine"
    assert "--enable-features=Mine,WebMachineLearningNeuralNetwork" in flags
    assert f"--unsafely-treat-insecure-origin-as-secure={','.join(origins)}" in flags
    assert "--no-sandbox" not in flags
    assert mine["ms:edgeOptions"] == {"args": ["--enable-features=Mine", "--mine"]}
    firefox = grid.completed({"browserName": "firefox"}, origins)
    assert firefox["moz:firefoxOptions"]["prefs"] == {"dom.securecontext.allowlist": "192.168.1.2"}
    assert grid.completed({"browserName": "safari"}, origins) == {"browserName": "safari"}


def test_a_place_that_an_engine_has_not_is_none_of_its_places() -> None:
    engine: MatrixEngine = grid.engines("http://grid", [], [])[0]
    assert engine.places() == list(PLACES)
    assert replace(engine, no_place={"page": "none"}).places() == list(PLACES[1:])
