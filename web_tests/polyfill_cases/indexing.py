"""Gathering and scattering, with indices from the end and out of range."""

import itertools
from typing import Any

import numpy as np

from web_tests.models.recipes import Array
from web_tests.polyfill_cases.case import Case, Constant, Input, case, int32, int64, uniform

_ALL = ("float32", "float16", "int32", "uint32", "int64", "uint64", "int8", "uint8")


def _of(shape: tuple[int, ...], dtype: str) -> Array:
    return (np.arange(int(np.prod(shape))) + 1).reshape(shape).astype(dtype)


def _positions(indices: Array, size: Any) -> Array:
    """Return the effective indices: counted from the end if negative, clamped to the range."""
    wide = indices.astype(np.int64)
    return np.asarray(np.clip(np.where(wide < 0, wide + size, wide), 0, np.asarray(size) - 1))


_INDICES: dict[str, list[int]] = {
    "int32": [0, 2, -1, -3, 1, 9, -9],
    "int64": [0, 2, -1, -3, 1, 2**40, -(2**40)],
    "uint32": [0, 2, 1, 9, 2**31, 2**32 - 1],
}


def _gather() -> list[Case]:
    cases = []
    for (dtype, values), operand in itertools.product(_INDICES.items(), (Input, Constant)):
        indices = np.array(values, dtype=dtype)
        x = uniform((2, 3, 4))
        expected = np.take(x, _positions(indices, 3), 1)
        name = f"{dtype}_{operand.__name__.lower()}"
        cases.append(case(name, "gather", [Input(x), operand(indices)], expected, axis=1))
    for dtype in _ALL:
        x = _of((3, 2), dtype)
        expected = x[np.array([[2, 0]])]
        cases.append(case(f"of_{dtype}", "gather", [Input(x), Constant(int32([[2, 0]]))], expected))
    x = uniform((4, 3))
    cases.append(case("scalar", "gather", [Input(x), Input(int32(-2))], x[2]))
    return cases


def _gather_elements() -> list[Case]:
    cases = []
    x = uniform((3, 4, 2))
    for axis, operand in itertools.product(range(3), (Input, Constant)):
        shape = list(x.shape)
        shape[axis] = 5
        indices = uniform(shape, -x.shape[axis], x.shape[axis], "int32")
        expected = np.take_along_axis(x, _positions(indices, x.shape[axis]), axis)
        name = f"{axis}_{operand.__name__.lower()}"
        cases.append(case(name, "gatherElements", [Input(x), operand(indices)], expected, axis=axis))
    for dtype in _ALL:
        values = _of((2, 3), dtype)
        indices = int64([[2, -1, 7]])
        expected = np.take_along_axis(values, np.array([[2, 2, 2]]), 1)
        cases.append(case(f"of_{dtype}", "gatherElements", [Input(values[:1]), Input(indices)], expected[:1], axis=1))
    return cases


def _gather_nd() -> list[Case]:
    cases = []
    x = uniform((3, 4, 2))
    for depth, operand in itertools.product((1, 2, 3), (Input, Constant)):
        sizes = np.array(x.shape[:depth])
        indices = uniform((2, 3, depth), -5, 5, "int32")
        positions = _positions(indices, sizes)
        expected = x[tuple(np.moveaxis(positions, -1, 0))]
        name = f"{depth}_{operand.__name__.lower()}"
        cases.append(case(name, "gatherND", [Input(x), operand(indices)], expected))
    for dtype in _ALL:
        values = _of((3, 2), dtype)
        expected = values[[2, 0]]
        cases.append(case(f"of_{dtype}", "gatherND", [Input(values), Constant(int64([[2], [0]]))], expected))
    return cases


def _scatter() -> list[Case]:
    cases = []
    for dtype in _ALL:
        x = _of((3, 4), dtype)
        updates = _of((2, 4), dtype) + np.array(50, dtype=dtype)
        expected = x.copy()
        expected[[2, 0]] = updates
        arguments = [Input(x), Constant(int32([[-1], [0]])), Input(updates)]
        cases.append(case(dtype, "scatterND", arguments, expected))
        elements = x.copy()
        indices = int32([[1, 0, -1, 2], [2, 2, 0, 1]])
        np.put_along_axis(elements, _positions(indices, 3), updates, 0)
        arguments = [Input(x), Input(indices), Input(updates)]
        cases.append(case(dtype, "scatterElements", arguments, elements))
    x = uniform((2, 3, 2))
    updates = uniform((2, 2))
    expected = x.copy()
    expected[[0, 1], [2, 0]] = updates
    for indices in (int64([[0, 2], [1, -3]]), int32([[0, 2], [1, -3]])):
        arguments = [Input(x), Input(indices), Input(updates)]
        cases.append(case(f"depth2_{indices.dtype}", "scatterND", arguments, expected))
    elements = x.copy()
    indices = int32([[[1], [0], [1]], [[0], [0], [-1]]])
    part = uniform((2, 3, 1), seed=4)
    np.put_along_axis(elements, _positions(indices, 2), part, 2)
    arguments = [Input(x), Constant(indices), Constant(part)]
    cases.append(case("axis2", "scatterElements", arguments, elements, axis=2))
    return cases


CASES = _gather() + _gather_elements() + _gather_nd() + _scatter()
