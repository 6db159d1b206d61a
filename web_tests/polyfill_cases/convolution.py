"""conv2d and convTranspose2d."""

from typing import Any

import numpy as np

from web_tests.models.recipes import Array
from web_tests.polyfill_cases.case import SUMMED, Case, Constant, Input, Tolerance, case, uniform
from web_tests.polyfill_cases.windows import Window, conv2d, conv_transpose2d

_TO_NCHW = (0, 3, 1, 2)
# From [o, h, w, i] for conv2d, from [i, o, h, w] for convTranspose2d.
_FILTERS = {"oihw": (0, 3, 1, 2), "hwio": (1, 2, 3, 0), "ohwi": (0, 1, 2, 3), "ihwo": (3, 1, 2, 0)}
_TRANSPOSED_FILTERS = {"iohw": (0, 1, 2, 3), "hwoi": (2, 3, 1, 0), "ohwi": (1, 2, 3, 0)}

_SAME = {"padding": [1, 1, 1, 1]}
_ODD = {"strides": [2, 1], "padding": [2, 0, 1, 3]}


def _convolution(
    name: str,
    options: dict[str, Any],
    channels: tuple[int, int] = (3, 4),
    *,
    size: tuple[int, int] = (3, 3),
    with_bias: bool = True,
    dynamic: bool = False,
    dtype: str = "float32",
) -> Case:
    groups = options.get("groups", 1)
    layout, filter_layout = options.get("inputLayout", "nchw"), options.get("filterLayout", "oihw")
    x = uniform((2, 7, 8, channels[0]), dtype=dtype)
    filters = uniform((channels[1], *size, channels[0] // groups), -1, 1, dtype=dtype)
    bias = uniform((channels[1],), dtype=dtype)
    window = Window(
        size, options.get("strides", (1, 1)), options.get("padding", (0,) * 4), options.get("dilations", (1, 1))
    )
    result = conv2d(x, filters.astype(np.float64), window, groups) + (bias if with_bias else 0)
    operand = Input if dynamic else Constant
    provided = {"bias": operand(bias)} if with_bias else {}
    expected = _laid_out(result, layout).astype(dtype)
    arguments = [Input(_laid_out(x, layout)), operand(filters.transpose(_FILTERS[filter_layout]).copy())]
    tolerance = SUMMED if dtype == "float32" else Tolerance(1, 1)
    return case(name, "conv2d", arguments, expected, tolerance, **options, **provided)


def _transposed(
    name: str,
    options: dict[str, Any],
    channels: tuple[int, int] = (4, 6),
    *,
    with_bias: bool = True,
    dynamic: bool = False,
) -> Case:
    groups = options.get("groups", 1)
    layout, filter_layout = options.get("inputLayout", "nchw"), options.get("filterLayout", "iohw")
    x = uniform((2, 4, 3, channels[0]))
    filters = uniform((channels[0], channels[1] // groups, 3, 2), -1, 1)
    bias = uniform((channels[1],))
    padding = options.get("padding", [0] * 4)
    window = Window((3, 2), options.get("strides", (1, 1)), padding, options.get("dilations", (1, 1)))
    extra = options.get("outputPadding", [0, 0])
    sizes = options.get("outputSizes") or [
        (x.shape[1 + axis] - 1) * window.strides[axis]
        + window.extent(axis)
        - sum(padding[2 * axis : 2 * axis + 2])
        + extra[axis]
        for axis in (0, 1)
    ]
    result = conv_transpose2d(x, filters.astype(np.float64), window, sizes, groups) + (bias if with_bias else 0)
    provided = {"bias": Constant(bias)} if with_bias else {}
    own = filters.transpose(_TRANSPOSED_FILTERS[filter_layout]).copy()
    arguments = [Input(_laid_out(x, layout)), (Input if dynamic else Constant)(own)]
    expected = _laid_out(result, layout).astype(np.float32)
    return case(name, "convTranspose2d", arguments, expected, SUMMED, **options, **provided)


def _laid_out(x: Array, layout: str) -> Array:
    return x.transpose(_TO_NCHW).copy() if layout == "nchw" else x


_NHWC = {"inputLayout": "nhwc", "filterLayout": "ohwi"}
_DEPTHWISE = {"groups": 3, "inputLayout": "nhwc", "filterLayout": "ihwo"}

CASES = [
    *(_convolution(f"{layout}", {"filterLayout": layout, **_SAME}) for layout in _FILTERS),
    *(_convolution(f"nhwc_{layout}", {"inputLayout": "nhwc", "filterLayout": layout}) for layout in _FILTERS),
    _convolution("no_bias", _NHWC, with_bias=False),
    _convolution("odd_padding", {**_NHWC, **_ODD}),
    _convolution("strides_same", {**_NHWC, "strides": [2, 2], "padding": [1, 1, 0, 1]}),
    _convolution("strided_dilations", {**_NHWC, "strides": [2, 2], "dilations": [2, 2], "padding": [1, 1, 2, 2]}),
    _convolution("dilations", {**_NHWC, "dilations": [2, 3], "padding": [2, 2, 3, 3]}),
    _convolution("groups", {"groups": 2, **_SAME}, (4, 6)),
    _convolution("groups_nhwc", {**_NHWC, "groups": 2}, (4, 6), size=(2, 2)),
    *(
        _convolution(f"depthwise_{layout}", {**_DEPTHWISE, **_SAME, "filterLayout": layout, "strides": [2, 2]}, (3, 3))
        for layout in _FILTERS
    ),
    _convolution("depthwise", {**_DEPTHWISE, **_SAME}, (3, 3)),
    _convolution("depthwise_dilations", {**_DEPTHWISE, "dilations": [2, 2]}, (3, 3), size=(2, 2)),
    _convolution("depthwise_strided_dilations", {**_DEPTHWISE, "dilations": [2, 2], "strides": [2, 1]}, (3, 3)),
    _convolution("depthwise_multiplier_ohwi", {**_DEPTHWISE, "filterLayout": "ohwi"}, (3, 6), size=(2, 2)),
    _convolution("depthwise_multiplier", {**_DEPTHWISE, **_ODD}, (3, 6)),
    _convolution("depthwise_nchw", {"groups": 3, **_SAME}, (3, 6)),
    _convolution("dynamic", {**_NHWC, **_SAME}, dynamic=True),
    _convolution("dynamic_depthwise", {**_DEPTHWISE, **_SAME}, (3, 3), dynamic=True),
    _convolution("pointwise", _NHWC, size=(1, 1)),
    _convolution("one_channel", {"padding": [0, 1, 0, 1]}, (1, 1), size=(2, 2)),
    _convolution("float16", _NHWC, dtype="float16"),
    *(_transposed(layout, {"filterLayout": layout}) for layout in _TRANSPOSED_FILTERS),
    *(_transposed(f"nhwc_{layout}", {**_NHWC, "filterLayout": layout}) for layout in _TRANSPOSED_FILTERS),
    _transposed("no_bias", _NHWC, with_bias=False),
    _transposed("strides", {**_NHWC, "strides": [2, 2]}),
    _transposed("same", {"inputLayout": "nhwc", "strides": [2, 2], "padding": [0, 1, 0, 0]}),
    _transposed("padding", {"strides": [2, 3], "padding": [1, 0, 0, 1]}),
    _transposed("output_padding", {"strides": [3, 3], "padding": [1, 1, 1, 1], "outputPadding": [2, 1]}),
    _transposed("output_sizes", {"strides": [3, 3], "outputSizes": [13, 10]}),
    _transposed("dilations", {"dilations": [2, 3], "strides": [2, 2]}),
    _transposed("dynamic_dilations", {"dilations": [2, 3]}, dynamic=True),
    _transposed("groups", {"groups": 2, "strides": [2, 2], "padding": [1, 0, 1, 0]}),
]
