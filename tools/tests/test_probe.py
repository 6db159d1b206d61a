"""The prober, with a fake browser."""

import base64
import json
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from js.limits import CHROMIUM_147, read_limits
from tools.probe import command, corpus
from tools.probe.campaign import Finding, explore
from tools.probe.known_faults import known_faults, unknown_faults
from tools.probe.probes import Probe, probe, rows_of, shape_of
from tools.probe.workarounds import workarounds
from web_tests.models.recipes import Array
from web_tests.polyfill_cases.case import Case, Input

LIMITS = read_limits(CHROMIUM_147)
MAX_DEATHS = 3
FAULTS = CHROMIUM_147.with_name("chromium-147-faults.json")


def probes_named(*names: str) -> list[Probe]:
    return [probe(name, "graph", Input(np.zeros(2, "float32"))) for name in names]


class FakeBrowser:
    """Answers like js/probes/src/session.ts; an operator's name is its result."""

    def __init__(self) -> None:
        self.tries: list[list[str]] = []

    def __call__(self, graphs: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
        ops = [graph["operators"][0]["op"] for graph in graphs]
        self.tries.append(ops)
        if "page" in ops:
            return []
        answers: list[dict[str, Any]] = []
        for op in ops:
            if sum("lost" in answer for answer in answers) == MAX_DEATHS:
                break
            answers.append(self._answer(op, alone=len(ops) == 1))
            if "hangs" in answers[-1]:
                break
        return answers

    def _answer(self, op: str, *, alone: bool) -> dict[str, Any]:
        if op == "killer" or (op == "spoiled" and not alone):
            return {"stage": "run", "lost": "connection error"}
        if op == "hanging":
            return {"stage": "build", "hangs": True}
        if op == "rejected":
            return {"stage": "build", "message": "TypeError: no"}
        return {"outputs": [output_of(np.zeros(2, "float32"))]}


def output_of(values: Array) -> dict[str, Any]:
    return {
        "dataType": values.dtype.name,
        "shape": list(values.shape),
        "data": base64.b64encode(values.tobytes()).decode(),
    }


def outcomes(findings: Sequence[Finding]) -> list[str]:
    return [finding.outcome for finding in findings]


def test_each_graph_gets_its_outcome() -> None:
    browser = FakeBrowser()
    found = list(explore(probes_named("fine", "rejected", "killer", "fine", "hanging", "fine"), browser))
    assert outcomes(found) == ["works", "rejected", "kills", "works", "hangs", "works"]
    assert [finding.stage for finding in found] == ["", "build", "run", "", "build", ""]


def test_a_fresh_browser_takes_over_after_the_last_death() -> None:
    browser = FakeBrowser()
    found = list(explore(probes_named(*["killer"] * 4, "fine"), browser))
    assert outcomes(found) == [*["kills"] * 4, "works"]
    assert browser.tries == [[*["killer"] * 4, "fine"], ["killer"], ["killer", "fine"]]  # the first one again, alone


def test_a_graph_that_does_no_harm_alone_is_not_blamed() -> None:
    (_, found) = explore(probes_named("fine", "spoiled"), FakeBrowser())
    assert found.outcome == "works"
    assert "but not alone" in found.message


def test_a_page_that_dies_is_searched_by_halves() -> None:
    found = list(explore(probes_named("fine", "fine", "page", "fine"), FakeBrowser()))
    assert outcomes(found) == ["works", "works", "kills", "works"]


def test_wrong_numbers_are_found() -> None:
    case = Case("fine", "fine", (Input(np.zeros(2, "float32")),), (np.array([0, 1], "float32"),))
    (found,) = explore([Probe(case)], FakeBrowser())
    assert (found.outcome, found.message) == ("wrong", "1 of 2 differ, first at [1]: 0.0 instead of 1.0")


def test_other_numbers_than_at_other_ranks_are_wrong() -> None:
    def finding(rank: int, value: float) -> Finding:
        one = probe("sin", f"rank {rank}", Input(np.zeros(2, "float32")), group="float32")
        return Finding(one, "works", outputs=[np.full(2, value, "float32")])

    rounded = float(np.nextafter(np.float32(1), np.float32(2)))
    found = command.compare_groups([finding(1, 1), finding(2, rounded), finding(3, 0), finding(4, 1)])
    assert outcomes(found) == ["works", "works", "wrong", "works"]


def test_every_operator_of_chromium_is_probed_at_every_rank() -> None:
    probes = command.probes_for(LIMITS)
    assert {one.case.op for one in probes} == set(rows_of(LIMITS))
    assert len({one.name for one in probes}) == len(probes)
    ranks = {one.case.arguments[1].values.ndim for one in probes if one.case.op == "gather"}
    assert ranks == set(range(9))


@pytest.mark.parametrize("rank", range(9))
def test_shapes_have_as_many_elements(rank: int) -> None:
    assert len(shape_of(rank)) == rank
    assert np.prod(shape_of(rank)) == (8 if rank else 1)


def test_what_is_written_names_kinds_of_faults() -> None:
    found = list(explore(probes_named("rejected", "fine", "killer"), FakeBrowser()))
    document = json.loads(command.to_text(command.document_of({"name": "fake"}, found)))
    assert document["operators"] == {"fine": {"works": 1}, "killer": {"kills": 1}, "rejected": {"rejected": 1}}
    assert [(row["op"], row["outcome"], row["examples"]) for row in document["faults"]] == [
        ("killer", "kills", ["graph"]),
        ("rejected", "rejected", ["graph"]),
    ]


def test_every_fault_of_chromium_is_known() -> None:
    document = json.loads(FAULTS.read_text())
    assert unknown_faults(document) == []
    found = {(row["op"], row["outcome"], row["stage"]) for row in document["faults"]}
    assert {(op, fault.outcome, fault.stage) for fault in known_faults() for op in fault.ops} == found


def test_a_new_fault_is_reported() -> None:
    fault = {"op": "abs", "outcome": "kills", "stage": "run", "examples": ["float32 rank 0"]}
    assert unknown_faults({"faults": [fault]}) == [fault]


def test_each_known_fault_has_its_reproduction() -> None:
    names = {probe.name for probe in command.probes_for(LIMITS)}
    lacking = [op for fault in known_faults() for op in fault.ops if not {*fault.names()} & names]
    assert lacking == []


def test_what_avoids_a_fault_exists() -> None:
    ids = {row.id for row in workarounds()}
    named = {fault.avoided for fault in known_faults() if " " not in fault.avoided}
    assert named <= ids
    assert "gather_indices" in named


def test_the_corpus_of_pages_has_each_operator_and_edge() -> None:
    rows = corpus.document()
    assert len({row["name"] for row in rows}) == len(rows)
    edges = [row for row in rows if row["part"] == "edges"]
    assert {row["graph"]["operators"][0]["op"] for row in rows} == set(rows_of(LIMITS))
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
        for op in [row["graph"]["operators"][0]["op"]]
        for operand in row["operands"]
        if operand["name"] not in rows[op]
    }
    assert unknown == {(op, "input") for op in ("isInfinite", "isNaN")}
