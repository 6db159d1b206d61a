"""Models for the kernels of wasm/tflite_kernels that replace TFLite's: each case is a node with its own input."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from web_tests.models.model_writer import NO_TENSOR, ModelWriter, Quantization
from web_tests.models.one_node import one_node
from web_tests.models.op_options import Options
from web_tests.models.recipes import SEED, Array

SAME, VALID = 0, 1
NO_ACTIVATION, RELU, RELU_N1_TO_1, RELU6 = 0, 1, 2, 3


@dataclass(frozen=True)
class HybridDepthwise:
    """A DEPTHWISE_CONV_2D of float32 activations and int8 weights.

    Attributes:
        shape: of the input, [batch, height, width, channels].
        window: height and width of the filter.
        stride: vertical and horizontal.
        dilation: vertical and horizontal.
        padding: SAME or VALID.
        activation: of the schema's ActivationFunctionType.
        multiplier: filters per channel.
        low: lower bounds of the input's uniform values, one per image of the batch.
        high: upper bounds; if both are 0, the image is all zeros.
    """

    shape: tuple[int, int, int, int]
    window: tuple[int, int] = (3, 3)
    stride: tuple[int, int] = (1, 1)
    dilation: tuple[int, int] = (1, 1)
    padding: int = SAME
    activation: int = NO_ACTIVATION
    multiplier: int = 1
    low: tuple[float, ...] = (-2.0,)
    high: tuple[float, ...] = (3.0,)

    @property
    def channels(self) -> int:
        """Number of the output's channels."""
        return self.shape[3] * self.multiplier

    @property
    def output_shape(self) -> tuple[int, int, int, int]:
        """Shape of the output, [batch, height, width, channels]."""
        height, width = (self._output_size(axis) for axis in range(2))
        return (self.shape[0], height, width, self.channels)

    def input(self, random: np.random.Generator) -> Array:
        images = [
            random.uniform(self.low[index % len(self.low)], self.high[index % len(self.high)], self.shape[1:])
            for index in range(self.shape[0])
        ]
        return np.stack(images).astype(np.float32)

    def options(self) -> Options:
        return {
            "padding": self.padding,
            "strideH": self.stride[0],
            "strideW": self.stride[1],
            "depthMultiplier": self.multiplier,
            "dilationHFactor": self.dilation[0],
            "dilationWFactor": self.dilation[1],
            "fusedActivationFunction": self.activation,
        }

    def _output_size(self, axis: int) -> int:
        size, stride = self.shape[1 + axis], self.stride[axis]
        reach = (self.window[axis] - 1) * self.dilation[axis] + 1
        return -(-size // stride) if self.padding == SAME else -(-(size - reach + 1) // stride)


# Cases for this project's kernel: one filter per channel, and at least 8 channels.
HYBRID_DEPTHWISE = (
    HybridDepthwise((1, 9, 8, 16)),
    HybridDepthwise((1, 9, 8, 32), stride=(2, 2), activation=RELU6),
    HybridDepthwise((1, 7, 7, 24), padding=VALID, activation=RELU),
    HybridDepthwise((1, 8, 9, 8), window=(5, 5), stride=(2, 1), activation=RELU_N1_TO_1),
    HybridDepthwise((1, 6, 5, 9), window=(2, 2), padding=VALID),
    HybridDepthwise((1, 6, 5, 10), window=(3, 1), stride=(1, 3)),
    HybridDepthwise((1, 5, 6, 13), window=(1, 3)),
    HybridDepthwise((1, 5, 5, 17), window=(1, 1)),
    HybridDepthwise((1, 12, 11, 19), dilation=(2, 3), activation=RELU),
    HybridDepthwise((1, 12, 11, 40), dilation=(3, 2), padding=VALID),
    HybridDepthwise((1, 4, 4, 33), window=(7, 7)),
    HybridDepthwise((1, 2, 2, 20), window=(5, 3), dilation=(4, 4)),
    HybridDepthwise((3, 6, 7, 21), low=(-1, 0, 0.5), high=(0, 9, 0.6)),
    HybridDepthwise((3, 6, 6, 16), low=(-1, 0, -1e-30), high=(1, 0, 1e-30), activation=RELU6),
    HybridDepthwise((1, 3, 3, 2100)),
    HybridDepthwise((1, 33, 17, 96), activation=RELU6, low=(0,), high=(6,)),
)
# Cases that it leaves to TFLite's.
OTHER_HYBRID_DEPTHWISE = (
    HybridDepthwise((1, 6, 6, 1)),
    HybridDepthwise((1, 8, 8, 7), activation=RELU),
    HybridDepthwise((1, 8, 8, 8), multiplier=2),
    HybridDepthwise((2, 8, 8, 1), multiplier=16, activation=RELU6),
)


class ComputedDepthwise(HybridDepthwise):
    """A DEPTHWISE_CONV_2D of float32 whose filter and bias are inputs."""

    def inputs(self) -> list[Array]:
        """Return the image, in which one value is NaN, the filter and the bias."""
        random = np.random.default_rng(SEED)
        image = self.input(random)
        image.flat[0] = np.nan
        shapes = (1, *self.window, self.channels), (self.channels,)
        return [image, *(random.uniform(-1, 1, shape).astype(np.float32) for shape in shapes)]

    def model(self) -> bytes:
        """Return a model of this node."""
        operands = (self.shape,), ((1, *self.window, self.channels),), ((self.channels,),)
        return one_node("DEPTHWISE_CONV_2D", operands, (self.output_shape,), self.options())


COMPUTED_DEPTHWISE = (
    ComputedDepthwise((1, 9, 8, 16)),
    ComputedDepthwise((2, 9, 8, 37), stride=(2, 2), activation=RELU6),
    ComputedDepthwise((1, 8, 9, 6), window=(5, 4), stride=(2, 1), padding=VALID, activation=RELU),
    ComputedDepthwise((1, 12, 11, 20), dilation=(2, 3)),
    ComputedDepthwise((2, 2, 2, 4), window=(5, 3), dilation=(4, 4)),
    ComputedDepthwise((1, 33, 17, 96)),
    ComputedDepthwise((1, 5, 6, 3), multiplier=4),
    ComputedDepthwise((1, 5, 6, 1), multiplier=20, activation=RELU),
)


def hybrid_depthwise(cases: Sequence[HybridDepthwise], bias: Literal["some", "zero", "none"] = "some") -> bytes:
    """Return a model of these nodes side by side."""
    writer = ModelWriter()
    inputs, outputs = [], []
    for index, case in enumerate(cases):
        random = np.random.default_rng(SEED + index)
        steps = random.integers(-127, 128, (1, *case.window, case.channels)).astype(np.int8)
        scales = random.uniform(0.001, 0.02, case.channels)
        weights = writer.constant(f"weights_{index}", steps, Quantization(tuple(scales.tolist()), (0,), 3))
        inputs.append(writer.tensor(f"x_{index}", case.shape))
        outputs.append(writer.tensor(f"y_{index}", case.output_shape))
        operands = [inputs[-1], weights]
        if bias != "none":
            summands = random.uniform(-1, 1, case.channels) * (bias == "some")
            operands.append(writer.constant(f"bias_{index}", summands.astype(np.float32)))
        writer.node("DEPTHWISE_CONV_2D", operands, outputs[-1:], case.options(), version=6)
    return writer.finish(inputs, outputs)


def hybrid_depthwise_inputs(cases: Sequence[HybridDepthwise]) -> list[Array]:
    random = np.random.default_rng(SEED)
    return [case.input(random) for case in cases]


@dataclass(frozen=True)
class DilatedConv3d:
    """A float32 CONV_3D with more channels than the input is deep; integer values make sums exact."""

    shape: tuple[int, int, int, int, int]
    window: tuple[int, int, int]
    dilation: tuple[int, int, int]

    def input(self) -> Array:
        return np.random.default_rng(SEED).integers(1, 5, self.shape).astype(np.float32)

    def model(self) -> bytes:
        """Return a model of this node, with padding SAME and two output channels."""
        weights = np.random.default_rng(SEED).integers(1, 5, (*self.window, self.shape[-1], 2)).astype(np.float32)
        strides = dict.fromkeys(("strideD", "strideH", "strideW"), 1)
        names = ("dilationDFactor", "dilationHFactor", "dilationWFactor")
        options = strides | dict(zip(names, self.dilation, strict=True)) | {"padding": SAME}
        return one_node("CONV_3D", [(self.shape,), (weights,)], ((*self.shape[:-1], 2),), options)


DILATED_CONV_3D = (
    DilatedConv3d((1, 1, 1, 4, 5), (1, 1, 2), (1, 1, 2)),
    DilatedConv3d((2, 2, 5, 6, 9), (2, 3, 3), (1, 2, 2)),
    DilatedConv3d((1, 4, 3, 3, 6), (3, 1, 1), (2, 1, 1)),
)


def padded_conv_3d_transpose() -> bytes:
    """Return a CONV_3D_TRANSPOSE whose padding differs by axis; its input is [1, 1, 2, 4, 1] of float32."""
    weights = np.random.default_rng(SEED).integers(1, 5, (1, 2, 2, 3, 1)).astype(np.float32)
    options = {"padding": SAME, "strideD": 3, "strideH": 2, "strideW": 2}
    options |= dict.fromkeys(("dilationDFactor", "dilationHFactor", "dilationWFactor"), 1)
    shape = (1, 3, 4, 8, 3)
    inputs = (np.array(shape, np.int32),), (weights,), ((1, 1, 2, 4, 1),)
    return one_node("CONV_3D_TRANSPOSE", inputs, (shape,), options)


def svdf_without_bias() -> bytes:
    """Return an SVDF without its bias, the only optional input; its input is [2, 3] of float32."""
    writer = ModelWriter()
    random = np.random.default_rng(SEED)
    x, y = writer.tensor("x", (2, 3)), writer.tensor("y", (2, 4))
    features = writer.constant("features", random.uniform(-1, 1, (4, 3)).astype(np.float32))
    times = writer.constant("times", random.uniform(-1, 1, (4, 5)).astype(np.float32))
    state = writer.variable("state", (2, 20))
    options = {"rank": 1}
    writer.node("SVDF", [x, features, times, NO_TENSOR, state], [y], options)
    return writer.finish([x], [y])


@dataclass(frozen=True)
class Requantization:
    """A QUANTIZE between two types, each with scale and zero point."""

    source: str
    source_quantization: Quantization
    target: str
    target_quantization: Quantization

    def input(self) -> Array:
        """Return every value of the type, and three of them again, which a vector of 16 leaves over."""
        values = np.arange(256 + 3) % 256 + np.iinfo(self.source).min
        return values.astype(self.source)


def requantization(case: Requantization) -> bytes:
    shape = case.input().shape
    source, target = (shape, case.source, case.source_quantization), (shape, case.target, case.target_quantization)
    return one_node("QUANTIZE", [source], target, version=2)


SCALE = 0.0375
REQUANTIZATIONS = {
    "flip_to_int8": Requantization("uint8", Quantization((SCALE,), (127,)), "int8", Quantization((SCALE,), (-1,))),
    "flip_to_uint8": Requantization("int8", Quantization((SCALE,), (-128,)), "uint8", Quantization((SCALE,), (0,))),
    "other_zero_point": Requantization("uint8", Quantization((SCALE,), (127,)), "int8", Quantization((SCALE,), (1,))),
    "other_scale": Requantization("int8", Quantization((SCALE,), (-1,)), "uint8", Quantization((0.04,), (127,))),
}
