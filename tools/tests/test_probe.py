"""The cases of the probes, and the table of known bugs."""

import json
from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest

from tools.probe import corpus
from tools.probe.known_bugs import known_bugs, unknown_bugs
from tools.probe.probes import rows_of, shape_of
from tools.probe.workarounds import workarounds
from web_tests.limits.saved import CHROMIUM_147, read_limits

LIMITS = read_limits(CHROMIUM_147)
BUGS = CHROMIUM_147.with_name("chromium-147-bugs.json")


@pytest.fixture(scope="module")
def every_rank() -> list[dict[str, Any]]:
    """The cases of `--every-rank` in the pinned browser."""
    return corpus.document(LIMITS)


def op_of(row: Mapping[str, Any]) -> str:
    return str(row["graph"]["operators"][0]["op"])


def test_every_operator_of_chromium_is_probed_at_every_rank(every_rank: list[dict[str, Any]]) -> None:
    assert {op_of(row) for row in every_rank} == set(rows_of(LIMITS))
    assert len({row["name"] for row in every_rank}) == len(every_rank) > 10_000
    ranks = {row["operands"][1]["rank"] for row in every_rank if op_of(row) == "gather" and row["part"] == "ranks"}
    assert ranks == set(range(9))


@pytest.mark.parametrize("rank", range(9))
def test_shapes_have_as_many_elements(rank: int) -> None:
    assert len(shape_of(rank)) == rank
    assert np.prod(shape_of(rank)) == (8 if rank else 1)


def report_with(op: str, *bugs: Mapping[str, Any]) -> dict[str, Any]:
    return {"contexts": [{"operators": [{"op": op, "bugs": [*bugs]}]}]}


def test_every_bug_of_chromium_is_known() -> None:
    report = json.loads(BUGS.read_text())
    assert list(unknown_bugs(report)) == []
    (context,) = report["contexts"]
    rows = [(row["op"], bug) for row in context["operators"] for bug in row["bugs"]]
    found = {(op, bug["outcome"], bug["stage"]) for op, bug in rows}
    promised = [bug for bug in known_bugs() if "does not promise" not in bug.what]
    assert {(op, bug.outcome, bug.stage) for bug in promised for op in bug.ops} == found


def test_a_bug_that_the_table_lacks_is_unknown() -> None:
    bug = {"op": "abs", "outcome": "crashes", "stage": "run", "examples": ["float32 rank 0"]}
    skipped = {"outcome": "untried", "stage": "", "examples": ["float32 rank 1"]}
    assert list(unknown_bugs(report_with("abs", bug, skipped))) == [("abs", bug)]
    assert list(unknown_bugs(report_with("gather", bug))) == []


def test_each_known_bug_has_its_reproduction(every_rank: list[dict[str, Any]]) -> None:
    names = {row["name"] for row in every_rank}
    lacking = [op for bug in known_bugs() for op in bug.ops if not {*bug.names()} & names]
    assert lacking == []


def test_what_avoids_a_bug_exists() -> None:
    ids = {row.id for row in workarounds()}
    named = {bug.avoided for bug in known_bugs() if " " not in bug.avoided}
    assert named <= ids
    assert "gather_indices" in named


def test_the_corpus_of_pages_has_each_operator_and_edge() -> None:
    rows = corpus.document()
    assert len({row["name"] for row in rows}) == len(rows)
    edges = [row for row in rows if row["part"] == "edges"]
    assert {op_of(row) for row in rows} == set(rows_of(LIMITS))
    of_add = {
        (row["operands"][0]["dataType"], row["operands"][0]["rank"]) for row in edges if row["name"].startswith("add ")
    }
    assert of_add == {(dtype, rank) for dtype in corpus.ALL_DTYPES for rank in range(9)}
    quantized = {row["operands"][-1]["dataType"] for row in edges if row["name"].startswith("quantizeLinear ")}
    assert quantized == {"int8", "uint8", "int32"}


def test_operands_of_the_corpus_are_those_of_the_browser() -> None:
    """A name that opSupportLimits() does not have would never be checked."""
    rows = rows_of(LIMITS)
    unknown = {
        (op, operand["name"])
        for row in corpus.document()
        for op in [op_of(row)]
        for operand in row["operands"]
        if operand["name"] not in rows[op]
    }
    assert unknown == {(op, "input") for op in ("isInfinite", "isNaN")}
