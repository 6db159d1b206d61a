"""The probes of convolutions and pools: a grid of windows, with numpy's results."""

import itertools
from collections.abc import Iterator
from typing import Any

import numpy as np

from web_tests.polyfill_cases import pooling
from web_tests.polyfill_cases.case import SUMMED, Case, Constant, Input, case, uniform
from web_tests.polyfill_cases.windows import Window, conv2d, conv_transpose2d, pool

# Size, kernel, stride, padding before and after: each along the rows, with a few along the columns.
_ROWS = list(itertools.product((5, 6), (1, 2, 3), (1, 2, 3), ((0, 0), (0, 1), (1, 0), (1, 1))))
_COLUMNS = [(6, 1, 1, (0, 0)), (6, 3, 1, (1, 1)), (6, 3, 2, (0, 1)), (6, 1, 2, (0, 0))]
_CHANNELS = 2


def cases() -> Iterator[Case]:
    for (height, rows, stride, row_pads), (width, columns, step, column_pads) in itertools.product(_ROWS, _COLUMNS):
        window = Window((rows, columns), (stride, step), (*row_pads, *column_pads))
        about = f"{height}x{width} window {rows}x{columns} strides {stride},{step} padding {list(window.padding)}"
        x = uniform((1, height, width, _CHANNELS))
        yield from _convolutions(about, x, window)
        yield from _pools(about, x, window)


def _convolutions(about: str, x: Any, window: Window) -> Iterator[Case]:
    options = {"inputLayout": "nhwc", "strides": list(window.strides), "padding": list(window.padding)}
    full = uniform((3, *window.size, _CHANNELS), -1, 1)
    expected = conv2d(x, full.astype(np.float64), window).astype(np.float32)
    yield case(about, "conv2d", [Input(x), Constant(full)], expected, SUMMED, filterLayout="ohwi", **options)
    depthwise = uniform((_CHANNELS, *window.size, 1), -1, 1)
    expected = conv2d(x, depthwise.astype(np.float64), window, _CHANNELS).astype(np.float32)
    operands = [Input(x), Constant(depthwise.transpose(3, 1, 2, 0).copy())]
    name = f"depthwise {about}"
    yield case(name, "conv2d", operands, expected, SUMMED, filterLayout="ihwo", groups=_CHANNELS, **options)
    filters = uniform((_CHANNELS, 3, *window.size), -1, 1)
    output = [
        (x.shape[1 + axis] - 1) * window.strides[axis] + window.extent(axis) - sum(window.padding[2 * axis :][:2])
        for axis in (0, 1)
    ]
    if min(output) < 1:
        return
    expected = conv_transpose2d(x, filters.astype(np.float64), window, output).astype(np.float32)
    operands = [Input(x), Constant(filters.transpose(1, 2, 3, 0).copy())]
    yield case(about, "convTranspose2d", operands, expected, SUMMED, filterLayout="ohwi", **options)


def _pools(about: str, x: Any, window: Window) -> Iterator[Case]:
    options = {"layout": "nhwc", "windowDimensions": list(window.size)}
    options |= {"strides": list(window.strides), "padding": list(window.padding)}
    if any(pad >= size for pad, size in zip(window.padding[::2], window.size, strict=True)):
        return  # windows of padding alone have no mean and no maximum
    if any(pad >= size for pad, size in zip(window.padding[1::2], window.size, strict=True)):
        return
    for op, (reduce, tolerance) in pooling.POOLS.items():
        expected = pool(x, window, reduce).astype(np.float32)
        yield case(about, op, [Input(x)], expected, tolerance, **options)
