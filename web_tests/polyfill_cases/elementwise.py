"""Elementwise operators of one or two operands, and cast."""

import itertools
import math
from collections.abc import Callable

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
    int32,
    uniform,
)

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


_BINARY_OPS: dict[str, Callable[[Array, Array], Array]] = {
    "add": np.add,
    "sub": np.subtract,
    "mul": np.multiply,
    "max": np.maximum,
    "min": np.minimum,
}
_INTEGERS = ("int32", "uint32", "int64", "uint64", "int8", "uint8")
# All kinds of broadcasts: none, a scalar, along an axis, both ways, and at ranks beyond all kernels.
_BINARY_SHAPES = (
    ((2, 3), (2, 3)),
    ((2, 3, 4), ()),
    ((2, 1, 4), (3, 1)),
    ((), (2,)),
    ((2, 3, 1, 4, 2), (1, 1, 4, 1)),
    ((2, 1, 3, 1, 2, 1, 2), (2, 2, 1, 2, 1, 3, 1)),
    ((1, 2, 1, 3, 1, 2, 1, 2), (1, 2, 1, 3, 1, 2, 1, 2)),
)


def _integers(shape: tuple[int, ...], dtype: str, seed: int = 0) -> Array:
    """Return numbers of the full range, which make sums and products wrap around."""
    info = np.iinfo(dtype)
    random = np.random.default_rng(seed)
    return random.integers(info.min, info.max, shape, dtype=dtype, endpoint=True)


def _divided(a: Array, b: Array) -> Array:
    """Return quotients rounded towards zero."""
    wide = np.trunc(a.astype(np.float64) / b.astype(np.float64))
    return np.asarray(wide.astype(np.int64).astype(a.dtype))


def _binary_cases() -> list[Case]:
    cases = []
    for (op, function), (a_shape, b_shape) in itertools.product(_BINARY_OPS.items(), _BINARY_SHAPES):
        a, b = uniform(a_shape), uniform(b_shape, seed=1)
        cases.append(case(f"{a_shape}_{b_shape}", op, [Input(a), Input(b)], function(a, b)))
    for (op, function), dtype in itertools.product(_BINARY_OPS.items(), _INTEGERS):
        a, b = _integers((3, 40), dtype), _integers((40,), dtype, seed=1)
        with np.errstate(over="ignore"):
            expected = function(a, b)
        cases.append(case(dtype, op, [Input(a), Input(b)], expected))
    for op, function in _BINARY_OPS.items():
        a, b = uniform((3, 4), dtype="float16"), uniform((4,), dtype="float16")
        cases.append(case("float16", op, [Input(a), Constant(b)], function(a, b)))
    return cases + _division() + _powers()


def _division() -> list[Case]:
    a, b = uniform((2, 3, 4)), uniform((3, 1), 0.5, 2)
    cases = [case("float32", "div", [Input(a), Input(b)], a / b, ROUNDED)]
    signs, by = float32([1, -2, 3, -4]), float32([2, -2, -0.5, 8])
    cases.append(case("signs", "div", [Input(signs), Input(by)], signs / by))
    zeros = [Input(float32([1, -1, 0])), Input(float32([0, 0, 0]))]
    cases.append(case("by_zero", "div", zeros, float32([np.inf, -np.inf, np.nan])))
    for dtype in ("int32", "int8", "uint8"):
        dividend = _integers((4, 16), dtype)
        divisor = uniform((16,), 1, 7, dtype)
        cases.append(
            case(f"{dtype}_constant", "div", [Input(dividend), Constant(divisor)], _divided(dividend, divisor))
        )
    lowest = int32([-(2**31), 7, -7, 2**31 - 1])
    divisors = int32([-1, -1, 2, -3])
    quotients = int32([-(2**31), -7, -3, -715827882])
    cases.append(case("int32_lowest_by_minus_one", "div", [Input(lowest), Input(divisors)], quotients))
    return cases


def _powers() -> list[Case]:
    a = uniform((2, 3), 0.1, 3)
    b = uniform((3,), -2, 2)
    square = float32(2)
    return [
        case("float32", "pow", [Input(a), Input(b)], np.power(a, b), APPROXIMATE),
        case("square", "pow", [Input(-a), Constant(square)], a * a),
        case(
            "int32", "pow", [Input(int32([2, -3, 1, -1, 5])), Input(int32([3, 2, -2, -3, -1]))], int32([8, 9, 1, -1, 0])
        ),
        case("int32_constant", "pow", [Input(int32([2, -3, 0])), Constant(int32([3, 2, 0]))], int32([8, 9, 1])),
        case("signs", "pow", [Input(float32([-2, -3, -4, 5])), Input(float32([2, 3, 1, 0]))], float32([4, -27, -4, 1])),
        case("negative_base", "pow", [Input(-a), Constant(float32(3))], -(a**3), APPROXIMATE),
    ]


CASES = _float_cases() + _integer_cases() + _casts() + _binary_cases()
