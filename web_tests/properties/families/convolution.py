"""CONV_2D, DEPTHWISE_CONV_2D, TRANSPOSE_CONV, CONV_3D and CONV_3D_TRANSPOSE."""

import math
from dataclasses import dataclass

import numpy as np
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from web_tests.models.model_writer import Quantization
from web_tests.properties.families.common import (
    ACTIVATIONS,
    REAL_KINDS,
    SCALES,
    SEEDS,
    Shape,
    Strategy,
    constant,
    fills,
    full_range,
    near,
    operands,
    quantizations,
)
from web_tests.properties.spec import Fill, Kind, NodeSpec, Operand, Options, Result

SAME, VALID = 0, 1
BIAS_DTYPES = {"int8": "int32", "uint8": "int32", "int16": "int64"}
WEIGHT_SCALES = (0.01, 0.0041, 0.0078125, 0.33, 1.0)
FORMS = ("float32", "int8", "uint8", "int16", "hybrid")


@dataclass(frozen=True)
class Window:
    """One axis of a convolution."""

    size: int
    kernel: int
    stride: int
    dilation: int

    def output(self, padding: int) -> int:
        """Return the output's size."""
        reach = (self.kernel - 1) * self.dilation + 1
        return -(-self.size // self.stride) if padding == SAME else -(-(self.size - reach + 1) // self.stride)


@st.composite
def windows(draw: DrawFn, padding: int, max_size: int = 12) -> Window:
    """Draw sizes, including kernel < stride, leftover input, and filters beyond the input."""
    kernel, stride = draw(st.integers(1, 5)), draw(st.integers(1, 4))
    dilation = draw(st.integers(1, 3)) if stride == 1 or draw(st.integers(0, 5)) == 5 else 1
    min_size = 1 if padding == SAME else (kernel - 1) * dilation + 1
    return Window(draw(st.integers(min_size, max(max_size, min_size))), kernel, stride, dilation)


@st.composite
def weighted(
    draw: DrawFn, form: str, filters: Shape, axis: int, terms: int, outputs: int, *, per_tensor: bool = True
) -> "Weighted":
    """Draw data's quantization, filters, bias and result of a layer with weights.

    `axis` is that of the output channels, `terms` the number of products in an output's sum;
    `per_tensor` allows a single scale for hybrid weights.
    """
    has_bias = draw(st.booleans())
    if form in ("float32", "hybrid"):
        kind: Kind = draw(st.sampled_from(REAL_KINDS))
        bias = Operand((outputs,), Fill(kind, -4, 5, draw(SEEDS)), role="constant") if has_bias else None
        if form == "float32":
            weights = draw(operands(filters, low=-4, high=5, kinds=(kind,), constant=True))
            return Weighted("float32", None, kind, weights, bias, Result(), 16.0 * terms)
        scales = draw(_weight_scales(outputs, per_channel=not per_tensor or draw(st.booleans())))
        weights = Operand(filters, Fill("integer", -127, 128, draw(SEEDS)), "int8", _along(scales, axis), "constant")
        return Weighted("float32", None, "uniform", weights, bias, Result(), 5 * 127 * max(scales) * terms)
    data = draw(quantizations(form, [scale for scale in SCALES if 1e-4 < scale < 2]))
    if form == "uint8":
        own = draw(quantizations("uint8", WEIGHT_SCALES))
        scales, content = own.scales, full_range("uint8", draw(SEEDS))
        weights = Operand(filters, content, "uint8", own, "constant")
    else:
        scales = draw(_weight_scales(outputs, per_channel=draw(st.booleans())))
        weights = Operand(filters, Fill("integer", -127, 128, draw(SEEDS)), "int8", _along(scales, axis), "constant")
    summed = tuple(float(np.float32(data.scales[0]) * np.float32(scale)) for scale in scales)
    bias = None
    if has_bias:
        content = Fill("integer", -3000, 3001, draw(SEEDS))
        bias = Operand((outputs,), content, BIAS_DTYPES[form], Quantization(summed, (0,), 0), "constant")
    spread = 50 if form == "int16" else 1
    result = draw(near(form, max(summed) * 60 * math.sqrt(terms) * spread))
    return Weighted(form, data, "integer", weights, bias, Result(form, result), 0.0)


@dataclass(frozen=True)
class Weighted:
    """A layer with weights: the type of its data, its weights and bias, and its result."""

    dtype: str
    quantization: Quantization | None
    kind: Kind
    weights: Operand
    bias: Operand | None
    result: Result
    magnitude: float


@st.composite
def data_of(draw: DrawFn, layer: Weighted, shape: Shape) -> Operand:
    return draw(operands(shape, layer.dtype, quantization=layer.quantization, kinds=(layer.kind,), constant=False))


@st.composite
def _weight_scales(draw: DrawFn, outputs: int, *, per_channel: bool) -> tuple[float, ...]:
    scales = st.sampled_from(WEIGHT_SCALES[:3])
    if not per_channel:
        return (draw(st.sampled_from(WEIGHT_SCALES)),)
    return tuple(draw(scales) for _ in range(outputs))


def _along(scales: tuple[float, ...], axis: int) -> Quantization:
    return Quantization(scales, (0,), axis)


def _options(padding: int, *axes: Window) -> Options:
    named = list(zip("DHW"[-len(axes) :], axes, strict=True))
    strides = ((f"stride{name}", axis.stride) for name, axis in named)
    return (("padding", padding), *strides, *((f"dilation{name}Factor", axis.dilation) for name, axis in named))


@st.composite
def conv_2d(draw: DrawFn) -> NodeSpec:
    """Draw a CONV_2D, also a grouped one."""
    padding = draw(st.sampled_from((SAME, VALID)))
    height, width = draw(windows(padding)), draw(windows(padding))
    form = draw(st.sampled_from(FORMS))
    groups = draw(st.sampled_from((1, 1, 1, 1, 2, 3))) if form in ("float32", "int8") else 1
    channels, outputs = groups * draw(st.integers(1, 9 // groups)), groups * draw(st.integers(1, 9 // groups))
    filters = (outputs, height.kernel, width.kernel, channels // groups)
    layer = draw(weighted(form, filters, 0, math.prod(filters[1:]), outputs))
    shape = (draw(st.sampled_from((1, 1, 1, 2, 3, 0))), height.size, width.size, channels)
    options = (*_options(padding, height, width), ("fusedActivationFunction", draw(ACTIVATIONS)))
    # Native's grouped kernel requires a bias.
    bias = layer.bias or _zeros(layer, outputs)
    parts = (draw(data_of(layer, shape)), layer.weights, bias)
    return NodeSpec("CONV_2D", parts, (layer.result,), options, layer.magnitude)


def _zeros(layer: Weighted, outputs: int) -> Operand | None:
    """Return the zero bias that converters write for a layer without one."""
    if layer.quantization is None:
        return Operand((outputs,), Fill("integer", 0, 1, 0), role="constant")
    quantization = layer.weights.quantization
    assert quantization
    scales = tuple(float(np.float32(layer.quantization.scales[0]) * np.float32(each)) for each in quantization.scales)
    dtype = BIAS_DTYPES[layer.dtype]
    return Operand((outputs,), Fill("integer", 0, 1, 0), dtype, Quantization(scales, (0,), 0), "constant")


@st.composite
def depthwise_conv_2d(draw: DrawFn) -> NodeSpec:
    padding = draw(st.sampled_from((SAME, VALID)))
    height, width = draw(windows(padding)), draw(windows(padding))
    form = draw(st.sampled_from(FORMS))
    channels, multiplier = draw(st.integers(1, 17)), draw(st.sampled_from((1, 1, 1, 2, 3, 8)))
    outputs = channels * multiplier
    filters = (1, height.kernel, width.kernel, outputs)
    layer = draw(weighted(form, filters, 3, height.kernel * width.kernel, outputs, per_tensor=False))
    more = (("depthMultiplier", multiplier), ("fusedActivationFunction", draw(ACTIVATIONS)))
    options = (*_options(padding, height, width), *more)
    shape = (draw(st.sampled_from((1, 1, 1, 2, 3, 0))), height.size, width.size, channels)
    parts = (draw(data_of(layer, shape)), layer.weights, layer.bias or _zeros(layer, outputs))
    return NodeSpec("DEPTHWISE_CONV_2D", parts, (layer.result,), options, layer.magnitude)


@st.composite
def transpose_conv(draw: DrawFn) -> NodeSpec:
    """Draw a TRANSPOSE_CONV; its output may have any size whose convolution has the input's."""
    padding = draw(st.sampled_from((SAME, VALID)))
    form = draw(st.sampled_from(("float32", "int8", "uint8", "int16")))
    sizes, outs, kernels, strides = [], [], [], []
    for _ in range(2):
        size, kernel, stride = draw(st.integers(1, 6)), draw(st.integers(1, 5)), draw(st.integers(1, 3))
        full = size * stride if padding == SAME else (size - 1) * stride + kernel
        outs.append(
            full - draw(st.integers(0, stride - 1)) if padding == SAME else full + draw(st.integers(0, stride - 1))
        )
        sizes.append(size)
        kernels.append(kernel)
        strides.append(stride)
    channels, outputs, batch = draw(st.integers(1, 7)), draw(st.integers(1, 7)), draw(st.sampled_from((1, 1, 2)))
    filters = (outputs, *kernels, channels)
    layer = draw(weighted(form, filters, 0, math.prod(kernels) * channels, outputs))
    options = (
        ("padding", padding),
        ("strideH", strides[0]),
        ("strideW", strides[1]),
        ("fusedActivationFunction", draw(ACTIVATIONS)),
    )
    bias = () if layer.bias is None else (layer.bias,)
    parts = (constant((batch, *outs, outputs)), layer.weights, draw(data_of(layer, (batch, *sizes, channels))), *bias)
    return NodeSpec("TRANSPOSE_CONV", parts, (layer.result,), options, layer.magnitude)


@st.composite
def conv_3d(draw: DrawFn) -> NodeSpec:
    """Draw a CONV_3D of float32."""
    padding = draw(st.sampled_from((SAME, VALID)))
    axes = [draw(windows(padding, 6)) for _ in range(3)]
    channels, outputs = draw(st.integers(1, 4)), draw(st.integers(1, 4))
    filters = (*(axis.kernel for axis in axes), channels, outputs)
    kinds = (draw(st.sampled_from(REAL_KINDS)),)
    bias = (draw(operands((outputs,), kinds=kinds, constant=True)),) if draw(st.booleans()) else ()
    data = draw(
        operands((draw(st.integers(1, 2)), *(axis.size for axis in axes), channels), kinds=kinds, constant=False)
    )
    parts = (data, draw(operands(filters, kinds=kinds, constant=True)), *bias)
    options = (*_options(padding, *axes), ("fusedActivationFunction", draw(ACTIVATIONS)))
    return NodeSpec("CONV_3D", parts, (Result(),), options, 20.0 * math.prod(filters[:4]))


@st.composite
def conv_3d_transpose(draw: DrawFn) -> NodeSpec:
    """Draw a CONV_3D_TRANSPOSE of float32."""
    padding = draw(st.sampled_from((SAME, VALID)))
    axes = [Window(draw(st.integers(1, 4)), draw(st.integers(1, 3)), draw(st.integers(1, 3)), 1) for _ in range(3)]
    outs = [
        axis.size * axis.stride if padding == SAME else (axis.size - 1) * axis.stride + axis.kernel for axis in axes
    ]
    channels, outputs = draw(st.integers(1, 3)), draw(st.integers(1, 3))
    kinds = (draw(st.sampled_from(REAL_KINDS)),)
    filters = draw(operands((*(axis.kernel for axis in axes), outputs, channels), kinds=kinds, constant=True))
    data = Operand((1, *(axis.size for axis in axes), channels), draw(fills(-4, 5, kinds)))
    bias = (draw(operands((outputs,), kinds=kinds, constant=True)),) if draw(st.booleans()) else ()
    parts = (constant((1, *outs, outputs)), filters, data, *bias)
    options = _options(padding, *axes)
    return NodeSpec("CONV_3D_TRANSPOSE", parts, (Result(),), options, 20.0 * 27 * channels)


STRATEGIES: dict[str, Strategy] = {
    "CONV_2D": conv_2d(),
    "DEPTHWISE_CONV_2D": depthwise_conv_2d(),
    "TRANSPOSE_CONV": transpose_conv(),
    "CONV_3D": conv_3d(),
    "CONV_3D_TRANSPOSE": conv_3d_transpose(),
}
