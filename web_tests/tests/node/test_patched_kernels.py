"""Bugs of the pinned TFLite and XNNPACK that the build fixes (wasm/third_party/patches, runtime/xnnpack)."""

from collections.abc import Callable

import numpy as np
import pytest

from web_tests.drivers.harness import CPU, KERNELS, LoadOptions, ModelError, PageHarness
from web_tests.models.model_writer import NO_TENSOR, ModelWriter, Quantization
from web_tests.models.one_node import one_node
from web_tests.models.recipes import Array
from web_tests.op_cases import all_cases, case_id, cases_with_nan
from web_tests.op_cases.case import OpCase, Provided, Values
from web_tests.references import native_litert
from web_tests.tests.node.checks import assert_native_bits

TENTHS, HALVES = Quantization((0.1,), (3,)), Quantization((0.5,), (1,))
NOTHING = Provided(np.zeros((0, 3)))
POOL = {"strideH": 2, "strideW": 2, "filterHeight": 2, "filterWidth": 2}
# Nodes that the pinned TFLite rejects or computes wrong without a patch.
BUGS = (
    OpCase(
        "by_a_zero_that_means_another_number", "DIV",
        (Provided([1, 50, -7, 3], "int8", TENTHS), Provided([0, 4, 0, -3], "int8", TENTHS)),
        output_quantization=TENTHS,
    ),
    OpCase(
        "one_value_for_three_indices", "SPARSE_TO_DENSE",
        (Values([0, 2, 5]), Values([7]), Provided(2.0), Provided(-1.0)),
    ),
    OpCase("of_nothing", "STABLEHLO_ADD", (NOTHING, NOTHING)),
    OpCase("of_nothing", "MAX_POOL_2D", (Provided(np.zeros((0, 8, 8, 2))),), POOL),
    OpCase("of_nothing", "STRIDED_SLICE", (Provided([0.0, 1.0, 2.0, 3.0]), Values([2]), Values([2]), Values([1]))),
    OpCase("of_a_constant", "DEQUANTIZE", (Values([-3, 0, 7], "int8", HALVES),), output_dtype="float32"),
    OpCase(
        "over_no_axes", "REDUCE_PROD", (Provided([[-3, -2, -1], [0, 1, 2]], "int8", HALVES), Values([])),
        {"keepDims": True}, output_quantization=HALVES,
    ),
    OpCase(
        "by_int8_of_the_run", "BATCH_MATMUL",
        (
            Provided(np.linspace(-1, 1, 24).reshape(1, 3, 8)),
            Provided(np.arange(-64, 64, 4).reshape(1, 8, 4), "int8", Quantization((0.02,))),
        ),
    ),
)  # fmt: skip


def _product_of_another_type() -> tuple[bytes, list[Array]]:
    operand = ((2, 2), "int8", Quantization((0.5,)))
    result = ((2, 2), "uint8", Quantization((0.5,)))
    return one_node("BATCH_MATMUL", [operand, operand], result), [np.ones((2, 2), np.int8)] * 2


def _variable_of_unknown_size() -> tuple[bytes, list[Array]]:
    """TFLite allocates no memory for it."""
    writer = ModelWriter()
    x, handle, old = writer.tensor("x", (4,)), writer.tensor("handle", (1,), "resource"), writer.tensor("old", (4,))
    total, y = writer.variable("total", (4,)), writer.tensor("y", (4,))
    writer.node("VAR_HANDLE", [], [handle], {"sharedName": "unset"})
    writer.node("READ_VARIABLE", [handle], [old])
    writer.node("ADD", [old, x], [total], {"fusedActivationFunction": 4})
    writer.node("ASSIGN_VARIABLE", [handle, total], [])
    writer.node("SIN", [total], [y])
    return writer.finish([x], [y]), [np.ones(4, np.float32)]


@pytest.mark.parametrize("case", BUGS, ids=case_id)
def test_runs_as_native_litert_runs_it(harness: PageHarness, case: OpCase) -> None:
    assert_native_bits(harness, case.model(), case.inputs())


def test_not_equal_of_int16_writes_its_result(harness: PageHarness) -> None:
    """NOT_EQUAL of int16 without scales: native LiteRT's kernel writes nothing."""
    model = harness.load(one_node("NOT_EQUAL", [((17,), "int16")] * 2, ((17,), "bool")), CPU)
    x, y = np.arange(17, dtype=np.int16), np.full(17, 3, np.int16)
    np.testing.assert_array_equal(model.run([x, y])[0], x != y)


@pytest.mark.parametrize("dtype", ["int8", "int16"])
@pytest.mark.parametrize("op", ["ADD", "SUB"])
def test_sums_of_masks_at_the_lowest_float_do_not_abort(harness: PageHarness, op: str, dtype: str) -> None:
    """Whose quantization reaches the lowest float: native LiteRT's builtin kernels abort."""
    mask = ((3,), dtype, Quantization((1e36,), (0,)))
    model = harness.load(one_node(op, [mask, mask], mask), KERNELS)
    (found,) = model.run([np.array([1, -100, 7], dtype), np.array([2, 20, -7], dtype)])
    np.testing.assert_array_equal(found, [3, -80, 0] if op == "ADD" else [-1, -120, 14])


@pytest.mark.parametrize("webnn", [False, True])
@pytest.mark.parametrize("size", [(9, 9), (10, 11), (11, 8), (12, 7)])
def test_a_transposed_convolution_returns_the_size_that_the_file_says(
    harness: PageHarness, size: tuple[int, int], webnn: bool
) -> None:
    """VALID with smaller outputs than the full 11 x 11, as jax2tf writes SAME: native LiteRT returns the full size."""
    random = np.random.default_rng(3)
    filters, x = (
        random.normal(size=(3, 3, 3, 2)).astype(np.float32),
        random.normal(size=(1, 5, 5, 2)).astype(np.float32),
    )
    options = {"padding": 1, "strideW": 2, "strideH": 2}
    shape = (1, *size, 3)
    inputs = [(np.array(shape, np.int32),), (filters,), ((1, 5, 5, 2), "float32")]
    model = harness.load(one_node("TRANSPOSE_CONV", inputs, (shape, "float32"), options), LoadOptions(webnn=webnn))
    full = np.zeros((1, 12, 12, 3))
    for row, column in np.ndindex(5, 5):
        window = full[0, 2 * row : 2 * row + 3, 2 * column : 2 * column + 3]
        window += np.einsum("chwi,i->hwc", filters, x[0, row, column])
    (found,) = model.run([x])
    np.testing.assert_allclose(found, full[:, : size[0], : size[1]], atol=1e-5)


def hybrid_product(batch: tuple[int, ...]) -> bytes:
    """Of numbers by int8 provided at run time, which TFLite's own kernel computes; `batch` matrices of each."""
    inputs = [((*batch, 2, 5), "float32"), ((*batch, 5, 3), "int8", Quantization((0.01,)))]
    options = {"asymmetricQuantizeInputs": True}
    return one_node("BATCH_MATMUL", inputs, ((*batch, 2, 3), "float32"), options)


@pytest.mark.parametrize("batch", [(3, 4), (2, 2, 3)])
def test_each_batch_of_a_hybrid_product_has_its_own_scales(harness: PageHarness, batch: tuple[int, ...]) -> None:
    """Native LiteRT mixes up the scales of batches of several dimensions, and is right about those of one."""
    random = np.random.default_rng(2)
    data = random.uniform(-1, 1, (12, 2, 5)).astype(np.float32) ** 3
    weights = random.integers(-127, 128, (12, 5, 3)).astype(np.int8)
    (expected,) = native_litert.outputs_of(hybrid_product((12,)), [data, weights], kernels="builtin")
    inputs: list[Array] = [data.reshape(*batch, 2, 5), weights.reshape(*batch, 5, 3)]
    (found,) = harness.load(hybrid_product(batch), CPU).run(inputs)
    np.testing.assert_allclose(found.reshape(expected.shape), expected, rtol=1e-6, atol=1e-6)


def test_a_hybrid_product_sees_new_weights(harness: PageHarness) -> None:
    """Native LiteRT keeps the sums of the first run's weights."""
    random = np.random.default_rng(5)
    data = random.uniform(0, 1, (1, 2, 5)).astype(np.float32)
    first, second = (np.full((1, 5, 3), value, np.int8) for value in (-100, 50))
    loaded = harness.load(hybrid_product((1,)), CPU)
    loaded.run([data, first])
    (found,) = loaded.run([data, second])
    (expected,) = native_litert.outputs_of(hybrid_product((1,)), [data, second], kernels="builtin")
    np.testing.assert_allclose(found, expected, rtol=1e-6, atol=1e-6)


def wide_lstm(batch: int) -> bytes:
    """An LSTM of one cell, projected to eight outputs, between a node and the reader of that node's small result.

    TFLite's planner puts that result behind the LSTM's sums.
    """
    random, writer = np.random.default_rng(3), ModelWriter()

    def weights(*shapes: tuple[int, ...]) -> list[int]:
        values = [random.uniform(-1, 1, shape).astype(np.float32) for shape in shapes]
        return [writer.constant(f"w{random.integers(10**9)}", value) for value in values]

    sizes = {"x": 3, "reversed": 3, "y": 8, "again": 3}
    x, reversed_, y, again = (writer.tensor(name, (batch, size), "float32") for name, size in sizes.items())
    axis = writer.constant("axis", np.array([1], np.int32))
    gates = [*weights(*[(1, 3)] * 4), *weights(*[(1, 8)] * 4), *[NO_TENSOR] * 3, *weights(*[(1,)] * 4)]
    projection, states = weights((8, 1), (8,)), [writer.variable("h", (batch, 8)), writer.variable("c", (batch, 1))]
    options = {"fusedActivationFunction": 4}
    writer.node("REVERSE_V2", [x, axis], [reversed_], None)
    writer.node("LSTM", [x, *gates, *projection, *states, *[NO_TENSOR] * 4], [y], options, version=4)
    writer.node("REVERSE_V2", [reversed_, axis], [again], None)
    return writer.finish([x], [y, again])


def test_a_projection_may_have_more_outputs_than_cells(harness: PageHarness) -> None:
    """Native LiteRT writes behind its sums, and there is nothing behind those of a batch of 1."""
    data = np.random.default_rng(4).uniform(-1, 1, (8, 3)).astype(np.float32)
    one = wide_lstm(1)
    expected = np.concatenate([native_litert.outputs_of(one, [row], kernels="builtin")[0] for row in data[:, None]])
    found, again = harness.load(wide_lstm(8), CPU).run([data])
    np.testing.assert_allclose(found, expected, rtol=1e-5, atol=1e-6)
    np.testing.assert_array_equal(again, data)


@pytest.mark.parametrize("make", [_variable_of_unknown_size, _product_of_another_type])
def test_a_model_that_crashes_native_litert_is_an_error(
    harness: PageHarness, make: Callable[[], tuple[bytes, list[Array]]]
) -> None:
    content, inputs = make()
    with pytest.raises(ModelError) as caught:
        harness.load(content, CPU).run(inputs)
    assert caught.value.code in ("ALLOCATE_TENSORS_FAILED", "INVOKE_FAILED"), caught.value


def test_lengths_of_a_slice_may_be_an_input(harness: PageHarness) -> None:
    """Native LiteRT reads them while the model is loaded."""
    begin, strides = np.array([2], np.int32), np.array([1], np.int32)
    options = {"offset": True}
    inputs = [((8,), "float32"), (begin,), ((1,), "int32"), (strides,)]
    model = harness.load(one_node("STRIDED_SLICE", inputs, ((4,), "float32"), options), CPU)
    x = np.arange(8, dtype=np.float32)
    for length in (4, 3):
        (found,) = model.run([x, np.array([length], np.int32)])
        np.testing.assert_array_equal(found, x[2 : 2 + length])


LEFT_OVER = [
    case
    for case in all_cases()
    if case.name.startswith("left_over") and case.dtype == "float32" and case.op == "CONV_2D"
]


@pytest.mark.parametrize("case", LEFT_OVER, ids=case_id)
def test_windows_smaller_than_their_strides_compute_as_native_litert(harness: PageHarness, case: OpCase) -> None:
    (found,) = harness.load(case.model(), CPU).run(case.inputs())
    (expected,) = native_litert.outputs_of(case.model(), case.inputs(), kernels="builtin")
    np.testing.assert_allclose(found, expected, rtol=1e-5, atol=1e-5)


def _variable(writer: ModelWriter, shape: tuple[int, ...]) -> tuple[int, int]:
    """Add an input that is assigned to a variable, and return it and what is read of that."""
    handle, x, value = writer.tensor("v", (1,), "resource"), writer.tensor("x", shape), writer.tensor("value", shape)
    writer.node("VAR_HANDLE", [], [handle], {"sharedName": "v"})
    writer.node("ASSIGN_VARIABLE", [handle, x], [])
    writer.node("READ_VARIABLE", [handle], [value])
    return x, value


def test_the_square_of_a_variable_reads_both_operands(harness: PageHarness) -> None:
    """XNNPACK leaves out the copy of a variable, and replaced only one of the operands."""
    writer = ModelWriter()
    x, value = _variable(writer, (4,))
    y = writer.tensor("y", (4,))
    writer.node("MUL", [value, value], [y])
    data = np.array([1, -2, 3, 0.5], np.float32)
    (found,) = harness.load(writer.finish([x], [y]), CPU).run([data])
    np.testing.assert_array_equal(found, data * data)


@pytest.mark.parametrize("shape", [(4, 12), (2, 12)])
def test_a_product_next_to_a_variable_has_its_rows_after_a_resize(harness: PageHarness, shape: tuple[int, int]) -> None:
    """Nodes next to a variable remain on XNNPACK after a resize; there, each input row led to a result row."""
    writer = ModelWriter()
    x, value = _variable(writer, (1,))
    left, right = writer.tensor("left", (3, 12)), writer.tensor("right", (7, 12))
    rows, weights = writer.tensor("rows", (3, 12)), writer.tensor("weights", (7, 12))
    product, y = writer.tensor("product", (3, 7)), writer.tensor("y", (3, 7))
    for provided, negative in ((left, rows), (right, weights)):
        writer.node("NEG", [provided], [negative])
    writer.node("FULLY_CONNECTED", [rows, weights, NO_TENSOR], [product])
    writer.node("ADD", [product, value], [y])
    model = harness.load(writer.finish([x, left, right], [y]), CPU)
    inputs = [np.ones(size, np.float32) for size in ((1,), (3, 12), (7, 12))]
    np.testing.assert_array_equal(model.run(inputs)[0], np.full((3, 7), 13, np.float32))
    model.resize([[1], list(shape), [5, 6]])
    data = np.arange(np.prod(shape), dtype=np.float32).reshape(shape)
    (found,) = model.run([inputs[0], data, np.ones((5, 6), np.float32)])
    np.testing.assert_array_equal(found, np.repeat(1 + data.reshape(-1, 6).sum(1, keepdims=True), 5, axis=1))


@pytest.mark.parametrize("op", ["AVERAGE_POOL_2D", "CONV_2D", "MAX_POOL_2D"])
def test_a_window_without_a_position_next_to_a_variable_has_no_rows(harness: PageHarness, op: str) -> None:
    """Nodes next to a variable remain on XNNPACK after a resize; there, the window read behind the input."""
    writer = ModelWriter()
    x, value = _variable(writer, (4,))
    image, seen, y = (writer.tensor(name, (1, rows, 1, 4)) for name, rows in (("image", 8), ("seen", 2), ("y", 2)))
    weights = [np.ones((4, 5, 1, 4), np.float32), np.zeros(4, np.float32)] if op == "CONV_2D" else []
    inputs = [image, *(writer.constant(f"c{index}", values) for index, values in enumerate(weights))]
    writer.node(op, inputs, [seen], {"padding": 1, "strideH": 2, "strideW": 1} | WINDOWS[op])
    writer.node("ADD", [seen, value], [y])
    model = harness.load(writer.finish([x, image], [y]), CPU)
    model.resize([[4], [1, 4, 1, 4]])
    (found,) = model.run([np.ones(4, np.float32), np.ones((1, 4, 1, 4), np.float32)])
    assert found.shape == (1, 0, 1, 4)


WINDOWS: dict[str, dict[str, int]] = {
    "DEPTHWISE_CONV_2D": {"depthMultiplier": 1},
    "CONV_2D": {},
    "AVERAGE_POOL_2D": {"filterHeight": 5, "filterWidth": 1},
    "MAX_POOL_2D": {"filterHeight": 5, "filterWidth": 1},
}


@pytest.mark.parametrize("op", WINDOWS)
def test_an_input_that_becomes_smaller_than_the_window_is_an_error(harness: PageHarness, op: str) -> None:
    """XNNPACK computed a row of what lies behind the input; TFLite's kernels return no row."""
    writer = ModelWriter()
    x, y = writer.tensor("x", (1, 8, 1, 4)), writer.tensor("y", (1, 4, 1, 4))
    for tensor in (x, y):
        writer.open_dimensions(tensor, [1])
    count = 1 if op == "DEPTHWISE_CONV_2D" else 4
    weights = [np.ones((count, 5, 1, 4), np.float32), np.zeros(4, np.float32)] if "CONV" in op else []
    inputs = [x, *(writer.constant(f"c{index}", values) for index, values in enumerate(weights))]
    writer.node(op, inputs, [y], {"padding": 1, "strideH": 1, "strideW": 1} | WINDOWS[op])
    model = harness.load(writer.finish([x], [y]), CPU)
    model.resize([[1, 5, 1, 4]])
    (found,) = model.run([np.ones((1, 5, 1, 4), np.float32)])
    assert found.shape == (1, 1, 1, 4)
    with pytest.raises(ModelError):
        model.resize([[1, 3, 1, 4]])


@pytest.mark.parametrize("variant", ["simd", pytest.param("relaxed-simd", marks=pytest.mark.needs("variants"))])
@pytest.mark.parametrize("op", ["CONV_2D", "DEPTHWISE_CONV_2D", "FULLY_CONNECTED", "MAXIMUM", "MINIMUM", "SIGN"])
def test_nan_is_where_native_litert_has_it(harness: PageHarness, op: str, variant: str) -> None:
    """XNNPACK's kernels of WebAssembly for x86 return the lower limit of a product, and the first of two numbers."""
    options = LoadOptions(webnn=False, extra={"variant": variant})
    for case, inputs in cases_with_nan(op):
        expected = native_litert.outputs_of(case.model(), inputs)
        for one, other in zip(harness.load(case.model(), options).run(inputs), expected, strict=True):
            np.testing.assert_array_equal(np.isnan(one), np.isnan(other), case_id(case))
