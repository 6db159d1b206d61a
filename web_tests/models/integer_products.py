"""Integer kernels of quantized transformers: products of activations, and of int16 ones with int8 weights."""

from dataclasses import dataclass, replace

import numpy as np

from web_tests.models.model_writer import NO_TENSOR, ModelWriter, Quantization
from web_tests.models.one_node import one_node
from web_tests.models.recipes import SEED, Array

Shape = tuple[int, ...]


@dataclass(frozen=True)
class BatchMatmul:
    """One node, whose second factor has a zero point in int8: XNNPACK rejects it.

    Attributes:
        unused_bits: of int16 activations; small ones have sums of 32 bits.
    """

    dtype: str
    a: Shape
    b: Shape
    adjoint_a: bool = False
    adjoint_b: bool = False
    unused_bits: int = 0

    def model(self) -> bytes:
        """Return two activations -> their product."""
        zero_points = (3, -7, 5) if self.dtype == "int8" else (0, 0, 0)
        scales = (0.02, 0.05, 0.3) if self.dtype == "int8" else (1e-4, 3e-4, 2e-3)
        shapes = (self.a, self.b, self._product())
        a, b, y = (
            (shape, self.dtype, Quantization((scale,), (zero_point,)))
            for shape, scale, zero_point in zip(shapes, scales, zero_points, strict=True)
        )
        options = {"adjX": self.adjoint_a, "adjY": self.adjoint_b}
        return one_node("BATCH_MATMUL", [a, b], y, options, version=3)

    def inputs(self) -> list[Array]:
        """Return activations of the full range, for int16 except for the lowest number."""
        values = [_integers(self.dtype, shape, index) for index, shape in enumerate((self.a, self.b))]
        return [(one >> self.unused_bits).astype(self.dtype) for one in values]

    def _product(self) -> Shape:
        rows, columns = self.a[-1 if self.adjoint_a else -2], self.b[-2 if self.adjoint_b else -1]
        return (*np.broadcast_shapes(self.a[:-2], self.b[:-2]), rows, columns)


@dataclass(frozen=True)
class FullyConnected:
    """One node with int16 activations and int8 weights.

    Attributes:
        bias: its dtype, if it has one.
        has_bias: without the tensor, its dtype remains.
        largest_bias: of either sign.
        has_ties: some of the scaled sums lie in the middle between two integers.
        zero_point: of the weights.
    """

    rows: int
    depth: int
    units: int
    bias: str = ""
    per_channel: bool = True
    relu: bool = False
    has_bias: bool = True
    largest_bias: int = 2**20
    has_ties: bool = False
    zero_point: int = 0

    def model(self) -> bytes:
        """Return i16[rows,depth] -> i16[rows,units]."""
        random = np.random.default_rng(SEED)
        writer = ModelWriter()
        x_scale, y_scale = (1.0, 256.0) if self.has_ties else (1e-4, 2e-4 * self.depth**0.5)
        y_scale *= max(1, self.largest_bias / 2**21)
        x = writer.tensor("x", (self.rows, self.depth), "int16", Quantization((x_scale,)))
        y = writer.tensor("y", (self.rows, self.units), "int16", Quantization((y_scale,)))
        scales = random.uniform(0.005, 0.02, self.units if self.per_channel else 1)
        if self.has_ties:
            scales = np.full_like(scales, y_scale / 16)
        weights = _integers("int8", (self.units, self.depth), 2)
        of_weights = Quantization(tuple(scales.tolist()), (self.zero_point,))
        operands = [x, writer.constant("weights", weights, of_weights), NO_TENSOR]
        options = {"fusedActivationFunction": 1 if self.relu else 0}
        if self.bias and self.has_bias:
            values = random.integers(-self.largest_bias, self.largest_bias, self.units).astype(self.bias)
            bias_scales = tuple((scales * x_scale).tolist())
            operands[2] = writer.constant("bias", values, Quantization(bias_scales))
        if self.bias:
            options["quantizedBiasType"] = 4 if self.bias == "int64" else 2
        writer.node("FULLY_CONNECTED", operands, [y], options, version=11)
        return writer.finish([x], [y])

    def inputs(self) -> list[Array]:
        """Return activations of the full range; small ones if ties must not be clamped."""
        values = _integers("int16", (self.rows, self.depth), 0)
        return [values // np.int16(1024) if self.has_ties else values]


@dataclass(frozen=True)
class Conv2d:
    """One node with int16 activations, int8 weights [O,H,W,I] and an int64 bias; depthwise, weights are [1,H,W,O].

    Attributes:
        is_lowest: all inputs and weights are the lowest number.
    """

    x: Shape
    weights: Shape
    is_depthwise: bool = False
    same_padding: bool = True
    stride: tuple[int, int] = (1, 1)
    dilation: tuple[int, int] = (1, 1)
    relu: bool = False
    is_lowest: bool = False

    def model(self) -> bytes:
        """Return i16[N,H,W,I] -> i16[N,H',W',O]."""
        writer = ModelWriter()
        x = writer.tensor("x", self.x, "int16", Quantization((1e-4,)))
        return writer.finish([x], [self.add(writer, x)])

    def add(self, writer: ModelWriter, x: int, name: str = "y") -> int:
        """Add the node, and return the tensor that it computes of tensor `x`."""
        random = np.random.default_rng(SEED)
        axis = 3 if self.is_depthwise else 0
        channels = self.weights[axis]
        scales = random.uniform(0.005, 0.02, channels)
        bias = random.integers(-(2**20), 2**20, channels)
        y_scale = 2e-4 * float(np.prod(self.weights[1 : -1 if self.is_depthwise else None])) ** 0.5
        y = writer.tensor(name, self._output(), "int16", Quantization((y_scale,)))
        values = np.full(self.weights, -128, np.int8) if self.is_lowest else _integers("int8", self.weights, 2)
        weights = writer.constant("weights", values, Quantization(tuple(scales.tolist()), axis=axis))
        operands = [x, weights, writer.constant("bias", bias, Quantization(tuple((scales * 1e-4).tolist())))]
        options: dict[str, object] = {
            "padding": 0 if self.same_padding else 1,
            "strideH": self.stride[0],
            "strideW": self.stride[1],
            "dilationHFactor": self.dilation[0],
            "dilationWFactor": self.dilation[1],
            "fusedActivationFunction": 1 if self.relu else 0,
        }
        if self.is_depthwise:
            options["depthMultiplier"] = channels // self.x[3]
        else:
            options["quantizedBiasType"] = 4
        op = "DEPTHWISE_CONV_2D" if self.is_depthwise else "CONV_2D"
        writer.node(op, operands, [y], options, version=5 if self.is_depthwise else 8)
        return y

    def inputs(self) -> list[Array]:
        return [np.full(self.x, -(2**15), np.int16) if self.is_lowest else _integers("int16", self.x, 0)]

    def _output(self) -> Shape:
        sizes = []
        for axis in range(2):
            reach = (self.weights[1 + axis] - 1) * self.dilation[axis]
            valid = self.x[1 + axis] - (0 if self.same_padding else reach)
            sizes.append(-(-valid // self.stride[axis]))
        return (self.x[0], *sizes, self.weights[3 if self.is_depthwise else 0])


def neighbours() -> tuple[bytes, list[Array]]:
    """Return depthwise convolutions i16[1,8,8,12] -> i16[1,4,4,12], i16[1,8,8,12], and inputs.

    TFLite's arena has the first output, which is smaller and computed before, directly behind the second.
    """
    full = Conv2d((1, 8, 8, 12), (1, 3, 3, 12), is_depthwise=True)
    writer = ModelWriter()
    x = writer.tensor("x", full.x, "int16", Quantization((1e-4,)))
    hidden = full.add(writer, x, "hidden")
    first = replace(full, stride=(2, 2)).add(writer, hidden, "first")
    return writer.finish([x], [first, full.add(writer, hidden, "second")]), full.inputs()


def _integers(dtype: str, shape: Shape, index: int) -> Array:
    low = np.iinfo(dtype).min + (1 if dtype == "int16" else 0)
    random = np.random.default_rng(SEED + index)
    return random.integers(low, np.iinfo(dtype).max + 1, shape).astype(dtype)


BATCH_MATMULS = [
    BatchMatmul("int16", (3, 19, 24), (3, 24, 17), unused_bits=3),
    BatchMatmul("int16", (2, 7, 9), (2, 8, 9), adjoint_b=True, unused_bits=2),
]
BATCH_MATMULS += [
    BatchMatmul(dtype, *shapes)
    for dtype in ("int8", "int16")
    for shapes in (
        ((3, 19, 24), (3, 24, 17)),
        ((2, 1, 5, 9), (3, 9, 4)),
        ((1, 7, 5), (1, 7, 6), True, False),
        ((2, 5, 8), (1, 3, 8), False, True),
        ((6, 11), (2, 13, 6), True, True),
        ((5, 777), (777, 12)),
        ((1, 1, 1), (1, 1, 1)),
    )
]

FULLY_CONNECTED = [
    FullyConnected(7, 40, 9),
    FullyConnected(1, 2100, 6),
    FullyConnected(5, 16, 8, bias="int64"),
    FullyConnected(5, 17, 3, bias="int32", relu=True),
    FullyConnected(3, 33, 5, per_channel=False),
    FullyConnected(3, 33, 5, bias="int64", per_channel=False),
    FullyConnected(5, 777, 6, bias="int64", largest_bias=2**30),
    FullyConnected(40, 12, 7, bias="int64", largest_bias=100, has_ties=True),
    FullyConnected(40, 12, 7, bias="int64", has_bias=False, has_ties=True),
    FullyConnected(3, 33, 5, per_channel=False, zero_point=3),
    # Doubles do not hold these sums: they are left to TFLite.
    FullyConnected(2, 8, 5, bias="int64", largest_bias=2**56),
]

CONV_2D = [
    Conv2d((1, 32, 32, 3), (7, 16, 16, 3), same_padding=False, stride=(16, 16)),
    Conv2d((2, 7, 6, 5), (6, 3, 3, 5)),
    Conv2d((1, 9, 8, 4), (3, 3, 2, 4), stride=(2, 3), relu=True),
    Conv2d((1, 9, 11, 2), (5, 3, 3, 2), same_padding=False, dilation=(2, 3)),
    Conv2d((1, 40, 40, 24), (9, 1, 1, 24)),
    Conv2d((1, 20, 20, 40), (2, 3, 3, 40)),
    Conv2d((1, 5, 5, 6), (4, 3, 3, 3)),
    Conv2d((2, 7, 6, 24), (1, 3, 3, 24), is_depthwise=True),
    Conv2d((1, 9, 8, 13), (1, 5, 5, 13), is_depthwise=True, stride=(2, 3), relu=True),
    Conv2d((1, 9, 11, 8), (1, 3, 2, 8), is_depthwise=True, same_padding=False, dilation=(2, 3)),
    # Less than a vector of channels, two filters a channel, and more taps than 32 bits hold: TFLite's.
    Conv2d((1, 5, 5, 7), (1, 3, 3, 7), is_depthwise=True),
    Conv2d((1, 5, 5, 8), (1, 3, 3, 16), is_depthwise=True),
    Conv2d((1, 24, 24, 8), (1, 24, 24, 8), is_depthwise=True, same_padding=False, is_lowest=True),
]
