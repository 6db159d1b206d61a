"""Activations."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from web_tests.models.recipes import Array
from web_tests.polyfill_cases.case import (
    APPROXIMATE,
    EXACT,
    ROUNDED,
    Case,
    Constant,
    Input,
    Tolerance,
    case,
    float32,
    uniform,
)

_VALUES = float32([[-30, -3.2, -1.0, -0.4, -1e-3], [0, 1e-3, 0.7, 2.9, 30]])
_erf = np.vectorize(math.erf, otypes=[np.float64])


def _clip(low: float, high: float) -> Callable[[Array], Array]:
    return lambda x: np.clip(x, low, high)


def _elu(alpha: float) -> Callable[[Array], Array]:
    return lambda x: np.where(x > 0, x, alpha * np.expm1(np.minimum(x, 0)))


_ROWS: tuple[tuple[str, str, dict[str, Any], Callable[[Array], Array], Tolerance], ...] = (
    ("clamp", "relu6", {"minValue": 0, "maxValue": 6}, _clip(0, 6), EXACT),
    ("clamp", "relu1", {"minValue": -1, "maxValue": 1}, _clip(-1, 1), EXACT),
    ("clamp", "unit", {"minValue": 0, "maxValue": 1}, _clip(0, 1), EXACT),
    ("clamp", "from", {"minValue": 0}, _clip(0, np.inf), EXACT),
    ("clamp", "to", {"maxValue": 2}, _clip(-np.inf, 2), EXACT),
    ("clamp", "range", {"minValue": -2.5, "maxValue": 0.5}, _clip(-2.5, 0.5), EXACT),
    ("clamp", "nothing", {}, np.copy, EXACT),
    ("elu", "default", {}, _elu(1), APPROXIMATE),
    ("elu", "alpha", {"alpha": 0.3}, _elu(0.3), APPROXIMATE),
    ("gelu", "exact", {}, lambda x: x * 0.5 * (1 + _erf(x / np.sqrt(2))), APPROXIMATE),
    ("hardSigmoid", "default", {}, lambda x: np.clip(0.2 * x + 0.5, 0, 1), ROUNDED),
    ("hardSigmoid", "other", {"alpha": 0.5, "beta": -0.2}, lambda x: np.clip(0.5 * x - 0.2, 0, 1), ROUNDED),
    ("hardSwish", "default", {}, lambda x: x * np.clip(x + 3, 0, 6) / 6, Tolerance(4, 0.05)),
    ("leakyRelu", "default", {}, lambda x: np.where(x >= 0, x, 0.01 * x), ROUNDED),
    ("leakyRelu", "alpha", {"alpha": 0.4}, lambda x: np.where(x >= 0, x, 0.4 * x), ROUNDED),
    ("linear", "default", {}, np.copy, EXACT),
    ("linear", "other", {"alpha": 0.7, "beta": 2}, lambda x: 0.7 * x + 2, Tolerance(2, 1)),
    ("relu", "default", {}, lambda x: np.maximum(x, 0), EXACT),
    ("sigmoid", "default", {}, lambda x: 1 / (1 + np.exp(-x)), APPROXIMATE),
    ("softplus", "default", {}, lambda x: np.log1p(np.exp(x)), APPROXIMATE),
    ("softsign", "default", {}, lambda x: x / (1 + np.abs(x)), Tolerance(3)),
    ("tanh", "default", {}, np.tanh, APPROXIMATE),
)


def _float_cases() -> list[Case]:
    cases = []
    for op, name, options, function, tolerance in _ROWS:
        expected = function(_VALUES.astype(np.float64)).astype(np.float32)
        cases.append(case(name, op, [Input(_VALUES)], expected, tolerance, **options))
    half = _VALUES.astype(np.float16)
    for op, name, options, function, tolerance in _ROWS:
        expected = function(half.astype(np.float64)).astype(np.float16)
        loose = Tolerance(ulps=1, floor=1) if tolerance.ulps else EXACT
        cases.append(case(f"{name}_float16", op, [Input(half)], expected, loose, **options))
    return cases


def _small_results() -> list[Case]:
    values = float32([-80, -30, -17, -16, -9.5, -4])
    expected = np.log1p(np.exp(values.astype(np.float64))).astype(np.float32)
    return [case("small", "softplus", [Input(values)], expected, Tolerance(18))]


def _integer_cases() -> list[Case]:
    cases = []
    for dtype in ("int32", "int64", "int8"):
        values = np.array([-100, -1, 0, 1, 100], dtype=dtype)
        cases.append(case(dtype, "relu", [Input(values)], np.maximum(values, 0)))
        slope = np.array(3, dtype=dtype)
        with np.errstate(over="ignore"):
            expected = np.where(values < 0, values * slope, values)
        cases.append(case(dtype, "prelu", [Input(values), Input(slope)], expected))
    for dtype in ("int32", "uint32", "int64", "uint64", "int8", "uint8"):
        info = np.iinfo(dtype)
        values = np.array([info.min, 1, 50, info.max // 2 + 1, info.max], dtype=dtype)
        expected = np.clip(values, 2, 100)
        cases.append(case(dtype, "clamp", [Input(values)], expected, minValue=2, maxValue=100))
        cases.append(case(f"{dtype}_from", "clamp", [Input(values)], np.maximum(values, 2), minValue=2))
        # Fractions are truncated.
        expected = np.clip(values, 7, 60)
        cases.append(case(f"{dtype}_fractions", "clamp", [Input(values)], expected, minValue=7.9, maxValue=60.5))
    return cases


def _prelu() -> list[Case]:
    cases = []
    for shape, slope_shape in (
        ((2, 3), (3,)),
        ((2, 3, 4, 5), (3, 1, 5)),
        ((2, 2, 2, 2, 3), (2, 1, 3)),
        ((), ()),
        ((3,), (2, 3)),
    ):
        x, slope = uniform(shape), uniform(slope_shape, seed=3)
        expected = np.where(x < 0, x * slope, x)
        for operand in (Constant, Input):
            name = f"{shape}_{slope_shape}_{operand.__name__.lower()}"
            cases.append(case(name, "prelu", [Input(x), operand(slope)], expected, ROUNDED))
    return cases


CASES = _float_cases() + _small_results() + _integer_cases() + _prelu()
