"""Modules for certain models: registration of kernels, and the unreachable part of XNNPACK."""

import re
from pathlib import Path

import flatbuffers
import pytest
from ai_edge_litert import schema_py_generated as schema

from wasm.toolchain.selection import kernels, xnnpack
from wasm.toolchain.selection.errors import SelectionError
from wasm.toolchain.selection.models import op_names, read_needs
from wasm.toolchain.selection.selection import EVERYTHING, Selection, select

REGISTER = """
  AddBuiltin(BuiltinOperator_CONV_2D, Register_CONV_2D(),
             /* min_version = */ 1,
             /* max_version = */ 8);
  AddBuiltin(BuiltinOperator_RESHAPE, Register_RESHAPE());
  AddBuiltin(BuiltinOperator_PACK, Register_PACK(),
             /* min_version = */ 1, /* max_version = */ 4);
  AddCustom("Mfcc", tflite::ops::custom::Register_MFCC());
"""
DELEGATE = """
class Subgraph {
  static Subgraph* Create() {
    xnn_define_always(subgraph);
  }

  static TfLiteStatus VisitNode(xnn_subgraph_t subgraph) {
    switch (registration->builtin_code) {
      case kTfLiteBuiltinAdd:
      case kTfLiteBuiltinMul:
        return VisitBinaryNode(subgraph);
      case kTfLiteBuiltinConv2d: {
        return VisitConv2DNode(subgraph);
      }
      case kTfLiteBuiltinCustom:
        return VisitCustomNode(subgraph);
    }
  }

  static TfLiteStatus VisitBinaryNode(xnn_subgraph_t subgraph) {
    xnn_define_binary(subgraph);
  }

  static TfLiteStatus VisitConv2DNode(xnn_subgraph_t subgraph) {
    Pad<int>(subgraph);
    xnn_define_convolution_2d(subgraph);
  }

  static TfLiteStatus VisitCustomNode(xnn_subgraph_t subgraph) {
    xnn_define_unpooling_2d(subgraph);
  }

  static TfLiteStatus Pad(xnn_subgraph_t subgraph) {
    xnn_define_static_constant_pad(subgraph);
  }
};
"""
DEFINES = ("always", "binary", "convolution_2d", "unpooling_2d", "static_constant_pad")
SOURCES = xnnpack.Sources(
    delegate=DELEGATE,
    builtin_ops="".join(
        f"kTfLiteBuiltin{name} = {number},\n"
        for name, number in (("Add", 0), ("Conv2d", 3), ("Mul", 18), ("Custom", 32))
    ),
    header="".join(f"enum xnn_status xnn_define_{name}(\n  xnn_subgraph_t subgraph);\n" for name in DEFINES),
    subgraph="".join(f"enum xnn_status xnn_define_{name}(xnn_subgraph_t subgraph) {{}}\n" for name in DEFINES),
    configs="xnn_init_f32_gemm_config xnn_init_qs8_qc8w_gemm_config xnn_init_xx_copy_config xnn_init_hardware_config",
)


def absent_defines(*ops: str) -> set[str]:
    return {name.removeprefix("xnn_define_") for name in xnnpack.find_absent(SOURCES, op_names(), ops, ()).defines}


def test_everything_is_the_default() -> None:
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
def test_what_is_no_model_is_refused(tmp_path: Path, content: bytes | None) -> None:
    path = tmp_path / "m.tflite"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(SelectionError, match=r"m\.tflite"):
        select([path], [])


def test_only_selected_kernels_are_registered() -> None:
    text = kernels.ops_file(REGISTER, ["PACK", "Mfcc"])
    assert "resolver.AddBuiltin(BuiltinOperator_PACK, Register_PACK()" in text
    assert 'resolver.AddCustom("Mfcc", tflite::ops::custom::Register_MFCC());' in text
    assert "TfLiteRegistration* Register_MFCC();" in text
    assert "Register_RESHAPE" not in text
    assert 'kNames = {"CONV_2D", "Convolution2DTransposeBias", "RESHAPE"}' in text
    assert r'return "[\"Mfcc\",\"PACK\"]";' in text


@pytest.mark.parametrize(
    ("op", "kernel"),
    [
        ("ADD", "IntegerAdd"),
        ("BATCH_MATMUL", "IntegerBatchMatmul"),
        ("CONV_2D", "IntegerConv2d"),
        ("CONV_3D", "ExactConv3d"),
        ("CONV_3D_TRANSPOSE", "ExactConv3dTranspose"),
        ("DEPTHWISE_CONV_2D", "HybridDepthwiseConv"),
        ("DEQUANTIZE", "IntegerDequantize"),
        ("FULLY_CONNECTED", "IntegerFullyConnected"),
        ("HARD_SWISH", "ByteHardSwish"),
        ("MEAN", "IntegerMean"),
        ("MUL", "IntegerMul"),
        ("QUANTIZE", "IntegerQuantize"),
        ("SOFTMAX", "IntegerSoftmax"),
        ("SQUARED_DIFFERENCE", "IntegerSquaredDifference"),
        ("SUB", "IntegerSub"),
    ],
)
def test_own_kernels_stand_in_for_tflites(op: str, kernel: str) -> None:
    register = REGISTER + f"AddBuiltin(BuiltinOperator_{op}, Register_{op}(), 1, 9);"
    lines = kernels.ops_file(register, [op]).splitlines()
    tflites = lines.index(f"  resolver.AddBuiltin(BuiltinOperator_{op}, Register_{op}(), 1, 9);")
    assert re.match(rf"  ReplaceKernel\(resolver, BuiltinOperator_{op}, Eval{kernel}[,)]", lines[tflites + 1])


@pytest.mark.parametrize(("op", "own"), kernels.TYPES_OF_OWN.items())
def test_own_kernels_are_left_out_without_their_types(op: str, own: tuple[str, ...]) -> None:
    register = REGISTER + f"AddBuiltin(BuiltinOperator_{op}, Register_{op}(), 1, 9);"
    for types, is_own in [((), True), *(({name, "INT32"}, True) for name in own), ({"INT32", "BOOL"}, False)]:
        text = kernels.ops_file(register, [op], types)
        assert ("ReplaceKernel" in text) == is_own


def test_an_op_without_a_kernel_is_refused() -> None:
    with pytest.raises(SelectionError, match="no kernel for CONV_3"):
        kernels.ops_file(REGISTER, ["CONV_3", "CONV_2D"])


def test_an_op_reaches_what_its_visit_calls() -> None:
    assert absent_defines("CONV_2D") == {"binary", "unpooling_2d"}
    assert absent_defines("ADD") == absent_defines("MUL") == {"convolution_2d", "unpooling_2d", "static_constant_pad"}
    assert absent_defines("Mfcc") == {"binary", "convolution_2d", "static_constant_pad"}
    assert absent_defines("RESHAPE") == set(DEFINES) - {"always"}


@pytest.mark.parametrize(
    ("config", "types", "needed"),
    [
        ("xnn_init_f32_gemm_config", {"FLOAT32"}, True),
        ("xnn_init_f32_gemm_config", {"INT8"}, False),
        ("xnn_init_qs8_qc8w_gemm_config", {"INT8"}, True),
        ("xnn_init_qs8_qc8w_gemm_config", {"FLOAT32"}, False),
        ("xnn_init_qd8_f32_qc8w_gemm_config", {"FLOAT32", "INT8"}, True),
        ("xnn_init_qd8_f32_qc8w_gemm_config", {"FLOAT32"}, False),
        ("xnn_init_qd8_f32_qc4w_gemm_config", {"FLOAT32", "INT4"}, True),
        ("xnn_init_f32_to_qs8_cvt_config", {"FLOAT32", "INT8"}, True),
        ("xnn_init_f16_to_f32_cvt_config", {"FLOAT16", "FLOAT32"}, True),
        ("xnn_init_pf16_gemm_config", {"FLOAT16", "FLOAT32"}, False),
        ("xnn_init_xx_copy_config", {"INT8"}, True),
        ("xnn_init_transpose_config", {"INT8"}, True),
    ],
)
def test_types_reach_configurations(config: str, types: set[str], needed: bool) -> None:
    assert xnnpack.is_needed(config, types) is needed


def test_files_replace_what_is_absent() -> None:
    absent = xnnpack.find_absent(SOURCES, op_names(), ["ADD"], {"FLOAT32"})
    assert absent.configs == ("xnn_init_qs8_qc8w_gemm_config",)
    stand_ins, renaming = absent.stand_ins(), absent.renaming_header()
    assert "enum xnn_status xnn_define_convolution_2d(" in stand_ins
    assert "const void* xnn_init_qs8_qc8w_gemm_config(void) { return 0; }" in stand_ins
    assert "#define xnn_define_convolution_2d left_out_xnn_define_convolution_2d" in renaming
    assert "xnn_init_hardware_config" not in stand_ins + renaming


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
