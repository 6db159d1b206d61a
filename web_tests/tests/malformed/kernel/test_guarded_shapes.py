"""Guards of shapes and types around TFLite's kernels (tflite_kernels/op_table.def): wrong ones fail, open ones load."""

from typing import Any

import numpy as np
import pytest
from flatbuffers import flexbuffers

from web_tests.drivers.harness import LoadOptions, ModelError, PageHarness
from web_tests.models.model_writer import ModelWriter
from web_tests.op_cases.case import Input, OpCase, Values

CPU = LoadOptions(webnn=False)
ROWS = Input((3, 4))


def _op(op: str, operands: tuple[Any, ...], shape: tuple[int, ...], **options: Any) -> OpCase:
    return OpCase("rejected", op, operands, options, output_shape=shape)


REJECTED_WHEN_LOADED = {
    "diagonals that are too short": _op(
        "MATRIX_SET_DIAG", (Input((2, 3, 3)), Input((2, 2))), (2, 3, 3)
    ),
    "an image without pixels": _op(
        "RESIZE_BILINEAR", (Input((1, 5, 0, 3)), Values([10, 8])), (1, 10, 8, 3)
    ),
    "another image without pixels": _op(
        "RESIZE_NEAREST_NEIGHBOR", (Input((1, 0, 5, 3)), Values([10, 8])), (1, 10, 8, 3)
    ),
    "a length that is shorter than the entire one": _op(
        "STRIDED_SLICE", (ROWS, Input((2,), 0, 1, "int32"), Values([3, 1]), Values([1, 1])), (3, 1),
        offset=True, endMask=2,
    ),
    "more rows than the input has": _op(
        "TRANSPOSE_CONV", (Values([1, 9, 4, 1]), Input((1, 3, 3, 2)), Input((1, 4, 4, 2))), (1, 9, 4, 1),
        strideH=1, strideW=1,
    ),
    "more columns than the input has": _op(
        "TRANSPOSE_CONV", (Values([1, 4, 9, 1]), Input((1, 3, 3, 2)), Input((1, 4, 4, 2))), (1, 4, 9, 1),
        strideH=1, strideW=1,
    ),
    "a mirrored pad to another type": OpCase(
        "rejected", "MIRROR_PAD", (ROWS, Values([[0, 0], [1, 1]])), {"mode": 0},
        output_shape=(3, 6), output_dtype="int64",
    ),
    "a product of integers to floats": OpCase(
        "rejected", "MUL", (Input((4,), 0, 3, "int32"), Input((4,), 0, 3, "int32")),
        output_shape=(4,), output_dtype="float32",
    ),
    "copies of a constant whose number overflows": OpCase(
        "rejected", "TILE", (Values([1, 2, 3, 4], "int8"), Values([2**30 + 1])), output_shape=(4,), output_dtype="int8"
    ),
    "a slice's size of another type than its begin": _op(
        "SLICE", (Input((1, 1000)), Values([0, 0]), Values([-1, 1], "int64")), (1, 1)
    ),
    "fewer begins than dimensions": _op("SLICE", (Input((2, 2)), Values([0]), Values([1])), ()),
    "fewer strides than begins": _op(
        "STRIDED_SLICE", (Input((4, 4)), Values([0, 0]), Values([2, 2]), Values([1])), (2, 2)
    ),
    "a broadcast product of int16 to bytes": OpCase(
        "rejected", "MUL", (Input((2,), 0, 3, "int16"), Input((1,), 0, 3, "int16")),
        output_shape=(2,), output_dtype="int8",
    ),
    "a padded size that a negative block divides": _op(
        "SPACE_TO_BATCH_ND", (Input((1, 1, 1)), Values([-1]), Values([[-(2**31), -1]])), (1, 1, 1),
    ),
}  # fmt: skip
REJECTED_WHEN_RUN = {
    "a mirrored pad of nothing": _op(
        "MIRROR_PAD", (Input((0, 4)), Values([[1, 1], [1, 1]])), (2, 6), mode=1
    ),
    "shapes that do not broadcast": OpCase(
        "rejected", "BROADCAST_ARGS", (Input((2,), 2, 3, "int32"), Input((2,), 5, 6, "int32")), output_shape=(2,)
    ),
    "updates of nothing": _op(
        "SCATTER_ND", (Values([[3], [0]]), Input((2, 5)), Values([0, 5])), (0, 5)
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", REJECTED_WHEN_LOADED)
def test_wrong_shapes_are_an_error_when_the_model_is_loaded(harness: PageHarness, name: str) -> None:
    with pytest.raises(ModelError) as caught:
        harness.load(REJECTED_WHEN_LOADED[name].model(), CPU)
    assert caught.value.code == "ALLOCATE_TENSORS_FAILED", caught.value


@pytest.mark.parametrize("name", REJECTED_WHEN_RUN)
def test_wrong_shapes_are_an_error_when_the_model_runs(harness: PageHarness, name: str) -> None:
    case = REJECTED_WHEN_RUN[name]
    model = harness.load(case.model(), CPU)
    with pytest.raises(ModelError) as caught:
        model.run(case.inputs())
    assert caught.value.code == "INVOKE_FAILED", caught.value


def _rotation(size: int) -> OpCase:
    options = bytes(flexbuffers.Dumps({"hadamard_size": size, "random_binary_vector": [1] * 4}))
    return OpCase("rotation", "aeq.hadamard_rotation", (ROWS,), options, output_shape=(3, 4))


WINDOW = {"strideW": 1, "strideH": 1}
DILATION = {"dilationWFactor": 1, "dilationHFactor": 1}
IMAGE, NO_ROWS = Input((1, 4, 4, 3)), Input((1, 0, 2, 3))


# What the kernels accept, each with a part of the guard's message.
REJECTED_BY_GUARDS = {
    "parts that are no power of two": (_rotation(3), "hadamard_size is not a power of two"),
    "a spectrum of no samples": (
        OpCase(
            "rejected", "RFFT2D", (Input((1, 4, 4)), Values([0, 4])),
            output_shape=(1, 1, 3), output_dtype="complex64",
        ),
        r"lengths\.data\.i32\[i\] > 0",
    ),
    "a matrix of one dimension": (
        _op("BATCH_MATMUL", (Input((4,)), Input((4, 4))), (4,)),
        "A matrix needs two dimensions or more",
    ),
    "a filter without rows": (
        _op("CONV_2D", (IMAGE, NO_ROWS, Values([0.0], "float32")), (1, 4, 4, 1), **WINDOW, **DILATION),
        "The filter has no rows or no columns",
    ),
    "a depthwise filter without columns": (
        _op(
            "DEPTHWISE_CONV_2D", (IMAGE, Input((1, 2, 0, 3)), Values([0.0] * 3, "float32")), (1, 4, 4, 3),
            **WINDOW, **DILATION, depthMultiplier=1,
        ),
        "The filter has no rows or no columns",
    ),
    "a transposed filter without rows": (
        _op("TRANSPOSE_CONV", (Values([1, 4, 4, 1]), NO_ROWS, IMAGE), (1, 4, 4, 1), **WINDOW),
        "The filter has no rows or no columns",
    ),
    "a negative mirrored pad": (
        _op("MIRROR_PAD", (ROWS, Values([[0, 0], [1, -1]])), (3, 4), mode=1),
        "A padding is negative",
    ),
    **{
        f"an axis of {op} before the first": (
            _op(op, (ROWS, Values([-3])), (3, 1), keepDims=True), "An axis does not exist"
        )
        for op in ("MEAN", "SUM", "REDUCE_MAX", "REDUCE_MIN", "REDUCE_PROD")
    },
    "one size of an image": (
        _op("RESIZE_BILINEAR", (IMAGE, Values([8])), (1, 8, 8, 3)),
        r"NumElements\(GetInput\(context, node, 1\)\)",
    ),
    "one id for all segments": (
        _op("UNSORTED_SEGMENT_SUM", (ROWS, Values(1), Values(2)), (2,)),
        r"NumDimensions\(GetInput\(context, node, 1\)\) > 0",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", REJECTED_BY_GUARDS)
def test_what_no_kernel_checks_is_an_error_when_the_model_is_loaded(harness: PageHarness, name: str) -> None:
    case, message = REJECTED_BY_GUARDS[name]
    with pytest.raises(ModelError, match=message) as caught:
        harness.load(case.model(), CPU)
    assert caught.value.code == "ALLOCATE_TENSORS_FAILED", caught.value


def test_parts_of_a_power_of_two_are_rotated(harness: PageHarness) -> None:
    case = _rotation(4)
    (x,) = case.inputs()
    (found,) = harness.load(case.model(), CPU).run([x])
    hadamard = np.array([[1, 1, 1, 1], [1, -1, 1, -1], [1, 1, -1, -1], [1, -1, -1, 1]], np.float32)
    np.testing.assert_allclose(found, x @ hadamard / 2, rtol=1e-6, atol=1e-6)


def test_an_image_of_open_size_is_mirrored_after_a_resize(harness: PageHarness) -> None:
    """The file's sizes of 1 are placeholders: they are too small for the paddings."""
    writer = ModelWriter()
    x, y = writer.tensor("x", (1, 1, 1, 3)), writer.tensor("y", (1, 3, 3, 3))
    for tensor in (x, y):
        writer.open_dimensions(tensor, [1, 2])
    sizes = np.array([[0, 0], [1, 1], [1, 1], [0, 0]], np.int32)
    options = {"mode": 0}
    writer.node("MIRROR_PAD", [x, writer.constant("sizes", sizes)], [y], options)
    model = harness.load(writer.finish([x], [y]), CPU)
    model.resize([[1, 4, 5, 3]])
    image = np.arange(60, dtype=np.float32).reshape(1, 4, 5, 3)
    (found,) = model.run([image])
    np.testing.assert_array_equal(found, np.pad(image, sizes, mode="reflect"))


def test_a_slice_of_an_open_size_is_taken_after_a_resize(harness: PageHarness) -> None:
    writer = ModelWriter()
    x, y = writer.tensor("x", (1, 1)), writer.tensor("y", (1, 2))
    writer.open_dimensions(x, [0, 1])
    writer.open_dimensions(y, [0])
    begin, size = (
        writer.constant(name, np.array(values, np.int32)) for name, values in (("b", [0, 1]), ("s", [-1, 2]))
    )
    writer.node("SLICE", [x, begin, size], [y])
    model = harness.load(writer.finish([x], [y]), CPU)
    model.resize([[3, 4]])
    data = np.arange(12, dtype=np.float32).reshape(3, 4)
    (found,) = model.run([data])
    np.testing.assert_array_equal(found, data[:, 1:3])


def test_nothing_is_padded_to_a_size_that_an_input_gives(harness: PageHarness) -> None:
    writer = ModelWriter()
    x, sizes, y = writer.tensor("x", (0, 3)), writer.tensor("sizes", (2, 2), "int32"), writer.tensor("y", (2, 3))
    writer.node("PAD", [x, sizes], [y])
    model = harness.load(writer.finish([x, sizes], [y]), CPU)
    for rows in (2, 4):
        (found,) = model.run([np.zeros((0, 3), np.float32), np.array([[1, rows - 1], [0, 0]], np.int32)])
        np.testing.assert_array_equal(found, np.zeros((rows, 3), np.float32))
