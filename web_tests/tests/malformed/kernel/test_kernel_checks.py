"""Guards around TFLite's kernels (tflite_kernels/op_table.def): a run that would leave their memory is an error."""

import numpy as np
import pytest

from web_tests.drivers.harness import CPU, LoadOptions, ModelError, PageHarness
from web_tests.malformed.guarded_nodes import DENSE as DENSE_SIGNATURES
from web_tests.malformed.guarded_nodes import SPARSE as SPARSE_SIGNATURES
from web_tests.malformed.guarded_nodes import blocks, detections, one_hot, projection
from web_tests.models import loops, stateful
from web_tests.models.model_writer import ModelWriter, Quantization
from web_tests.models.recipes import Array
from web_tests.op_cases.case import Input, OpCase, Operand, Values
from web_tests.references import native_litert

ROWS = Input((3, 4))


def _numbers(*values: int) -> Array:
    return np.array(values, np.int32)


def _to_batches(sizes: Operand, paddings: Operand) -> OpCase:
    operands = (Input((1, 4, 4, 1)), sizes, paddings)
    return OpCase("batches", "SPACE_TO_BATCH_ND", operands, output_shape=(4, 2, 2, 1))


def _segments(op: str) -> OpCase:
    operands = (Input((4, 3)), Values([1, 0, 2, 1]), Values(3))
    return OpCase("segments", f"UNSORTED_SEGMENT_{op}", operands, output_shape=(3, 3))


def _extreme(op: str) -> OpCase:
    operands = (Input((2, 0)), Values([1]))
    return OpCase("nothing", op, operands, {"outputType": 4}, output_shape=(2,), output_dtype="int64")


# Each with the values of its operand that is known only at run time: right ones first.
REVERSE = OpCase(
    "lengths", "REVERSE_SEQUENCE", (ROWS, Input((3,), 0, 4, "int32")),
    {"seqDim": 1, "batchDim": 0}, output_shape=(3, 4),
)  # fmt: skip
DILATE = OpCase("factors", "DILATE", (ROWS, Input((2,), 1, 2, "int32"), Values(0, "float32")), output_shape=(3, 4))
SCATTER = OpCase(
    "indices", "SCATTER_ND", (Input((2, 2), 0, 3, "int32"), Input((2,)), Values([3, 4])),
    output_dtype="float32", output_shape=(3, 4),
)  # fmt: skip
SIZED_SLICE = OpCase("size", "SLICE", (Input((8,)), Values([0]), Input((1,), 0, 2, "int32")), output_shape=(4,))
SLICE = OpCase("begin", "SLICE", (Input((8,)), Input((1,), 0, 2, "int32"), Values([4])), output_shape=(4,))
SPARSE = OpCase(
    "indices", "SPARSE_TO_DENSE", (Input((2, 2), 0, 3, "int32"), Values([3, 4]), Input((2,)), Values(0.0, "float32")),
    output_dtype="float32", output_shape=(3, 4),
)  # fmt: skip
WORDS = OpCase(
    "buckets", "EMBEDDING_LOOKUP_SPARSE",
    (Values([1, 0]), Input((2, 2), 0, 2, "int32"), Values([3, 4]), Values([1.0, 2.0], "float32"), Input((5, 2))),
    {"combiner": 1}, output_dtype="float32", output_shape=(3, 2),
)  # fmt: skip
TILE = OpCase("copies", "TILE", (Input((4,)), Input((1,), 1, 2, "int32")), output_shape=(4,))
PAD = OpCase("sizes", "PAD", (Input((6,)), Input((1, 2), 0, 2, "int32")), output_shape=(6,))
PAD_WITH_VALUE = OpCase("sizes", "PADV2", (*PAD.operands, Values(1.0, "float32")), output_shape=(6,))
GATHER = OpCase("indices", "GATHER_ND", (ROWS, Input((1, 2), 0, 2, "int32")), output_shape=(1,))
MIRROR = OpCase("sizes", "MIRROR_PAD", PAD.operands, output_shape=(6,))
TRANSPOSE = OpCase("order", "TRANSPOSE", (ROWS, Input((2,), 0, 1, "int32")), output_shape=(3, 4))
TO_BATCH = OpCase(
    "pads", "SPACE_TO_BATCH_ND", (Input((1, 4, 4, 1)), Values([-1, 1]), Input((2, 2), 0, 1, "int32")),
    output_shape=(1, 4, 4, 1),
)  # fmt: skip
TO_SPACE = OpCase(
    "crops", "BATCH_TO_SPACE_ND", (Input((1, 4, 4, 1)), Values([1, 1]), Input((2, 2), 0, 1, "int32")),
    output_shape=(1, 4, 4, 1),
)  # fmt: skip
UPSCALE = OpCase(
    "size", "TRANSPOSE_CONV", (Input((4,), 1, 2, "int32"), Input((1, 3, 3, 2)), Input((1, 4, 4, 2))),
    {"strideH": 1, "strideW": 1}, output_shape=(1, 4, 4, 1), output_dtype="float32",
)  # fmt: skip
LARGEST = 2**31 - 1
# With the values of the operand that only the run provides, if there is one.
WRONG: dict[str, tuple[OpCase, Array | None]] = {
    "an index beyond the dense shape": (SPARSE, np.array([[0, 0], [3, 0]], np.int32)),
    "a negative index of a sparse value": (SPARSE, np.array([[0, 0], [1, -1]], np.int32)),
    "a bucket beyond the last": (WORDS, np.array([[0, 0], [7, 0]], np.int32)),
    "a negative bucket": (WORDS, np.array([[-1, 0], [0, 0]], np.int32)),
    "copies whose number overflows": (TILE, _numbers(2**30 + 1)),
    "paddings that overflow": (PAD, np.array([[LARGEST, LARGEST]], np.int32)),
    "paddings with a value that overflow": (PAD_WITH_VALUE, np.array([[LARGEST, LARGEST]], np.int32)),
    "an index beyond its row": (GATHER, np.array([[0, 5]], np.int32)),
    "more mirrored numbers than there are": (MIRROR, np.array([[6, 0]], np.int32)),
    "a dimension that is there twice": (TRANSPOSE, _numbers(0, 0)),
    "a size divided by a negative block": (TO_BATCH, np.array([[-LARGEST - 1, -4], [0, 0]], np.int32)),
    "crops that overflow": (TO_SPACE, np.array([[LARGEST, LARGEST], [0, 0]], np.int32)),
    "a later length beyond the end": (REVERSE, _numbers(1, 2, 5)),
    "a negative length": (REVERSE, _numbers(1, -2, 3)),
    "a later factor of zero": (DILATE, _numbers(2, 0)),
    "a negative factor": (DILATE, _numbers(2, -3)),
    "a slice that begins before its input": (SLICE, _numbers(-1)),
    "a slice that ends behind its input": (SLICE, _numbers(5)),
    "a slice that overflows": (SLICE, _numbers(2**31 - 1)),
    "a slice that is shorter than the file says": (SIZED_SLICE, _numbers(3)),
    "a slice of nothing where the file says more": (SIZED_SLICE, _numbers(0)),
    "more rows than the input has": (UPSCALE, _numbers(1, 9, 4, 1)),
    "fewer columns than the input has": (UPSCALE, _numbers(1, 4, 3, 1)),
    "an index that overflows": (SCATTER, np.array([[0, 0], [0, 2**31 - 1]], np.int32)),
    "a negative index": (SCATTER, np.array([[0, 0], [0, -1]], np.int32)),
    "updates of nothing": (
        OpCase("nothing", "SCATTER_ND", (Values([[3], [0]]), Input((2, 5)), Values([0, 5])), output_shape=(0, 5)),
        None,
    ),
    "a mirrored pad of nothing": (
        OpCase("nothing", "MIRROR_PAD", (Input((0, 4)), Values([[1, 1]] * 2)), {"mode": 1}, output_shape=(2, 6)),
        None,
    ),
    "shapes that do not broadcast": (
        OpCase(
            "shapes", "BROADCAST_ARGS", (Input((2,), 2, 3, "int32"), Input((2,), 5, 6, "int32")), output_shape=(2,)
        ),
        None,
    ),
    "the greatest of no elements": (_extreme("ARG_MAX"), None),
    "the least of no elements": (_extreme("ARG_MIN"), None),
    "a depth beyond int32": (one_hot("depth", Input((), 4, 5, "int64")), np.array(2**32 + 4)),
    "paddings whose sum is small": (
        _to_batches(Values([1, 1]), Input((2, 2), 0, 1, "int32")),
        np.array([[LARGEST, LARGEST], [0, 0]], np.int32),
    ),
    "batches whose number is 0": (
        _to_batches(Input((2,), 1, 2, "int32"), Values([[0, 2**16 - 4]] * 2)),
        _numbers(2**16, 2**16),
    ),
}  # fmt: skip
RIGHT: dict[str, tuple[OpCase, Array | None]] = {
    "lengths": (REVERSE, _numbers(0, 4, 2)),
    "factors": (DILATE, _numbers(2, 3)),
    "indices": (SCATTER, np.eye(2, dtype=np.int32)),
    "the begin of a slice": (SLICE, _numbers(4)),
    "the size of a slice": (SIZED_SLICE, _numbers(4)),
    "sparse indices": (SPARSE, np.array([[0, 3], [2, 0]], np.int32)),
    "buckets": (WORDS, np.array([[0, 3], [2, 0]], np.int32)),
    "copies": (TILE, _numbers(3)),
    "paddings": (PAD, np.array([[1, 2]], np.int32)),
    "paddings with a value": (PAD_WITH_VALUE, np.array([[1, 2]], np.int32)),
    "an index of each dimension": (GATHER, np.array([[2, 3]], np.int32)),
    "an order from the end": (TRANSPOSE, _numbers(-1, 0)),
    "crops": (TO_SPACE, np.array([[1, 1], [0, 2]], np.int32)),
    "a size": (UPSCALE, _numbers(1, 4, 4, 1)),
    "sparse signatures": (projection("sparse", SPARSE_SIGNATURES), None),
    "dense signatures": (projection("dense", DENSE_SIGNATURES), None),
    "a depth of int32": (one_hot("int32", Values(4)), None),
    "a depth of int64": (one_hot("int64", Values(4, "int64")), None),
    "sums": (_segments("SUM"), None),
    "the smallest": (_segments("MIN"), None),
    "boxes": (detections("floats"), None),
    "more anchors than boxes": (detections("anchors", rows=4), None),
    "boxes of bytes": (detections("bytes", boxes="uint8", anchors="uint8"), None),
    "batches": (blocks("right", "SPACE_TO_BATCH_ND"), None),
    "space": (blocks("right", "BATCH_TO_SPACE_ND"), None),
}


def _inputs(case: OpCase, numbers: Array | None) -> list[Array]:
    """Return a case's inputs; `numbers` stand for those of their type and shape."""
    if numbers is None:
        return case.inputs()
    kind = numbers.dtype, numbers.shape
    return [numbers if (one.dtype, one.shape) == kind else one for one in case.inputs()]


@pytest.mark.parametrize("name", WRONG)
def test_wrong_numbers_are_an_error(harness: PageHarness, name: str) -> None:
    case, numbers = WRONG[name]
    model = harness.load(case.model(), CPU)
    with pytest.raises(ModelError) as caught:
        model.run(_inputs(case, numbers))
    assert caught.value.code == "INVOKE_FAILED", caught.value


@pytest.mark.parametrize("name", RIGHT)
def test_right_numbers_return_native_litert_s_output(harness: PageHarness, name: str) -> None:
    case, numbers = RIGHT[name]
    inputs = _inputs(case, numbers)
    expected = native_litert.outputs_of(case.model(), inputs)
    for found, array in zip(harness.load(case.model(), CPU).run(inputs), expected, strict=True):
        assert (found.dtype, found.shape) == (array.dtype, array.shape)
        np.testing.assert_allclose(found, array, rtol=1e-6)


def test_a_variable_that_is_smaller_than_what_is_read_is_an_error(harness: PageHarness) -> None:
    """XNNPACK's delegate copies it."""
    x = np.zeros(stateful.SHAPE, np.float32)
    (found,) = harness.load(stateful.counter(), CPU).run([x])
    np.testing.assert_allclose(found, np.sin(1), rtol=1e-6)
    with pytest.raises(ModelError) as caught:
        harness.load(stateful.counter(ones_shape=(2,)), CPU).run([x])
    assert caught.value.code == "INVOKE_FAILED", caught.value
    assert 'The variable "sum" was assigned as [2] and is read as [4]: assign as many' in str(caught.value)


@pytest.mark.parametrize("shape", [(6,), (2, 2), (1, 4)])
@pytest.mark.parametrize("webnn", [False, True])
def test_a_variable_of_another_shape_is_read_as_in_native_litert(
    harness: PageHarness, shape: tuple[int, ...], *, webnn: bool
) -> None:
    writer = ModelWriter()
    x, old, y = writer.tensor("x", shape), writer.tensor("old", (4,)), writer.tensor("y", (4,))
    handle = writer.tensor("handle", (1,), "resource")
    writer.node("VAR_HANDLE", [], [handle], stateful.VARIABLE)
    writer.node("ASSIGN_VARIABLE", [handle, x], [])
    writer.node("READ_VARIABLE", [handle], [old])
    writer.node("NEG", [old], [y])
    content = writer.finish([x], [y])
    values = np.arange(np.prod(shape), dtype=np.float32).reshape(shape)
    (expected,) = native_litert.outputs_of(content, [values], kernels="builtin")
    (found,) = harness.load(content, LoadOptions(webnn=webnn, webnn_options={"polyfill": "tflite"})).run([values])
    np.testing.assert_array_equal(found, expected)


def test_a_broadcast_to_nothing_has_no_elements(harness: PageHarness) -> None:
    operands = (Input((3, 1)), Values([0, 3, 4]))
    case = OpCase("nothing", "BROADCAST_TO", operands, output_shape=(0, 3, 4), version=2)
    (found,) = harness.load(case.model(), CPU).run(case.inputs())
    assert found.shape == (0, 3, 4)


def test_a_slice_of_a_negative_length_is_empty(harness: PageHarness) -> None:
    """With `offset`, the third operand has lengths; the kernel took -1 for the last position."""
    ranges = (Values([0, 1]), Values([-1, 2]), Values([1, 1]))
    case = OpCase("empty", "STRIDED_SLICE", (ROWS, *ranges), {"offset": True}, output_shape=(0, 2))
    (found,) = harness.load(case.model(), CPU).run(case.inputs())
    assert found.shape == (0, 2)


def test_the_quotient_that_does_not_fit_wraps_around(harness: PageHarness) -> None:
    """WebAssembly traps there, also where the quotient is computed while the model is loaded."""
    lowest = _numbers(-(2**31), 7)
    dividends = Input((2,), 0, 2, "int32")
    operands = (dividends, Values(-1))
    case = OpCase("lowest", "DIV", operands, output_shape=(2,), output_dtype="int32")
    (found,) = harness.load(case.model(), CPU).run([lowest])
    np.testing.assert_array_equal(found, [-(2**31), -7])
    constants = (Values([-(2**31), 7]), Values(-1))
    folded = OpCase("lowest", "DIV", constants, output_shape=(2,), output_dtype="int32", added_to_input=True)
    (found,) = harness.load(folded.model(), CPU).run(folded.inputs())
    assert found.shape == (2,)


def test_an_int32_divisor_of_zero_is_an_error_whatever_its_zero_point(harness: PageHarness) -> None:
    """The kernel ignores zero points: a check for these let WebAssembly trap."""
    writer = ModelWriter()
    x = writer.tensor("x", (2,), "int32")
    y = writer.tensor("y", (2,), "int32", Quantization((1.0,), (5,)))
    quotients = writer.tensor("quotients", (2,), "int32")
    writer.node("DIV", [x, y], [quotients])
    model = harness.load(writer.finish([x, y], [quotients]), CPU)
    (found,) = model.run([_numbers(7, 10), _numbers(2, 5)])
    np.testing.assert_array_equal(found, [3, 2])
    with pytest.raises(ModelError) as caught:
        model.run([_numbers(7, 10), _numbers(0, 1)])
    assert caught.value.code == "INVOKE_FAILED", caught.value


def test_a_variable_is_no_table(harness: PageHarness) -> None:
    """TFLite has both in one map, by numbers that the file may choose."""
    writer = ModelWriter()
    x, handle = writer.tensor("x", (4,), "int32"), writer.tensor("handle", (1,), "resource")
    count = writer.tensor("count", (1,), "int64")
    writer.node("VAR_HANDLE", [], [handle], {"sharedName": "it"})
    writer.node("ASSIGN_VARIABLE", [handle, x], [])
    writer.node("HASHTABLE_SIZE", [handle], [count])
    model = harness.load(writer.finish([x], [count]), CPU)
    with pytest.raises(ModelError) as caught:
        model.run([_numbers(1, 2, 3, 4)])
    assert caught.value.code == "INVOKE_FAILED", caught.value


def test_a_stride_that_overflows_selects_one_element(harness: PageHarness) -> None:
    operands = (Input((8,)), Values([1]), Values([8]), Input((1,), 1, 2, "int32"))
    case = OpCase("stride", "STRIDED_SLICE", operands, output_shape=(1,))
    x, _ = case.inputs()
    (found,) = harness.load(case.model(), CPU).run([x, _numbers(LARGEST)])
    np.testing.assert_array_equal(found, x[1:2])


def test_starts_are_clamped(harness: PageHarness) -> None:
    options = {"offsetDims": [1], "collapsedSliceDims": [0], "startIndexMap": [0], "indexVectorDim": 1}
    operands = (Input((4, 5)), Input((2, 1), 0, 3, "int32"))
    case = OpCase("starts", "STABLEHLO_GATHER", operands, options | {"sliceSizes": [1, 5]}, output_shape=(2, 5))
    x, _ = case.inputs()
    (found,) = harness.load(case.model(), CPU).run([x, np.array([[-1], [LARGEST]], np.int32)])
    np.testing.assert_array_equal(found, x[[0, 3]])


def test_updates_outside_of_the_operand_are_ignored(harness: PageHarness) -> None:
    model = harness.load(loops.scatter(), CPU)
    updates = np.full((6, 3), 9, np.float32)
    (beyond,) = model.run([np.full((6, 2), 7, np.int32), updates])
    (before,) = model.run([np.tile(_numbers(1, -1), (6, 1)), updates])
    np.testing.assert_array_equal(before, beyond)


def test_topk_orders_nans_behind_numbers(harness: PageHarness) -> None:
    x = np.random.default_rng(5).normal(size=200).astype(np.float32)
    x[::3] = np.nan
    case = OpCase(
        "nans", "TOPK_V2", (Input((200,)), Values(200)),
        output_shape=(200,), output_dtypes=("float32", "int32"),
    )  # fmt: skip
    values, indices = harness.load(case.model(), CPU).run([x])
    order = np.concatenate([np.flatnonzero(~np.isnan(x))[np.argsort(-x[~np.isnan(x)])], np.flatnonzero(np.isnan(x))])
    np.testing.assert_array_equal(indices, order)
    np.testing.assert_array_equal(values, x[order])


def test_a_channel_without_a_scale_is_an_error_of_the_run(harness: PageHarness) -> None:
    writer = ModelWriter()
    x, y = writer.tensor("x", (2, 3), "int8", Quantization((0.5, 0.25))), writer.tensor("y", (2, 3))
    writer.node("DEQUANTIZE", [x], [y])
    for tensor in (x, y):
        writer.open_dimensions(tensor, [0])
    model = harness.load(writer.finish([x], [y]), CPU)
    (found,) = model.run([np.full((2, 3), 4, np.int8)])
    np.testing.assert_array_equal(found, [[2] * 3, [1] * 3])
    model.resize([[500, 3]])
    with pytest.raises(ModelError) as caught:
        model.run([np.ones((500, 3), np.int8)])
    assert caught.value.code == "INVOKE_FAILED", caught.value


def test_boxes_for_which_there_is_no_memory_are_an_error(harness: PageHarness) -> None:
    writer = ModelWriter()
    inputs = [writer.tensor("boxes", (4, 4)), writer.tensor("scores", (4,)), writer.tensor("count", (), "int32")]
    limits = [writer.constant(name, np.array(0.5, np.float32)) for name in ("overlap", "score")]
    outputs = [writer.tensor("indices", (1,), "int32"), writer.tensor("valid", (), "int32")]
    writer.node("NON_MAX_SUPPRESSION_V4", [*inputs, *limits], outputs)
    model = harness.load(writer.finish(inputs, outputs), CPU)
    with pytest.raises(ModelError, match="A tensor would have 4294967276 bytes"):
        model.run([np.ones((4, 4), np.float32), np.ones(4, np.float32), np.array(2**30 - 5, np.int32)])
