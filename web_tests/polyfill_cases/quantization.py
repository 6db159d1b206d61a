"""quantizeLinear and dequantizeLinear alone."""

import itertools
from typing import Any

import numpy as np

from web_tests.models.recipes import Array
from web_tests.polyfill_cases.case import Case, Constant, Input, Tolerance, case, float32, int8, int32, uniform

# Shapes of the parameters for an input of [2, 4, 6]: one number, along an axis, in blocks, one per element; and
# broadcast, with fewer axes.
_PARAMETERS = ((1, 1, 1), (1, 4, 1), (1, 1, 6), (2, 2, 3), (2, 4, 6), (), (6,), (2, 3))
_SHAPE = (2, 4, 6)


def _spread(parameters: Array) -> Array:
    parameters = parameters.reshape((1,) * (len(_SHAPE) - parameters.ndim) + parameters.shape)
    for axis, size in enumerate(_SHAPE):
        parameters = np.repeat(parameters, size // parameters.shape[axis], axis)
    return parameters


def _cases() -> list[Case]:
    cases = []
    for dtype, shape, operand in itertools.product(("int8", "uint8", "int32"), _PARAMETERS, (Constant, Input)):
        info = np.iinfo(dtype if dtype != "int32" else "int8")
        scale = uniform(shape, 0.1, 0.5)
        zero_point = uniform(shape, info.min // 4, info.max // 4, dtype)
        name = f"{dtype}_{shape}_{operand.__name__.lower()}"
        provided: list[Any] = [operand(scale), operand(zero_point)]
        values = uniform(_SHAPE, info.min, info.max, dtype)
        wide_scale, wide_zero = _spread(scale).astype(np.float64), _spread(zero_point).astype(np.float64)
        real = ((values - wide_zero) * wide_scale).astype(np.float32)
        cases.append(case(name, "dequantizeLinear", [Input(values), *provided], real, Tolerance(1)))
        # A quarter from each integer: no ties of rounding.
        integers = uniform(_SHAPE, info.min - 20, info.max + 20, "int32")
        floats = ((integers - wide_zero + 0.25) * wide_scale).astype(np.float32)
        limits = np.iinfo(dtype)
        expected = np.clip(integers, limits.min, limits.max).astype(dtype)
        cases.append(case(name, "quantizeLinear", [Input(floats), *provided], expected))
    wide = [Constant(float32([[0.5]])), Constant(int32([[0]]))]
    cases.append(case("wide", "dequantizeLinear", [Input(int32([[-70000, 3]])), *wide], float32([[-35000, 1.5]])))
    halves = float32([[-0.25, 0.25, 0.75, 1.25, 100, -100]])
    one = [Constant(float32([[0.5]])), Constant(int8([[1]]))]
    cases.append(case("ties", "quantizeLinear", [Input(halves), *one], int8([[1, 1, 3, 3, 127, -128]])))
    scalar = [Constant(float32(0.5)), Constant(int8(3))]
    cases.append(case("scalar", "dequantizeLinear", [Input(int8(7)), *scalar], float32(2)))
    return cases


CASES = _cases()
