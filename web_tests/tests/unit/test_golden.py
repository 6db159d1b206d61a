"""Golden files: compared, and rewritten only by `python3 build.py test --update-goldens`."""

import json
from pathlib import Path

import pytest

from web_tests.references import golden


@pytest.fixture(autouse=True)
def comparing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(golden.UPDATE_VARIABLE, raising=False)


def test_an_equal_golden_file_passes(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("text\n")
    golden.check(tmp_path / "a.txt", "text\n")


def test_another_text_fails_and_the_file_remains(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("text\n")
    with pytest.raises(AssertionError, match=r"a\.txt differs.*build\.py test --update-goldens"):
        golden.check(tmp_path / "a.txt", "another\n")
    assert (tmp_path / "a.txt").read_text() == "text\n"


def test_a_missing_file_fails(tmp_path: Path) -> None:
    with pytest.raises(AssertionError, match=r"a\.txt is missing.*build\.py test --update-goldens"):
        golden.check(tmp_path / "a.txt", "text\n")


def test_the_command_rewrites_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(golden.UPDATE_VARIABLE, "1")
    golden.check(tmp_path / "ops" / "a.txt", "text\n")
    assert (tmp_path / "ops" / "a.txt").read_text() == "text\n"


def test_a_graph_is_a_line_per_operator() -> None:
    tensors = [{"id": 0, "name": "t0", "tensor": 0, "tensorType": "int16", "dataType": "int32", "shape": [2]}]
    unused = {"id": 1, "name": "t1", "tensor": 1, "dataType": "float32", "shape": []}
    scale = {"id": 2, "dataType": "int32", "shape": [], "byteLength": 4, "sha256": "50c765163fd5"}
    pair = [{"operand": 0}, {"operand": 2}]
    graph = {
        "inputs": [*tensors, unused],
        "constants": [scale],
        "operators": [
            {"op": "concat", "label": "0:PACK", "args": [pair, 0, {}], "outputs": [3]},
            {"op": "slice", "label": "0:PACK", "args": [{"operand": 3}, {"strides": [1]}], "outputs": [4]},
        ],
        "outputs": [{"id": id_, "name": "t4", "tensor": 4, "dataType": "int32", "shape": [3]} for id_ in (1, 4)],
    }
    node = {"index": 0, "op": "PACK", "placement": "webnn", "reason": None}
    on_cpu = {"index": 1, "op": "SIN", "placement": "cpu", "reason": "no sin"}
    plan = {"kind": "webnn", "graph": 0, "inputs": [0, 1], "outputs": [4, 4]}
    lines = [
        "  concat([t0 int16 as int32[2], int32[] #50c765163fd5], 0) -> %3  # 0:PACK",
        "  slice(%3, {strides: [1]}) -> t4 int32[3]  # 0:PACK",
        "  unused t1 float32[]",
        "  t1 float32[] -> t4 int32[3]",
    ]
    description = {"nodes": [node], "plan": [plan], "graphs": [graph]}
    assert golden.description_text(description).splitlines() == lines
    text = golden.description_text({"nodes": [node, on_cpu], "plan": [plan, {"kind": "cpu"}], "graphs": [graph]})
    assert text.splitlines()[:3] == ["1 SIN cpu: no sin", json.dumps(plan), '{"kind": "cpu"}']


def test_equal_nodes_of_a_partition_are_a_line() -> None:
    text = "  nodes\n     8  ADD   add\n     9  RELU  relu\n    10  ADD   add\n    11  ADD   add\n\npartition 1\n"
    assert golden.explanation_text(text) == "  nodes\n    ADD  add: 8, 10-11\n    RELU  relu: 9\n\npartition 1\n"
