"""The matrix: cells of models that do not load or run, or are executed in another way; older cells."""

from dataclasses import dataclass, field, replace
from types import SimpleNamespace
from typing import Any, cast

import pytest

from support.errors import BuildError
from tools import result_file
from tools.matrix.axes import EXECUTIONS
from tools.matrix.result import Cell, Impossible
from web_tests.drivers.harness import PageHarness
from web_tests.models.catalogue import known_models
from web_tests.tests.matrix import test_matrix as matrix
from web_tests.tests.matrix.conftest import matrix_of

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


def rows(*cells: Cell, impossible: Impossible) -> dict[str, list[Any]]:
    return {"cells": [result_file.to_json(cell) for cell in cells], "impossible": [result_file.to_json(impossible)]}


def test_older_cells_remain_where_there_are_no_new_ones() -> None:
    other, possible_then = replace(RIGHT, engine="node"), replace(RIGHT, host="plain-page")
    older = matrix_of(
        rows(
            replace(RIGHT, ms=9.0), possible_then, other, impossible=Impossible("shell", "worker", "webnn", "none then")
        )
    )
    new = replace(RIGHT, ms=1.0), replace(RIGHT, host="worker")
    excluded = Impossible("shell", "plain-page", "webnn", "not isolated")
    both = matrix_of(rows(*new, impossible=excluded), result_file.to_json(older))
    assert {(row.engine, row.host): row.ms for row in both.cells} == {
        ("shell", "page"): 1.0,
        ("shell", "worker"): None,
        ("node", "page"): None,
    }
    assert both.impossible == [excluded]
