"""Comparisons, logical operators and where."""

import itertools
from collections.abc import Callable

import numpy as np

from web_tests.models.recipes import Array
from web_tests.polyfill_cases.case import Case, Constant, Input, case, float32, uint8, uniform

_COMPARISONS: dict[str, Callable[[Array, Array], Array]] = {
    "equal": np.equal,
    "notEqual": np.not_equal,
    "greater": np.greater,
    "greaterOrEqual": np.greater_equal,
    "lesser": np.less,
    "lesserOrEqual": np.less_equal,
}
_LOGICAL: dict[str, Callable[[Array, Array], Array]] = {
    "logicalAnd": np.logical_and,
    "logicalOr": np.logical_or,
    "logicalXor": np.logical_xor,
}
# Values around the point at which signed and unsigned order differ.
_EXTREMES = {
    "float32": [-np.inf, -1.5, 0, -0.0, 2, np.inf, np.nan],
    "float16": [-2, -1, 0, 1, 2],
    "int32": [-(2**31), -1, 0, 1, 2**31 - 1],
    "uint32": [0, 1, 2**31 - 1, 2**31, 2**32 - 1],
    "int64": [-(2**63), -1, 0, 1, 2**63 - 1],
    "uint64": [0, 1, 2**63 - 1, 2**63, 2**64 - 1],
    "int8": [-128, -1, 0, 1, 127],
    "uint8": [0, 1, 127, 128, 255],
}
_ALL = tuple(_EXTREMES)


def _cases() -> list[Case]:
    cases = []
    for (op, function), dtype in itertools.product(_COMPARISONS.items(), _ALL):
        values = np.array(_EXTREMES[dtype], dtype=dtype)
        a, b = values[:, None], values[None, :]
        cases.append(case(dtype, op, [Input(a), Input(b)], function(a, b).astype(np.uint8)))
    a, b = uniform((2, 1, 3, 1, 2), 0, 3, "int32"), uniform((2, 3, 1, 2, 1), 0, 3, "int32")
    cases.append(case("rank5", "equal", [Input(a), Input(b)], (a == b).astype(np.uint8)))
    truths = uint8([0, 1, 2, 255])
    for op, function in _LOGICAL.items():
        expected = function(truths[:, None], truths).astype(np.uint8)
        cases.append(case("uint8", op, [Input(truths[:, None]), Input(truths)], expected))
    cases.append(case("uint8", "logicalNot", [Input(truths)], np.logical_not(truths).astype(np.uint8)))
    special = float32([[np.nan, np.inf], [-np.inf, 3]])
    for op, function in (("isNaN", np.isnan), ("isInfinite", np.isinf)):
        cases.append(case("float32", op, [Input(special)], function(special).astype(np.uint8)))
        half = special.astype(np.float16)
        cases.append(case("float16", op, [Input(half)], function(half).astype(np.uint8)))
    return cases + _where()


def _where() -> list[Case]:
    cases = []
    condition = uint8([[1], [0], [7]])
    for dtype in _ALL:
        values = np.array(_EXTREMES[dtype], dtype=dtype)[:5]
        other = values[::-1].copy()
        expected = np.where(condition, values, other)
        cases.append(case(dtype, "where", [Input(condition), Input(values), Constant(other)], expected))
    scalars = [Input(uint8(1)), Input(float32(3)), Input(float32(4))]
    cases.append(case("scalars", "where", scalars, float32(3)))
    mask, yes, no = uniform((2, 1, 2, 1, 3), 0, 2, "uint8"), uniform((1, 3, 1, 2, 3)), uniform((2, 1))
    cases.append(case("rank5", "where", [Input(mask), Input(yes), Input(no)], np.where(mask, yes, no)))
    return cases


CASES = _cases()
