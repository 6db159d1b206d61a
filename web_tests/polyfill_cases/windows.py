"""Convolutions and pools by definition, in float64 and with channels last."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from web_tests.models.recipes import Array


@dataclass(frozen=True)
class Window:
    """A window's rows and columns, and its movement; padding is top, bottom, left, right."""

    size: tuple[int, int]
    strides: Sequence[int] = (1, 1)
    padding: Sequence[int] = (0, 0, 0, 0)
    dilations: Sequence[int] = (1, 1)

    def output(self, shape: Sequence[int]) -> tuple[int, int]:
        """Return the number of windows along the rows and columns of [n, h, w, c]."""
        rows, columns = (
            (shape[1 + axis] + sum(self.padding[2 * axis : 2 * axis + 2]) - self.extent(axis)) // self.strides[axis] + 1
            for axis in (0, 1)
        )
        return rows, columns

    def extent(self, axis: int) -> int:
        """Return the number of rows or columns that the window covers."""
        return (self.size[axis] - 1) * self.dilations[axis] + 1


def conv2d(x: Array, filters: Array, window: Window, groups: int = 1) -> Array:
    """Return the convolution of [n, h, w, c] with filters [o, h, w, c / groups]."""
    padded = _padded(x, window.padding, 0.0)
    rows, columns = window.output(x.shape)
    channels = x.shape[3] // groups
    each = filters.shape[0] // groups
    result = np.zeros((x.shape[0], rows, columns, filters.shape[0]))
    for row, column, group in np.ndindex(rows, columns, groups):
        patch = _patch(padded, window, row, column)[..., group * channels : (group + 1) * channels]
        own = filters[group * each : (group + 1) * each]
        result[:, row, column, group * each : (group + 1) * each] = np.einsum("nhwc,ohwc->no", patch, own)
    return result


def conv_transpose2d(x: Array, filters: Array, window: Window, output: Sequence[int], groups: int = 1) -> Array:
    """Return the transposed convolution of [n, h, w, c] with filters [c, o / groups, h, w]."""
    each = filters.shape[1]
    channels = x.shape[3] // groups
    sizes = [(x.shape[1 + axis] - 1) * window.strides[axis] + window.extent(axis) for axis in (0, 1)]
    extent = [max(size, output[axis] + window.padding[2 * axis]) for axis, size in enumerate(sizes)]
    result = np.zeros((x.shape[0], *extent, each * groups))
    for row, column, i, j, group in np.ndindex(*x.shape[1:3], *window.size, groups):
        position = (
            row * window.strides[0] + i * window.dilations[0],
            column * window.strides[1] + j * window.dilations[1],
        )
        part = slice(group * channels, (group + 1) * channels)
        result[:, position[0], position[1], group * each : (group + 1) * each] += (
            x[:, row, column, part] @ filters[part, :, i, j]
        )
    top, left = window.padding[0], window.padding[2]
    return result[:, top : top + output[0], left : left + output[1]]


def pool(x: Array, window: Window, reduce: Callable[[Array], Array], output: Sequence[int] | None = None) -> Array:
    """Return `reduce` of the elements, [n, c, count], of each window, without those of the padding."""
    rows, columns = output or window.output(x.shape)
    last = [(count - 1) * window.strides[axis] + window.extent(axis) for axis, count in enumerate((rows, columns))]
    padding = list(window.padding)
    for axis in (0, 1):
        padding[2 * axis + 1] = max(last[axis] - x.shape[1 + axis] - padding[2 * axis], padding[2 * axis + 1])
    padded = _padded(x.astype(np.float64), padding, np.nan)
    result = np.zeros((x.shape[0], rows, columns, x.shape[3]))
    for row, column in np.ndindex(rows, columns):
        patch = _patch(padded, window, row, column)
        elements = np.moveaxis(patch, 3, 1).reshape(x.shape[0], x.shape[3], -1)
        result[:, row, column] = reduce(elements[:, :, ~np.isnan(elements[0, 0])])
    return result


def _padded(x: Array, padding: Sequence[int], value: float) -> Array:
    top, bottom, left, right = padding
    widths = ((0, 0), (top, bottom), (left, right), (0, 0))
    return np.pad(x.astype(np.float64), widths, constant_values=value)


def _patch(padded: Array, window: Window, row: int, column: int) -> Array:
    top, left = row * window.strides[0], column * window.strides[1]
    rows = slice(top, top + window.extent(0), window.dilations[0])
    return padded[:, rows, left : left + window.extent(1) : window.dilations[1]]
