"""Faults of the pinned TFLite and XNNPACK that the build mends (wasm/cmake/mend.cmake, runner/xnnpack_denials.h)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from web_tests.drivers.harness import LoadOptions, PageHarness
from web_tests.models.model_writer import ModelWriter, Quantization, options_object
from web_tests.models.recipes import Array
from web_tests.references import native_litert

CPU = LoadOptions(webnn=False)
INTEGERS = np.arange(-64, 64, 4, dtype=np.int8).reshape(1, 8, 4)


@dataclass(frozen=True)
class Fault:
    """A model that the fault refuses, or computes wrong, and what it is run on."""

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
    """Of int8, by an integer 0 that stands for a number."""
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


def hybrid_product() -> bytes:
    """Of numbers by int8 that is known only while the model runs."""
    matrix = ((1, 8, 4), "int8", Quantization((0.02,)))
    return one_node(
        "BATCH_MATMUL", [((1, 3, 8), "float32"), matrix], ((1, 3, 4), "float32"), options_object("BatchMatMulOptions", {})
    )


FAULTS = {
    "division": Fault(division, (np.array([1, 50, -7, 3], np.int8), np.array([0, 4, 0, -3], np.int8))),
    "scattered_value": Fault(scattered_value, (np.array(2, np.float32), np.array(-1, np.float32))),
    "stablehlo_of_nothing": Fault(stablehlo_of_nothing, (np.zeros((0, 3), np.float32),) * 2),
    "pool_of_nothing": Fault(pool_of_nothing, (np.zeros((0, 8, 8, 2), np.float32),)),
    "empty_slice": Fault(empty_slice, (np.arange(4, dtype=np.float32),)),
    "dequantized_constant": Fault(dequantized_constant),
    "hybrid_product": Fault(hybrid_product, (np.linspace(-1, 1, 24, dtype=np.float32).reshape(1, 3, 8), INTEGERS)),
}


@pytest.mark.parametrize("name", FAULTS)
def test_runs_as_native_litert_runs_it(harness: PageHarness, name: str) -> None:
    content, inputs = FAULTS[name].model(), list(FAULTS[name].inputs)
    loaded = harness.load(content, CPU)
    (found,), (expected,) = loaded.run(inputs), native_litert.outputs_of(content, inputs, plain_kernels=True)
    assert (found.dtype, found.shape) == (expected.dtype, expected.shape)
    np.testing.assert_array_equal(found, expected)
