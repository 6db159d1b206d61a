"""Guards without which a kernel accepts what it then reads or writes beyond (tflite_kernels/op_table.def)."""

from typing import Any

import numpy as np
import pytest
from flatbuffers import flexbuffers

from web_tests.drivers.harness import LoadOptions, ModelError, PageHarness
from web_tests.models.model_writer import ModelWriter, Quantization
from web_tests.models.one_node import one_node
from web_tests.op_cases.case import Input, OpCase, Provided, Values, Weights

CPU = LoadOptions(webnn=False)
ROWS = Input((3, 4))
BYTES = Quantization((0.5,), (0,))


def _op(
    op: str,
    operands: tuple[Any, ...],
    shape: tuple[int, ...],
    dtype: str = "",
    **options: Any,
) -> OpCase:
    return OpCase("guarded", op, operands, options, output_shape=shape, output_dtype=dtype)


def _pool(op: str) -> OpCase:
    options: dict[str, Any] = {"padding": 1, "strideH": 1, "strideW": 1, "filterHeight": 5, "filterWidth": 5}
    return _op(op, (Input((1, 1, 1, 2)),), (1, 1, 1, 2), **options)


def _convolution(channels: int, depth: int) -> OpCase:
    operands = (Input((1, 4, 4, channels)), Weights((3, 1, 1, depth)), Weights((3,)))
    return _op("CONV_2D", operands, (1, 4, 4, 3), strideH=1, strideW=1)


def _segments(op: str) -> OpCase:
    return _op(op, (ROWS, Input((3,), 0, 2, "int32"), Values(2)), (2, 4), "int64")


def _detections(anchors: int) -> OpCase:
    options = {"max_detections": 2, "max_classes_per_detection": 1, "num_classes": 2, "nms_iou_threshold": 0.5} | {
        f"{axis}_scale": 1.0 for axis in "xywh"
    }
    operands = (Input((1, 4, 4)), Input((1, 4, 3)), Values(np.ones((anchors, 4)), "float32"))
    return OpCase(
        "guarded", "TFLite_Detection_PostProcess", operands, bytes(flexbuffers.Dumps(options)),
        output_shape=(1,), output_dtypes=("float32",) * 4,
    )  # fmt: skip


# Each with a part of the guard's message.
WHEN_LOADED = {
    **{
        f"a window larger than the image: {op}": (_pool(op), "The window is larger than the image")
        for op in ("AVERAGE_POOL_2D", "L2_POOL_2D", "MAX_POOL_2D")
    },
    "an image without channels": (_convolution(0, 1), r"SizeOfDimension\(input, 3\) > 0"),
    "filters that the groups do not divide": (_convolution(4, 2), "The filters cannot be divided among the groups"),
    "a quotient of bytes in six dimensions": (
        OpCase(
            "guarded", "DIV",
            (Provided(np.ones((1, 2) * 3), "int8", BYTES), Provided(np.ones((2, 1) * 3), "int8", BYTES)),
            output_shape=(2,) * 6, output_quantization=BYTES,
        ),
        r"is_quantized",
    ),
    "rows that are copied to shorter ones": (
        _op("EMBEDDING_LOOKUP", (Values([0]), Input((3, 4), 0, 9, "int64")), (1, 4), "int32"),
        r"TfLiteTypeGetSizeBits\(value->type\)",
    ),
    "hashes that are not floats": (
        _op(
            "LSH_PROJECTION", (Values([[1, 2]]), Input((3,), 0, 9, "int32")), (1,), "int32",
            type=1,
        ),
        "FLOAT32",
    ),
    "nothing to reflect": (
        _op("MIRROR_PAD", (Input((0, 4)), Values([[0, 0], [1, 1]])), (0, 6), mode=0),
        "There is nothing to reflect",
    ),
    "more starts than an index has": (
        _op(
            "STABLEHLO_GATHER", (Input((4, 5)), Input((2, 1), 0, 3, "int32")), (2, 5),
            offsetDims=[1], collapsedSliceDims=[0], startIndexMap=[0, 1], indexVectorDim=1, sliceSizes=[1, 5],
        ),
        "options.num_start_index_map",
    ),
    "an update's window beyond its dimensions": (
        OpCase(
            "guarded", "STABLEHLO_SCATTER", (Input((4, 5)), Input((2, 1), 0, 3, "int32"), Input((2, 5))),
            {
                "updateWindowDims": [5], "insertedWindowDims": [0], "scatterDimsToOperandDims": [0],
                "indexVectorDim": 1, "updateComputationSubgraphIndex": 1,
            },
            output_shape=(4, 5), overwrites=True,
        ),
        "options.update_window_dims",
    ),
    "positions that int16 cannot hold": (
        OpCase(
            "guarded", "TOPK_V2", (Input((40_000,)), Values(1)),
            output_shape=(1,), output_dtypes=("float32", "int16"), version=3,
        ),
        "<= INT16_MAX",
    ),
    "floats by weights of bytes": (
        _op(
            "TRANSPOSE_CONV",
            (Values([1, 4, 4, 1]), Weights((1, 3, 3, 2), 0, 9, dtype="uint8"), Input((1, 4, 4, 2))),
            (1, 4, 4, 1), "float32", strideH=1, strideW=1,
        ),
        "weights == kTfLiteFloat32",
    ),
    **{
        f"segments of another type: {op}": (_segments(op), "FLOAT32 != INT64")
        for op in ("UNSORTED_SEGMENT_MAX", "UNSORTED_SEGMENT_MIN", "UNSORTED_SEGMENT_PROD", "UNSORTED_SEGMENT_SUM")
    },
    "fewer anchors than boxes": (_detections(2), r"SizeOfDimension\(anchors, 0\)"),
}  # fmt: skip


@pytest.mark.parametrize("name", WHEN_LOADED)
def test_an_error_when_the_model_is_loaded(harness: PageHarness, name: str) -> None:
    case, message = WHEN_LOADED[name]
    with pytest.raises(ModelError, match=message) as caught:
        harness.load(case.model(), CPU)
    assert caught.value.code == "ALLOCATE_TENSORS_FAILED", caught.value


@pytest.mark.parametrize("op", ["LOG", "RSQRT", "SQRT"])
def test_int16_without_a_scale_is_malformed(harness: PageHarness, op: str) -> None:
    """The kernels look only whether bytes have one."""
    with pytest.raises(ModelError, match="without a scale") as caught:
        harness.load(_op(op, (Input((4,), 0, 9, "int16"),), (4,)).model(), CPU)
    assert caught.value.code == "MALFORMED_MODEL", caught.value


@pytest.mark.parametrize("op", ["LOG", "RSQRT", "SQRT"])
def test_int16_whose_type_another_kernel_states_needs_a_scale(harness: PageHarness, op: str) -> None:
    """EXPAND_DIMS sets the type of its result to that of its input, whatever the file says: the kernels read scales."""
    writer = ModelWriter()
    x, axis = writer.tensor("x", (4,), "int16"), writer.constant("axis", np.zeros(1, np.int32))
    t, y = writer.tensor("t", (1, 4), "float32"), writer.tensor("y", (1, 4), "int16")
    writer.node("EXPAND_DIMS", [x, axis], [t])
    writer.node(op, [t], [y])
    with pytest.raises(ModelError, match="Integers without a scale") as caught:
        harness.load(writer.finish([x], [y]), CPU)
    assert caught.value.code == "ALLOCATE_TENSORS_FAILED", caught.value


def test_detections_with_an_anchor_for_each_box(harness: PageHarness) -> None:
    case = _detections(4)
    found = harness.load(case.model(), CPU).run(case.inputs())
    assert [array.shape for array in found] == [(1, 2, 4), (1, 2), (1, 2), (1,)]


@pytest.mark.parametrize("op", ["ARG_MAX", "ARG_MIN"])
def test_the_greatest_of_no_elements_is_an_error(harness: PageHarness, op: str) -> None:
    case = _op(op, (Input((2, 0)), Values([1])), (2,), "int64", outputType=4)
    model = harness.load(case.model(), CPU)
    with pytest.raises(ModelError, match="The axis is empty") as caught:
        model.run(case.inputs())
    assert caught.value.code == "INVOKE_FAILED", caught.value


@pytest.mark.parametrize("is_read", [False, True])
def test_using_a_table_as_a_variable_is_an_error(harness: PageHarness, is_read: bool) -> None:
    """TFLite has both in one map: tables by negative numbers."""
    writer = ModelWriter()
    x, table, y = writer.tensor("x", (4,)), writer.tensor("table", (1,), "resource"), writer.tensor("y", (4,))
    options = {"tableId": 1 - 2**31, "keyDtype": 4, "valueDtype": 5}
    writer.node("HASHTABLE", [], [table], options)
    if is_read:
        writer.node("READ_VARIABLE", [table], [y])
    else:
        writer.node("ASSIGN_VARIABLE", [table, x], [])
        writer.node("NEG", [x], [y])
    model = harness.load(writer.finish([x], [y]), CPU)
    with pytest.raises(ModelError, match=r"id->data.i32\[0\] >= 0") as caught:
        model.run([np.ones(4, np.float32)])
    assert caught.value.code == "INVOKE_FAILED", caught.value


@pytest.mark.parametrize("op", ["PAD", "PADV2"])
def test_images_of_nothing_are_padded(harness: PageHarness, op: str) -> None:
    """The kernel of uint8 wrote only the first image: 0 is the byte 7."""
    zero = Quantization((0.5,), (7,))
    sizes = np.array([[0, 0], [1, 2], [1, 2], [0, 0]], np.int32)
    value = [(np.array(7, np.uint8), zero)] if op == "PADV2" else []
    content = one_node(op, [((2, 0, 3, 2), "uint8", zero), (sizes,), *value], ((2, 3, 6, 2), "uint8", zero))
    model = harness.load(content, LoadOptions(webnn=False, extra={"enableXnnpackDelegate": False}))
    (found,) = model.run([np.zeros((2, 0, 3, 2), np.uint8)])
    np.testing.assert_array_equal(found, np.full((2, 3, 6, 2), 7, np.uint8))
