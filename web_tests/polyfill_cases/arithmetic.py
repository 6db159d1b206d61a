"""add, sub, mul, div, max, min and pow."""

import itertools
from collections.abc import Callable

import numpy as np

from web_tests.models.recipes import Array
from web_tests.polyfill_cases.case import APPROXIMATE, ROUNDED, Case, Constant, Input, case, float32, int32, uniform

_OPS: dict[str, Callable[[Array, Array], Array]] = {
    "add": np.add,
    "sub": np.subtract,
    "mul": np.multiply,
    "max": np.maximum,
    "min": np.minimum,
}
_INTEGERS = ("int32", "uint32", "int64", "uint64", "int8", "uint8")
# All kinds of broadcasts: none, a scalar, along an axis, both ways, and at ranks beyond all kernels.
_SHAPES = (
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


def _cases() -> list[Case]:
    cases = []
    for (op, function), (a_shape, b_shape) in itertools.product(_OPS.items(), _SHAPES):
        a, b = uniform(a_shape), uniform(b_shape, seed=1)
        cases.append(case(f"{a_shape}_{b_shape}", op, [Input(a), Input(b)], function(a, b)))
    for (op, function), dtype in itertools.product(_OPS.items(), _INTEGERS):
        a, b = _integers((3, 40), dtype), _integers((40,), dtype, seed=1)
        with np.errstate(over="ignore"):
            expected = function(a, b)
        cases.append(case(dtype, op, [Input(a), Input(b)], expected))
    for op, function in _OPS.items():
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


CASES = _cases()
