"""What a cell of the matrix says if a model does not load, does not run, or is executed in another way."""

from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any, cast

import pytest

from support.errors import BuildError
from tools.matrix.axes import EXECUTIONS
from tools.matrix.result import Cell
from web_tests.drivers.harness import PageHarness
from web_tests.models.catalogue import known_models
from web_tests.tests.matrix import test_matrix as matrix

KEY = ("shell", "page", "webnn")
MODEL = known_models()["mobilenet_v2"]
WEBNN = next(one for one in EXECUTIONS if one.name == "webnn")
BASE_REPORT = {"variant": "simd", "threads": {"used": 1, "reason": None}}
RIGHT = Cell(*KEY, MODEL.name, "right")


@dataclass
class FakePage:
    """A page that loads a model with a report, or fails; `uncaught` are errors that no call reported."""

    failure: Exception | None = None
    webnn: dict[str, Any] = field(default_factory=dict)
    uncaught: tuple[str, ...] = ()

    def load(self, *_: object) -> object:
        if self.failure:
            raise self.failure
        return SimpleNamespace(report={**BASE_REPORT, "webnn": self.webnn}, dispose=lambda: None)

    def take_errors(self) -> list[str]:
        return list(self.uncaught)


def of(page: FakePage) -> PageHarness:
    return cast(PageHarness, page)


@pytest.mark.parametrize(
    ("failure", "status", "note"),
    [
        (BuildError("the page\n  crashed"), "failed", "the page crashed"),
        (BuildError("x" * 400), "failed", f"{'x' * 300}…"),
        (ValueError("shapes [(1,)] instead of [(2,)]"), "wrong", "shapes [(1,)] instead of [(2,)]"),
    ],
    ids=["crash", "long", "shapes"],
)
def test_a_failure_becomes_the_note_of_its_cell(failure: Exception, status: str, note: str) -> None:
    cell = matrix.filled(of(FakePage(failure)), KEY, WEBNN, MODEL)
    assert (cell.status, cell.note, cell.model) == (status, note, MODEL.name)


def test_an_error_that_nobody_caught_fails_a_right_cell(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(matrix, "measured", lambda *_: RIGHT)
    assert matrix.filled(of(FakePage()), KEY, WEBNN, MODEL) == RIGHT
    cell = matrix.filled(of(FakePage(uncaught=("lost",))), KEY, WEBNN, MODEL)
    assert (cell.status, cell.note) == ("failed", "nobody caught: ['lost']")


@pytest.mark.parametrize(
    ("page", "said"),
    [
        (FakePage(BuildError("WebNN is missing")), "WebNN is missing"),
        (FakePage(webnn={"used": False, "reason": "none"}), "all of it ran on the CPU: none"),
        (FakePage(webnn={"used": True, "reason": None, "backend": None}), ""),
    ],
    ids=["error", "other_execution", "it_runs"],
)
def test_a_page_that_can_do_what_it_denies_says_nothing(page: FakePage, said: str) -> None:
    assert matrix.rejection(of(page), WEBNN, MODEL) == said
