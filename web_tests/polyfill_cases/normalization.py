"""batchNormalization, instanceNormalization, layerNormalization and softmax."""

from typing import Any

import numpy as np

from web_tests.models.recipes import Array
from web_tests.polyfill_cases.case import Case, Constant, Input, Tolerance, case, float32, uniform

_TOLERANCE = Tolerance(60, 1)


def _along(values: Array, axis: int, rank: int) -> Array:
    return values.reshape([-1 if other == axis else 1 for other in range(rank)])


def _batch(name: str, shape: tuple[int, ...], operand: Any, *, with_scale: bool = True, **options: Any) -> Case:
    axis = options.get("axis", 1)
    x = uniform(shape)
    count = shape[axis]
    mean, variance = uniform((count,)), uniform((count,), 0.5, 2)
    scale, bias = uniform((count,), 0.5, 1.5), uniform((count,), seed=1)
    spread = [_along(values.astype(np.float64), axis, x.ndim) for values in (mean, variance, scale, bias)]
    normal = (x - spread[0]) / np.sqrt(spread[1] + options.get("epsilon", 1e-5))
    provided = {"scale": operand(scale), "bias": operand(bias)} if with_scale else {}
    expected = normal * spread[2] + spread[3] if with_scale else normal
    arguments = [Input(x), operand(mean), operand(variance)]
    return case(name, "batchNormalization", arguments, expected.astype(np.float32), _TOLERANCE, **options, **provided)


def _normal(x: Array, axes: tuple[int, ...], epsilon: float) -> Array:
    wide = x.astype(np.float64)
    centered = wide - wide.mean(axes, keepdims=True) if axes else wide * 0
    variance = (centered**2).mean(axes, keepdims=True) if axes else wide * 0
    return np.asarray(centered / np.sqrt(variance + epsilon))


def _instance(name: str, layout: str, operand: Any, epsilon: float = 1e-5) -> Case:
    x = uniform((2, 3, 4, 3))
    channel, axes = (1, (2, 3)) if layout == "nchw" else (3, (1, 2))
    scale, bias = uniform((3,), 0.5, 1.5), uniform((3,))
    expected = _normal(x, axes, epsilon) * _along(scale, channel, 4) + _along(bias, channel, 4)
    provided = {"scale": operand(scale), "bias": operand(bias), "layout": layout, "epsilon": epsilon}
    return case(name, "instanceNormalization", [Input(x)], expected.astype(np.float32), _TOLERANCE, **provided)


def _layer(name: str, shape: tuple[int, ...], axes: tuple[int, ...], *, parts: str = "both") -> Case:
    x = uniform(shape)
    sizes = [shape[axis] for axis in axes]
    scale, bias = uniform(sizes, 0.5, 1.5), uniform(sizes, seed=1)
    order = np.argsort(axes)
    own = [size if axis in axes else 1 for axis, size in enumerate(shape)]
    expected = _normal(x, axes, 1e-5)
    provided: dict[str, Any] = {}
    if parts in ("both", "scale"):
        expected = expected * scale.transpose(order).reshape(own)
        provided["scale"] = Constant(scale)
    if parts in ("both", "bias"):
        expected = expected + bias.transpose(order).reshape(own)
        provided["bias"] = Input(bias)
    result = expected.astype(np.float32)
    return case(name, "layerNormalization", [Input(x)], result, _TOLERANCE, axes=list(axes), **provided)


def _softmax(shape: tuple[int, ...], axis: int) -> Case:
    x = uniform(shape, -5, 5)
    exponents = np.exp(x.astype(np.float64))
    expected = (exponents / exponents.sum(axis, keepdims=True)).astype(np.float32)
    return case(f"{shape}_{axis}", "softmax", [Input(x), axis], expected, Tolerance(40, 0.05))


CASES = [
    _batch("nchw", (2, 3, 4, 5), Constant),
    _batch("nhwc", (2, 4, 5, 3), Constant, axis=3),
    _batch("inputs", (2, 3, 4), Input),
    _batch("plain", (2, 3), Constant, with_scale=False),
    _batch("plain_nhwc", (2, 4, 5, 3), Constant, with_scale=False, axis=3),
    _batch("plain_inputs", (2, 3), Input, with_scale=False, epsilon=1e-3),
    _batch("rank5", (2, 3, 2, 2, 2), Constant, axis=0),
    _instance("nchw", "nchw", Constant),
    _instance("nhwc", "nhwc", Input, epsilon=1e-3),
    _layer("last", (2, 3, 4), (2,)),
    _layer("two", (2, 3, 4), (1, 2)),
    _layer("turned", (2, 3, 4), (2, 0)),
    _layer("scale", (2, 3), (1,), parts="scale"),
    _layer("bias", (2, 3), (0,), parts="bias"),
    _layer("nothing", (2, 3), (1,), parts=""),
    _layer("no_axes", (2, 3), ()),
    *(_softmax(*row) for row in (((3, 4), 1), ((3, 4), 0), ((2, 3, 4, 2), 1), ((2, 1, 2, 3, 2), 4), ((5,), 0))),
    case("large", "softmax", [Input(float32([1000, 1000])), 0], float32([0.5, 0.5])),
]
