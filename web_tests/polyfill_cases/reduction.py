"""Reductions, argMin, argMax and cumulativeSum."""

import itertools
from collections.abc import Callable
from typing import Any

import numpy as np

from web_tests.models.recipes import Array
from web_tests.polyfill_cases.case import EXACT, SUMMED, Case, Input, Tolerance, case, float32, uniform

_WIDE_INTEGERS = ("int32", "uint32", "int64", "uint64")
_INTEGERS = (*_WIDE_INTEGERS, "int8", "uint8")

_REDUCTIONS: dict[str, tuple[Callable[..., Any], Tolerance, tuple[str, ...]]] = {
    "reduceL1": (lambda x, **axes: np.abs(x).sum(**axes), SUMMED, _WIDE_INTEGERS),
    "reduceL2": (lambda x, **axes: np.sqrt((x * x).sum(**axes)), SUMMED, ()),
    "reduceLogSum": (lambda x, **axes: np.log(x.sum(**axes)), SUMMED, ()),
    "reduceLogSumExp": (lambda x, **axes: np.log(np.exp(x).sum(**axes)), SUMMED, ()),
    "reduceMax": (np.max, EXACT, _INTEGERS),
    "reduceMean": (np.mean, SUMMED, ()),
    "reduceMin": (np.min, EXACT, _INTEGERS),
    "reduceProduct": (np.prod, SUMMED, _WIDE_INTEGERS),
    "reduceSum": (np.sum, SUMMED, _WIDE_INTEGERS),
    "reduceSumSquare": (lambda x, **axes: (x * x).sum(**axes), SUMMED, _WIDE_INTEGERS),
}


def _reduce(op: str, name: str, x: Array, axes: tuple[int, ...] | None, keep: bool = False) -> Case:
    function, tolerance, _ = _REDUCTIONS[op]
    kind = x.dtype.kind
    wide = x.astype(np.float64) if kind == "f" else x
    dtype = {} if kind == "f" or op in ("reduceMax", "reduceMin") else {"dtype": x.dtype}
    with np.errstate(over="ignore"):
        if axes == ():
            expected = function(wide[..., None], axis=-1, **dtype)
        else:
            expected = function(wide, axis=axes, keepdims=keep, **dtype)
    options: dict[str, Any] = {} if axes is None else {"axes": list(axes)}
    loose = Tolerance(1, 1) if x.dtype == np.float16 and tolerance.ulps else tolerance
    return case(name, op, [Input(x)], np.asarray(expected).astype(x.dtype), loose, keepDimensions=keep, **options)


def _cases() -> list[Case]:
    cases = []
    for op, (_, _, integers) in _REDUCTIONS.items():
        x = uniform((2, 3, 4, 2), 0.2, 2)
        cases += [
            _reduce(op, "all", x, None),
            _reduce(op, "one", x, (2,)),
            _reduce(op, "kept", x, (0, 3), keep=True),
            _reduce(op, "unsorted", x, (2, 0)),
            _reduce(op, "none", x, ()),
            _reduce(op, "scalar", x[0, 0, 0, 0], None),
            _reduce(op, "rank8", uniform((1, 2, 1, 2, 1, 2, 1, 2), 0.2, 2), (1, 3, 5)),
            _reduce(op, "float16", x.astype(np.float16), (1,)),
        ]
        for dtype in integers:
            info = np.iinfo(dtype)
            values = uniform((3, 4), info.min, info.max, dtype)
            cases.append(_reduce(op, dtype, values, (1,)))
    large = float32([[100, 101, -1000]])
    expected = float32([101 + np.log1p(np.exp(-1.0))])
    cases.append(case("large", "reduceLogSumExp", [Input(large)], expected, SUMMED, axes=[1]))
    return cases + _arguments() + _sums()


def _arguments() -> list[Case]:
    cases = []
    for (op, function), dtype in itertools.product(
        (("argMin", np.argmin), ("argMax", np.argmax)), ("float32", "float16", *_INTEGERS)
    ):
        is_integer = np.dtype(dtype).kind in "iu"
        info = np.iinfo(dtype) if is_integer else None
        x = uniform((2, 5, 3), info.min, info.max, dtype) if info else uniform((2, 5, 3), dtype=dtype)
        x[0, 3] = x[0, 1]  # the first of equal values counts
        expected = function(x, 1)
        cases.append(case(dtype, op, [Input(x), 1], expected.astype(np.int32)))
        if dtype in ("float32", "int64"):
            for result in ("int32", "int64"):
                kept = function(x, 2, keepdims=True).astype(result)
                options: dict[str, Any] = {"outputDataType": result, "keepDimensions": True}
                cases.append(case(f"{dtype}_kept_{result}", op, [Input(x), 2], kept, **options))
    return cases


def _sums() -> list[Case]:
    cases = []
    for dtype in ("float32", *_WIDE_INTEGERS):
        info = np.iinfo(dtype) if dtype != "float32" else None
        x = uniform((3, 4), info.min, info.max, dtype) if info else uniform((3, 4))
        tolerance = EXACT if info else SUMMED
        with np.errstate(over="ignore"):
            expected = np.cumsum(x, 1, dtype=dtype)
        cases.append(case(dtype, "cumulativeSum", [Input(x), 1], expected, tolerance))
    x = uniform((3, 4))
    backwards = np.cumsum(x[::-1], 0)[::-1]
    shifted = np.vstack([np.zeros((1, 4), np.float32), np.cumsum(x, 0)[:-1]])
    both = np.vstack([backwards[1:], np.zeros((1, 4), np.float32)])
    cases.append(case("reversed", "cumulativeSum", [Input(x), 0], backwards, SUMMED, reversed=True))
    cases.append(case("exclusive", "cumulativeSum", [Input(x), 0], shifted, SUMMED, exclusive=True))
    options = {"reversed": True, "exclusive": True}
    cases.append(case("both", "cumulativeSum", [Input(x), 0], both, SUMMED, **options))
    return cases


CASES = _cases()
