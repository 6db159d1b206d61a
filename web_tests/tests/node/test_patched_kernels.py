"""Bugs of the pinned TFLite and XNNPACK that the build fixes (wasm/third_party/patches, runtime/xnnpack)."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from web_tests.drivers.harness import LoadOptions, ModelError, PageHarness
from web_tests.models.model_writer import NO_TENSOR, ModelWriter, Quantization, options_object
from web_tests.models.recipes import Array
from web_tests.op_cases import case_id, cases_with_nan
from web_tests.references import native_litert

CPU = LoadOptions(webnn=False)
INTEGERS = np.arange(-64, 64, 4, dtype=np.int8).reshape(1, 8, 4)


@dataclass(frozen=True)
class Fault:
    """A model that the fault rejects or computes wrong, and its inputs."""

    model: Callable[[], bytes]
    inputs: tuple[Array, ...] = ()


def one_node(op: str, inputs: list[tuple[Any, ...]], output: tuple[Any, ...], options: Any = None) -> bytes:
    """Return a model of one node; an input is (shape, dtype, quantization), or (array, quantization) for a constant."""
    writer = ModelWriter()
    tensors, given = [], []
    for index, described in enumerate(inputs):
        if isinstance(described[0], np.ndarray):
            tensors.append(writer.constant(f"c{index}", *described))
            continue
        shape, dtype, *quantization = described
        tensors.append(writer.tensor(f"x{index}", shape, dtype, *quantization))
        given.append(tensors[-1])
    shape, dtype, *quantization = output
    y = writer.tensor("y", shape, dtype, *quantization)
    writer.node(op, tensors, [y], options)
    return writer.finish(given, [y])


def division() -> bytes:
    """Of int8, by an integer 0 that represents another number."""
    scale = Quantization((0.1,), (3,))
    return one_node("DIV", [((4,), "int8", scale)] * 2, ((4,), "int8", scale), options_object("DivOptions", {}))


def scattered_value() -> bytes:
    """One value for three indices."""
    indices, shape = np.array([0, 2, 5], np.int32), np.array([7], np.int32)
    scalar = ((), "float32")
    inputs = [(indices,), (shape,), scalar, scalar]
    return one_node("SPARSE_TO_DENSE", inputs, ((7,), "float32"), options_object("SparseToDenseOptions", {}))


def stablehlo_of_nothing() -> bytes:
    return one_node("STABLEHLO_ADD", [((0, 3), "float32")] * 2, ((0, 3), "float32"))


def pool_of_nothing() -> bytes:
    options = {"strideH": 2, "strideW": 2, "filterHeight": 2, "filterWidth": 2}
    image = ((0, 8, 8, 2), "float32")
    return one_node("MAX_POOL_2D", [image], ((0, 4, 4, 2), "float32"), options_object("Pool2DOptions", options))


def empty_slice() -> bytes:
    begin, end, strides = (np.array([value], np.int32) for value in (2, 2, 1))
    options = options_object("StridedSliceOptions", {})
    return one_node("STRIDED_SLICE", [((4,), "float32"), (begin,), (end,), (strides,)], ((0,), "float32"), options)


def dequantized_constant() -> bytes:
    constant = (np.array([-3, 0, 7], np.int8), Quantization((0.5,), (1,)))
    return one_node("DEQUANTIZE", [constant], ((3,), "float32"), options_object("DequantizeOptions", {}))


def product_over_no_axes() -> bytes:
    scale = Quantization((0.5,), (1,))
    options = options_object("ReducerOptions", {"keepDims": True})
    data, axes = ((2, 3), "int8", scale), (np.array([], np.int32),)
    return one_node("REDUCE_PROD", [data, axes], ((2, 3), "int8", scale), options)


def hybrid_product(batch: tuple[int, ...]) -> bytes:
    """Of numbers by int8 given at run time, which TFLite's own kernel computes; `batch` matrices of each."""
    inputs = [((*batch, 2, 5), "float32"), ((*batch, 5, 3), "int8", Quantization((0.01,)))]
    options = options_object("BatchMatMulOptions", {"asymmetricQuantizeInputs": True})
    return one_node("BATCH_MATMUL", inputs, ((*batch, 2, 3), "float32"), options)


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
    options = options_object("LSTMOptions", {"fusedActivationFunction": 4})
    writer.node("REVERSE_V2", [x, axis], [reversed_], None)
    writer.node("LSTM", [x, *gates, *projection, *states, *[NO_TENSOR] * 4], [y], options, version=4)
    writer.node("REVERSE_V2", [reversed_, axis], [again], None)
    return writer.finish([x], [y, again])


def product_by_int8_input() -> bytes:
    """Of numbers by int8 that is known only while the model runs."""
    matrix = ((1, 8, 4), "int8", Quantization((0.02,)))
    return one_node(
        "BATCH_MATMUL",
        [((1, 3, 8), "float32"), matrix],
        ((1, 3, 4), "float32"),
        options_object("BatchMatMulOptions", {}),
    )


def variable_of_unknown_size() -> bytes:
    """TFLite gives it no memory."""
    writer = ModelWriter()
    x, handle, old = writer.tensor("x", (4,)), writer.tensor("handle", (1,), "resource"), writer.tensor("old", (4,))
    total, y = writer.variable("total", (4,)), writer.tensor("y", (4,))
    writer.node("VAR_HANDLE", [], [handle], options_object("VarHandleOptions", {"sharedName": "unset"}))
    writer.node("READ_VARIABLE", [handle], [old], options_object("ReadVariableOptions", {}))
    writer.node("ADD", [old, x], [total], options_object("AddOptions", {"fusedActivationFunction": 4}))
    writer.node("ASSIGN_VARIABLE", [handle, total], [], options_object("AssignVariableOptions", {}))
    writer.node("SIN", [total], [y])
    return writer.finish([x], [y])


def product_of_another_type() -> bytes:
    scale = Quantization((0.5,), (0,))
    operand = ((2, 2), "int8", scale)
    return one_node(
        "BATCH_MATMUL", [operand, operand], ((2, 2), "uint8", scale), options_object("BatchMatMulOptions", {})
    )


CRASHES = {
    "variable_of_unknown_size": Fault(variable_of_unknown_size, (np.ones(4, np.float32),)),
    "product_of_another_type": Fault(product_of_another_type, (np.ones((2, 2), np.int8),) * 2),
}

FAULTS = {
    "division": Fault(division, (np.array([1, 50, -7, 3], np.int8), np.array([0, 4, 0, -3], np.int8))),
    "scattered_value": Fault(scattered_value, (np.array(2, np.float32), np.array(-1, np.float32))),
    "stablehlo_of_nothing": Fault(stablehlo_of_nothing, (np.zeros((0, 3), np.float32),) * 2),
    "pool_of_nothing": Fault(pool_of_nothing, (np.zeros((0, 8, 8, 2), np.float32),)),
    "empty_slice": Fault(empty_slice, (np.arange(4, dtype=np.float32),)),
    "dequantized_constant": Fault(dequantized_constant),
    "product_over_no_axes": Fault(product_over_no_axes, (np.arange(-3, 3, dtype=np.int8).reshape(2, 3),)),
    "product_by_int8_input": Fault(
        product_by_int8_input, (np.linspace(-1, 1, 24, dtype=np.float32).reshape(1, 3, 8), INTEGERS)
    ),
}


@pytest.mark.parametrize("name", FAULTS)
def test_runs_as_native_litert_runs_it(harness: PageHarness, name: str) -> None:
    content, inputs = FAULTS[name].model(), list(FAULTS[name].inputs)
    loaded = harness.load(content, CPU)
    (found,), (expected,) = loaded.run(inputs), native_litert.outputs_of(content, inputs, kernels="plain")
    assert (found.dtype, found.shape) == (expected.dtype, expected.shape)
    np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize("dtype", ["int8", "int16"])
@pytest.mark.parametrize("op", ["ADD", "SUB"])
def test_sums_of_masks(harness: PageHarness, op: str, dtype: str) -> None:
    """Whose quantization reaches the lowest float: native LiteRT's plain kernels abort."""
    mask = ((3,), dtype, Quantization((1e36,), (0,)))
    options = LoadOptions(webnn=False, extra={"enableXnnpackDelegate": False})
    model = harness.load(one_node(op, [mask, mask], mask, options_object(f"{op.title()}Options", {})), options)
    (found,) = model.run([np.array([1, -100, 7], dtype), np.array([2, 20, -7], dtype)])
    np.testing.assert_array_equal(found, [3, -80, 0] if op == "ADD" else [-1, -120, 14])


@pytest.mark.parametrize("webnn", [False, True])
@pytest.mark.parametrize("size", [(9, 9), (10, 11), (11, 8), (12, 7)])
def test_a_transposed_convolution_with_another_end(harness: PageHarness, size: tuple[int, int], webnn: bool) -> None:
    """VALID with smaller outputs than the full 11 x 11, as jax2tf writes SAME: native LiteRT gives the full size."""
    random = np.random.default_rng(3)
    filters, x = (
        random.normal(size=(3, 3, 3, 2)).astype(np.float32),
        random.normal(size=(1, 5, 5, 2)).astype(np.float32),
    )
    options = options_object("TransposeConvOptions", {"padding": 1, "strideW": 2, "strideH": 2})
    shape = (1, *size, 3)
    inputs = [(np.array(shape, np.int32),), (filters,), ((1, 5, 5, 2), "float32")]
    model = harness.load(one_node("TRANSPOSE_CONV", inputs, (shape, "float32"), options), LoadOptions(webnn=webnn))
    full = np.zeros((1, 12, 12, 3))
    for row, column in np.ndindex(5, 5):
        window = full[0, 2 * row : 2 * row + 3, 2 * column : 2 * column + 3]
        window += np.einsum("chwi,i->hwc", filters, x[0, row, column])
    (found,) = model.run([x])
    np.testing.assert_allclose(found, full[:, : size[0], : size[1]], atol=1e-5)


@pytest.mark.parametrize("batch", [(3, 4), (2, 2, 3)])
def test_each_batch_of_a_hybrid_product_has_its_own_scales(harness: PageHarness, batch: tuple[int, ...]) -> None:
    """Native LiteRT mixes up the scales of batches of several dimensions, and is right about those of one."""
    random = np.random.default_rng(2)
    data = random.uniform(-1, 1, (12, 2, 5)).astype(np.float32) ** 3
    weights = random.integers(-127, 128, (12, 5, 3)).astype(np.int8)
    (expected,) = native_litert.outputs_of(hybrid_product((12,)), [data, weights], kernels="plain")
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
    (expected,) = native_litert.outputs_of(hybrid_product((1,)), [data, second], kernels="plain")
    np.testing.assert_allclose(found, expected, rtol=1e-6, atol=1e-6)


def test_a_projection_may_have_more_outputs_than_cells(harness: PageHarness) -> None:
    """Native LiteRT writes behind its sums, and there is nothing behind those of a batch of 1."""
    data = np.random.default_rng(4).uniform(-1, 1, (8, 3)).astype(np.float32)
    one = wide_lstm(1)
    expected = np.concatenate([native_litert.outputs_of(one, [row], kernels="plain")[0] for row in data[:, None]])
    found, again = harness.load(wide_lstm(8), CPU).run([data])
    np.testing.assert_allclose(found, expected, rtol=1e-5, atol=1e-6)
    np.testing.assert_array_equal(again, data)


@pytest.mark.parametrize("name", CRASHES)
def test_is_an_error_where_native_litert_crashes(harness: PageHarness, name: str) -> None:
    with pytest.raises(ModelError) as caught:
        harness.load(CRASHES[name].model(), CPU).run(list(CRASHES[name].inputs))
    assert caught.value.code in ("ALLOCATE_TENSORS_FAILED", "INVOKE_FAILED"), caught.value


def test_lengths_of_a_slice_that_only_an_input_gives(harness: PageHarness) -> None:
    """Native LiteRT reads them while the model is loaded."""
    begin, strides = np.array([2], np.int32), np.array([1], np.int32)
    options = options_object("StridedSliceOptions", {"offset": True})
    inputs = [((8,), "float32"), (begin,), ((1,), "int32"), (strides,)]
    model = harness.load(one_node("STRIDED_SLICE", inputs, ((4,), "float32"), options), CPU)
    x = np.arange(8, dtype=np.float32)
    for length in (4, 3):
        (found,) = model.run([x, np.array([length], np.int32)])
        np.testing.assert_array_equal(found, x[2 : 2 + length])


WINDOWS: dict[str, tuple[str, dict[str, int]]] = {
    "DEPTHWISE_CONV_2D": ("DepthwiseConv2DOptions", {"depthMultiplier": 1}),
    "CONV_2D": ("Conv2DOptions", {}),
    "AVERAGE_POOL_2D": ("Pool2DOptions", {"filterHeight": 5, "filterWidth": 1}),
    "MAX_POOL_2D": ("Pool2DOptions", {"filterHeight": 5, "filterWidth": 1}),
}


@pytest.mark.parametrize("op", WINDOWS)
def test_an_input_that_becomes_smaller_than_the_window(harness: PageHarness, op: str) -> None:
    """XNNPACK computed a row of what lies behind the input; TFLite's own kernels give no row."""
    writer = ModelWriter()
    x, y = writer.tensor("x", (1, 8, 1, 4)), writer.tensor("y", (1, 4, 1, 4))
    for tensor in (x, y):
        writer.open_dimensions(tensor, [1])
    count = 1 if op == "DEPTHWISE_CONV_2D" else 4
    weights = [np.ones((count, 5, 1, 4), np.float32), np.zeros(4, np.float32)] if "CONV" in op else []
    inputs = [x, *(writer.constant(f"c{index}", values) for index, values in enumerate(weights))]
    options_class, options = WINDOWS[op]
    writer.node(op, inputs, [y], options_object(options_class, {"padding": 1, "strideH": 1, "strideW": 1, **options}))
    model = harness.load(writer.finish([x], [y]), CPU)
    model.resize([[1, 5, 1, 4]])
    (found,) = model.run([np.ones((1, 5, 1, 4), np.float32)])
    assert found.shape == (1, 1, 1, 4)
    with pytest.raises(ModelError):
        model.resize([[1, 3, 1, 4]])


@pytest.mark.parametrize("variant", ["simd", pytest.param("relaxed-simd", marks=pytest.mark.needs("variants"))])
@pytest.mark.parametrize("op", ["CONV_2D", "DEPTHWISE_CONV_2D", "FULLY_CONNECTED", "MAXIMUM", "MINIMUM", "SIGN"])
def test_nan_is_where_native_litert_has_it(harness: PageHarness, op: str, variant: str) -> None:
    """XNNPACK's kernels of WebAssembly for x86 give the lower limit of a product, and the first of two numbers."""
    options = LoadOptions(webnn=False, extra={"variant": variant})
    for case, inputs in cases_with_nan(op):
        expected = native_litert.outputs_of(case.model(), inputs)
        for one, other in zip(harness.load(case.model(), options).run(inputs), expected, strict=True):
            np.testing.assert_array_equal(np.isnan(one), np.isnan(other), case_id(case))
