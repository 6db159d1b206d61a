"""Modules for certain models: what models need, and which ops there are."""

from pathlib import Path

import flatbuffers
import pytest
from ai_edge_litert import schema_py_generated as schema

from wasm.toolchain.selection.errors import SelectionError
from wasm.toolchain.selection.models import read_needs
from wasm.toolchain.selection.selection import EVERYTHING, Selection, select


def test_no_selection_builds_all_ops() -> None:
    assert select([], []) == EVERYTHING == Selection()


def test_the_ops_and_types_of_a_model_are_read(tmp_path: Path) -> None:
    needs = read_needs(write_model(tmp_path / "m.tflite"))
    assert needs.ops == {"CONV_2D", "Mfcc"}
    assert needs.types == {"INT8"}
    selection = select([tmp_path / "m.tflite"], [])
    assert selection.ops == ("CONV_2D", "Mfcc")
    assert selection.types == ("INT8",)


def test_ops_that_are_named_may_have_any_types(tmp_path: Path) -> None:
    selection = select([write_model(tmp_path / "m.tflite")], ["ADD"], with_webnn=False)
    assert selection == Selection(ops=("ADD", "CONV_2D", "Mfcc"), types=None, with_webnn=False)


@pytest.mark.parametrize("content", [None, b"", b"<!doctype html>", b"\x1c\x00\x00\x00TFL3\xff\xff"])
def test_a_file_that_is_not_a_model_is_rejected(tmp_path: Path, content: bytes | None) -> None:
    path = tmp_path / "m.tflite"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(SelectionError, match=r"m\.tflite"):
        select([path], [])


# The last op is in the file format, but no TFLite has a kernel of it.
@pytest.mark.parametrize("op", ["CONV_3", "Convolution2D", "STABLEHLO_ABS"])
def test_an_op_without_a_kernel_is_rejected(op: str) -> None:
    with pytest.raises(SelectionError, match=f"no kernel for {op}"):
        select([], [op, "CONV_2D", "Convolution2DTransposeBias"])


def write_model(path: Path) -> Path:
    model = schema.ModelT()
    model.version = 3
    conv, mfcc = schema.OperatorCodeT(), schema.OperatorCodeT()
    conv.deprecatedBuiltinCode = conv.builtinCode = schema.BuiltinOperator.CONV_2D
    mfcc.deprecatedBuiltinCode = mfcc.builtinCode = schema.BuiltinOperator.CUSTOM
    mfcc.customCode = "Mfcc"
    model.operatorCodes = [conv, mfcc]
    graph, tensor = schema.SubGraphT(), schema.TensorT()
    tensor.type = schema.TensorType.INT8
    graph.tensors = [tensor]
    model.subgraphs = [graph]
    builder = flatbuffers.Builder(0)
    builder.Finish(model.Pack(builder), file_identifier=b"TFL3")
    path.write_bytes(bytes(builder.Output()))
    return path
