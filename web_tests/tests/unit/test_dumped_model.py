"""Reading models back: what the writer wrote, and the dumps of a browser."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from web_tests import dumped_model
from web_tests.dumped_model import DumpFolder, NoDumpError, nodes_of
from web_tests.model_writer import ModelWriter, Quantization
from web_tests.models_made import custom_op_model, tiny_network


def test_nodes_have_ops_and_types() -> None:
    assert [str(node) for node in nodes_of(tiny_network())] == [
        "CONV_2D(float32, float32 constant, float32 constant) -> float32",
        "MEAN(float32, int32 constant) -> float32",
        "FULLY_CONNECTED(float32, float32 constant) -> float32",
        "SOFTMAX(float32) -> float32",
    ]
    assert [node.op for node in nodes_of(custom_op_model("NobodyKnows"))] == ["NobodyKnows"]


def test_types_of_a_node_are_those_of_all_its_tensors() -> None:
    writer = ModelWriter()
    x = writer.tensor("x", (4,), "int16", Quantization((0.5,)))
    y = writer.tensor("y", (4,))
    writer.node("DEQUANTIZE", [x], [y])
    assert nodes_of(writer.finish([x], [y]))[0].dtypes == {"int16", "float32"}


def test_dumps_come_in_the_order_of_the_builds(tmp_path: Path) -> None:
    folder = DumpFolder(tmp_path)
    contents = [tiny_network(), custom_op_model("A"), custom_op_model("B")]
    for number, content in enumerate(contents):
        (tmp_path / f"model{number}.tflite").write_bytes(content)
    assert folder.take() == contents[:1]
    assert folder.take(2) == contents[1:]


def test_a_dump_that_does_not_come_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dumped_model, "DUMP_TIMEOUT_SECONDS", 0.1)
    (tmp_path / "model0.tflite").write_bytes(np.zeros(100, np.uint8).tobytes())
    with pytest.raises(NoDumpError, match=r"model0\.tflite"):
        DumpFolder(tmp_path).take()
