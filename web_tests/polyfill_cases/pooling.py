"""averagePool2d, l2Pool2d and maxPool2d."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from web_tests.models.recipes import Array
from web_tests.polyfill_cases.case import EXACT, SUMMED, Case, Input, Tolerance, case, uniform
from web_tests.polyfill_cases.windows import Window, pool

_TO_NCHW = (0, 3, 1, 2)
# Function and tolerance of each.
POOLS: dict[str, tuple[Callable[[Array], Array], Tolerance]] = {
    "averagePool2d": (lambda elements: elements.mean(-1), SUMMED),
    "l2Pool2d": (lambda elements: np.sqrt((elements**2).sum(-1)), SUMMED),
    "maxPool2d": (lambda elements: elements.max(-1), EXACT),
}
_OPTIONS: dict[str, dict[str, Any]] = {
    "global": {},
    "window": {"windowDimensions": [3, 2]},
    "strides": {"windowDimensions": [3, 2], "strides": [2, 3]},
    "same": {"windowDimensions": [3, 3], "padding": [1, 1, 1, 1], "layout": "nhwc"},
    "same_strides": {"windowDimensions": [3, 3], "padding": [1, 1, 0, 1], "strides": [2, 2], "layout": "nhwc"},
    "padding": {"windowDimensions": [3, 3], "padding": [2, 0, 1, 2], "layout": "nhwc"},
    "dilations": {"windowDimensions": [2, 3], "dilations": [3, 2], "padding": [1, 2, 0, 1]},
    "ceil": {"windowDimensions": [3, 3], "strides": [2, 3], "outputShapeRounding": "ceil"},
    "strided_dilations": {
        "windowDimensions": [2, 2],
        "dilations": [2, 3],
        "strides": [2, 2],
        "padding": [1, 1, 1, 1],
        "layout": "nhwc",
    },
    "ceil_padding": {
        "windowDimensions": [3, 2],
        "strides": [2, 2],
        "padding": [1, 0, 1, 0],
        "outputShapeRounding": "ceil",
    },
    "sizes": {"windowDimensions": [3, 3], "strides": [2, 2], "padding": [1, 1, 1, 1], "outputSizes": [4, 5]},
}


def _case(op: str, name: str, options: dict[str, Any], x: Array) -> Case:
    reduce, tolerance = POOLS[op]
    size = tuple(options.get("windowDimensions", x.shape[1:3]))
    names = {name: options[name] for name in ("strides", "padding", "dilations") if name in options}
    window = Window((size[0], size[1]), **names)
    result = pool(x, window, reduce, _output(x, window, options)).astype(x.dtype)
    is_first = options.get("layout", "nchw") == "nchw"
    provided, expected = (part.transpose(_TO_NCHW).copy() if is_first else part for part in (x, result))
    loose = Tolerance(1, 1) if x.dtype == np.float16 and tolerance.ulps else tolerance
    return case(name, op, [Input(provided)], expected, loose, **options)


def _output(x: Array, window: Window, options: dict[str, Any]) -> Sequence[int] | None:
    if "outputSizes" in options:
        return list(options["outputSizes"])
    if options.get("outputShapeRounding") != "ceil":
        return None
    sizes = [x.shape[1 + axis] + sum(window.padding[2 * axis : 2 * axis + 2]) for axis in (0, 1)]
    return [-((window.extent(axis) - sizes[axis]) // window.strides[axis]) + 1 for axis in (0, 1)]


def _cases() -> list[Case]:
    x = uniform((2, 7, 8, 3))
    cases = [_case(op, name, options, x) for op in POOLS for name, options in _OPTIONS.items()]
    cases += [_case(op, "float16", _OPTIONS["same"], x.astype(np.float16)) for op in POOLS]
    for dtype in ("int32", "uint32", "int64", "uint64", "int8", "uint8"):
        low = 0 if dtype.startswith("u") else -100
        values = uniform((1, 5, 5, 2), low, 100, dtype)
        cases.append(_case("maxPool2d", dtype, _OPTIONS["padding"], values))
    return cases


CASES = _cases()
