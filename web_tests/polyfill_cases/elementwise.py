"""Elementwise operators of one operand, and cast."""

import itertools
import math
from collections.abc import Callable

import numpy as np

from web_tests.models.recipes import Array
from web_tests.polyfill_cases.case import APPROXIMATE, EXACT, ROUNDED, Case, Input, Tolerance, case, float32, uniform

_erf = np.vectorize(math.erf, otypes=[np.float64])

# Function and tolerance of each; the values are those of _VALUES, or positive ones.
_OPS: dict[str, tuple[Callable[[Array], Array], Tolerance]] = {
    "abs": (np.abs, EXACT),
    "ceil": (np.ceil, EXACT),
    "cos": (np.cos, APPROXIMATE),
    "erf": (_erf, APPROXIMATE),
    "exp": (np.exp, APPROXIMATE),
    "floor": (np.floor, EXACT),
    "identity": (np.copy, EXACT),
    "neg": (np.negative, EXACT),
    "roundEven": (np.round, EXACT),
    "sin": (np.sin, APPROXIMATE),
    "sign": (np.sign, EXACT),
    "tan": (np.tan, APPROXIMATE),
}
_OPS_OF_POSITIVE: dict[str, tuple[Callable[[Array], Array], Tolerance]] = {
    "log": (np.log, APPROXIMATE),
    "reciprocal": (np.reciprocal, ROUNDED),
    "sqrt": (np.sqrt, ROUNDED),
}
_VALUES = float32([[-3.5, -2.5, -1.5, -1, -0.5, -0.25, 0], [0.5, 1.5, 2.5, 0.1, -1e-4, 3.7, 1e-6]])
_POSITIVE = float32([[0.125, 0.5, 1, 2, 3, 10, 1e-4], [3.5, 2.5, 1.5, 0.1, 3.7, 100, 1e-3]])


def _float_cases() -> list[Case]:
    cases = []
    for op, (function, tolerance) in (_OPS | _OPS_OF_POSITIVE).items():
        values = _VALUES if op in _OPS else _POSITIVE
        expected = function(values.astype(np.float64)).astype(np.float32)
        cases.append(case("float32", op, [Input(values)], expected, tolerance))
        scalar = values[1, 1]
        result = function(scalar.astype(np.float64)).astype(np.float32)
        cases.append(case("scalar", op, [Input(np.asarray(scalar))], np.asarray(result), tolerance))
        half = values.astype(np.float16)
        rounded = function(half.astype(np.float64)).astype(np.float16)
        cases.append(case("float16", op, [Input(half)], rounded, Tolerance(ulps=1 if tolerance.ulps else 0)))
        rank8 = uniform((1, 2, 1, 2, 1, 2, 1, 2), 0.1, 2)
        expected = function(rank8.astype(np.float64)).astype(np.float32)
        cases.append(case("rank8", op, [Input(rank8)], expected, tolerance))
    return cases


def _integer_cases() -> list[Case]:
    cases = []
    for op, dtype in itertools.product(("abs", "neg", "sign"), ("int32", "int64", "int8")):
        values = np.array([[-7, 0, 5], [100, -100, np.iinfo(dtype).max]], dtype=dtype)
        cases.append(case(dtype, op, [Input(values)], _OPS[op][0](values)))
    for dtype in ("int32", "uint32", "int64", "uint64", "int8", "uint8"):
        values = np.array([0, 1, np.iinfo(dtype).max, np.iinfo(dtype).min], dtype=dtype)
        cases.append(case(dtype, "identity", [Input(values)], values))
    return cases


_CASTABLE = {
    "float32": [-2.7, -1, 0, 1.5, 100.9],
    "float16": [-2.75, -1, 0, 1.5, 100],
    "int32": [-300, -1, 0, 1, 70000],
    "uint32": [0, 1, 300, 2**31, 2**32 - 1],
    "int64": [-(2**40), -1, 0, 1, 2**40],
    "uint64": [0, 1, 2**40, 2**63, 2**64 - 1],
    "int8": [-128, -1, 0, 1, 127],
    "uint8": [0, 1, 127, 128, 255],
}


def _casts() -> list[Case]:
    cases = []
    for source, target in itertools.product(_CASTABLE, _CASTABLE):
        values = np.array(_CASTABLE[source], dtype=source)
        if source.startswith("float") and target.startswith("uint"):
            values = np.abs(values)  # negative ones are undefined
        with np.errstate(over="ignore"):
            expected = values.astype(target)
        cases.append(case(f"{source}_{target}", "cast", [Input(values), target], expected))
    large = float32([2**62, 2**63, 1.5 * 2**63])
    cases.append(case("large_float32_uint64", "cast", [Input(large), "uint64"], large.astype(np.uint64)))
    return cases


CASES = _float_cases() + _integer_cases() + _casts()
