"""Kernels for generating networks, in numpy: NHWC, SAME padding, filters in TFLite's layout."""

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from web_tests.models.recipes import Array


def conv_2d(images: Array, filters: Array, stride: int) -> Array:
    """Convolve [n, h, w, in] with [out, kh, kw, in]."""
    out_channels, height, width, _ = filters.shape
    if (height, width) == (1, 1):
        images, filters = images[:, ::stride, ::stride], filters.reshape(out_channels, -1)
        return np.asarray(images @ filters.T)
    windows = _windows(images, height, width, stride)  # [n, h, w, in, kh, kw]
    columns = filters.transpose(3, 1, 2, 0).reshape(-1, out_channels)
    return np.asarray(windows.reshape(*windows.shape[:3], -1) @ columns)


def depthwise_conv_2d(images: Array, filters: Array, stride: int) -> Array:
    """Convolve each channel of [n, h, w, c] with its own filter of [1, kh, kw, c]."""
    _, height, width, _ = filters.shape
    windows = _windows(images, height, width, stride)
    result = np.zeros(windows.shape[:4], np.float32)
    for row in range(height):
        for column in range(width):
            result += windows[..., row, column] * filters[0, row, column]
    return result


def max_pool_2d(images: Array, size: int) -> Array:
    """Return the maximum of neighbouring blocks; `size` divides height and width."""
    count, height, width, channels = images.shape
    blocks = images.reshape(count, height // size, size, width // size, size, channels)
    return np.asarray(blocks.max(axis=(2, 4)))


def repeat_2d(images: Array, factor: int) -> Array:
    """Enlarge by repeating rows and columns: RESIZE_NEAREST_NEIGHBOR by an integer factor."""
    return images.repeat(factor, axis=1).repeat(factor, axis=2)


def softmax(values: Array) -> Array:
    """Return the softmax of the last dimension."""
    powers = np.exp(values - values.max(axis=-1, keepdims=True))
    return np.asarray(powers / powers.sum(axis=-1, keepdims=True))


def _windows(images: Array, height: int, width: int, stride: int) -> Array:
    rows = _same_padding(images.shape[1], height, stride)
    columns = _same_padding(images.shape[2], width, stride)
    padded = np.pad(images, [(0, 0), rows, columns, (0, 0)])
    return sliding_window_view(padded, (height, width), axis=(1, 2))[:, ::stride, ::stride]


def _same_padding(size: int, window: int, stride: int) -> tuple[int, int]:
    out_size = -(-size // stride)
    total = max((out_size - 1) * stride + window - size, 0)
    return total // 2, total - total // 2
