"""Reads models back: the writer's, and a browser's dumps."""

from pathlib import Path

import pytest

from web_tests.models import dumped_model
from web_tests.models.dumped_model import DumpDirectory, NoDumpError, nodes_of
from web_tests.models.handmade import custom_op_model, tiny_network, truncated
from web_tests.models.model_writer import Quantization
from web_tests.models.one_node import one_node


def test_nodes_have_ops_and_types() -> None:
    assert [str(node) for node in nodes_of(tiny_network())] == [
        "CONV_2D(float32, float32 constant, float32 constant) -> float32",
        "MEAN(float32, int32 constant) -> float32",
        "FULLY_CONNECTED(float32, float32 constant) -> float32",
        "SOFTMAX(float32) -> float32",
    ]
    assert [node.op for node in nodes_of(custom_op_model("NobodyKnows"))] == ["NobodyKnows"]


def test_types_of_a_node_are_those_of_all_its_tensors() -> None:
    content = one_node("DEQUANTIZE", [((4,), "int16", Quantization((0.5,)))], ((4,),))
    assert nodes_of(content)[0].dtypes == {"int16", "float32"}


def test_dumps_come_in_the_order_of_the_builds(tmp_path: Path) -> None:
    directory = DumpDirectory(tmp_path)
    for number, op in enumerate("ABCD"):
        (tmp_path / f"model{number}.tflite").write_bytes(custom_op_model(op))
    assert [node.op for nodes in directory.take() for node in nodes] == ["A"]
    assert [node.op for nodes in directory.take(2) for node in nodes] == ["B", "C"]


def test_dumps_that_nobody_took_can_be_skipped(tmp_path: Path) -> None:
    directory = DumpDirectory(tmp_path)
    (tmp_path / "model0.tflite").write_bytes(custom_op_model("A"))
    directory.skip()
    (tmp_path / "model1.tflite").write_bytes(tiny_network())
    assert directory.take() == [nodes_of(tiny_network())]


@pytest.mark.parametrize("part", [0, 0.2, 0.99])
def test_an_incomplete_dump_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, part: float) -> None:
    monkeypatch.setattr(dumped_model, "DUMP_TIMEOUT_SECONDS", 0.1)
    (tmp_path / "model0.tflite").write_bytes(truncated(tiny_network(), part))
    with pytest.raises(NoDumpError, match=r"model0\.tflite"):
        DumpDirectory(tmp_path).take()
