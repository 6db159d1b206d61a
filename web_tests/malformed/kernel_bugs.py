"""Models of the bugs that the build fixes in the pinned TFLite (wasm/third_party/patches)."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from web_tests.models.model_writer import NO_TENSOR, ModelWriter, Quantization
from web_tests.models.one_node import one_node
from web_tests.models.recipes import Array

INTEGERS = np.arange(-64, 64, 4, dtype=np.int8).reshape(1, 8, 4)


@dataclass(frozen=True)
class Bug:
    """A model that the bug rejects or computes wrong, and its inputs."""

    model: Callable[[], bytes]
    inputs: tuple[Array, ...] = ()


def division() -> bytes:
    """Of int8, by an integer 0 that represents another number."""
    scale = Quantization((0.1,), (3,))
    return one_node("DIV", [((4,), "int8", scale)] * 2, ((4,), "int8", scale))


def scattered_value() -> bytes:
    """One value for three indices."""
    indices, shape = np.array([0, 2, 5], np.int32), np.array([7], np.int32)
    scalar = ((), "float32")
    inputs = [(indices,), (shape,), scalar, scalar]
    return one_node("SPARSE_TO_DENSE", inputs, ((7,), "float32"))


def stablehlo_of_nothing() -> bytes:
    return one_node("STABLEHLO_ADD", [((0, 3), "float32")] * 2, ((0, 3), "float32"))


def pool_of_nothing() -> bytes:
    options = {"strideH": 2, "strideW": 2, "filterHeight": 2, "filterWidth": 2}
    image = ((0, 8, 8, 2), "float32")
    return one_node("MAX_POOL_2D", [image], ((0, 4, 4, 2), "float32"), options)


def empty_slice() -> bytes:
    begin, end, strides = (np.array([value], np.int32) for value in (2, 2, 1))
    return one_node("STRIDED_SLICE", [((4,), "float32"), (begin,), (end,), (strides,)], ((0,), "float32"))


def dequantized_constant() -> bytes:
    constant = (np.array([-3, 0, 7], np.int8), Quantization((0.5,), (1,)))
    return one_node("DEQUANTIZE", [constant], ((3,), "float32"))


def product_over_no_axes() -> bytes:
    scale = Quantization((0.5,), (1,))
    options = {"keepDims": True}
    data, axes = ((2, 3), "int8", scale), (np.array([], np.int32),)
    return one_node("REDUCE_PROD", [data, axes], ((2, 3), "int8", scale), options)


def hybrid_product(batch: tuple[int, ...]) -> bytes:
    """Of numbers by int8 provided at run time, which TFLite's own kernel computes; `batch` matrices of each."""
    inputs = [((*batch, 2, 5), "float32"), ((*batch, 5, 3), "int8", Quantization((0.01,)))]
    options = {"asymmetricQuantizeInputs": True}
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
    options = {"fusedActivationFunction": 4}
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
    )


def variable_of_unknown_size() -> bytes:
    """TFLite allocates no memory for it."""
    writer = ModelWriter()
    x, handle, old = writer.tensor("x", (4,)), writer.tensor("handle", (1,), "resource"), writer.tensor("old", (4,))
    total, y = writer.variable("total", (4,)), writer.tensor("y", (4,))
    writer.node("VAR_HANDLE", [], [handle], {"sharedName": "unset"})
    writer.node("READ_VARIABLE", [handle], [old])
    writer.node("ADD", [old, x], [total], {"fusedActivationFunction": 4})
    writer.node("ASSIGN_VARIABLE", [handle, total], [])
    writer.node("SIN", [total], [y])
    return writer.finish([x], [y])


def product_of_another_type() -> bytes:
    scale = Quantization((0.5,), (0,))
    operand = ((2, 2), "int8", scale)
    return one_node("BATCH_MATMUL", [operand, operand], ((2, 2), "uint8", scale))


CRASHES = {
    "variable_of_unknown_size": Bug(variable_of_unknown_size, (np.ones(4, np.float32),)),
    "product_of_another_type": Bug(product_of_another_type, (np.ones((2, 2), np.int8),) * 2),
}

BUGS = {
    "division": Bug(division, (np.array([1, 50, -7, 3], np.int8), np.array([0, 4, 0, -3], np.int8))),
    "scattered_value": Bug(scattered_value, (np.array(2, np.float32), np.array(-1, np.float32))),
    "stablehlo_of_nothing": Bug(stablehlo_of_nothing, (np.zeros((0, 3), np.float32),) * 2),
    "pool_of_nothing": Bug(pool_of_nothing, (np.zeros((0, 8, 8, 2), np.float32),)),
    "empty_slice": Bug(empty_slice, (np.arange(4, dtype=np.float32),)),
    "dequantized_constant": Bug(dequantized_constant),
    "product_over_no_axes": Bug(product_over_no_axes, (np.arange(-3, 3, dtype=np.int8).reshape(2, 3),)),
    "product_by_int8_input": Bug(
        product_by_int8_input, (np.linspace(-1, 1, 24, dtype=np.float32).reshape(1, 3, 8), INTEGERS)
    ),
}
