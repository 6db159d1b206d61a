"""Products of integers as quantized transformers have them: BATCH_MATMUL of activations, FULLY_CONNECTED in int16."""

from dataclasses import dataclass

import numpy as np

from web_tests.models.model_writer import NO_TENSOR, ModelWriter, Quantization, options_object
from web_tests.models.recipes import SEED, Array

Shape = tuple[int, ...]


@dataclass(frozen=True)
class BatchMatmul:
    """One node, whose second factor has a zero point in int8: XNNPACK does not take it."""

    dtype: str
    a: Shape
    b: Shape
    adjoint_a: bool = False
    adjoint_b: bool = False

    def model(self) -> bytes:
        """Return two activations -> their product."""
        zero_points = (3, -7, 5) if self.dtype == "int8" else (0, 0, 0)
        scales = (0.02, 0.05, 0.3) if self.dtype == "int8" else (1e-4, 3e-4, 2e-3)
        writer = ModelWriter()
        shapes = (self.a, self.b, self._product())
        a, b, y = (
            writer.tensor(name, shape, self.dtype, Quantization((scale,), (zero_point,)))
            for name, shape, scale, zero_point in zip("aby", shapes, scales, zero_points, strict=True)
        )
        options = options_object("BatchMatMulOptions", {"adjX": self.adjoint_a, "adjY": self.adjoint_b})
        writer.node("BATCH_MATMUL", [a, b], [y], options, version=3)
        return writer.finish([a, b], [y])

    def inputs(self) -> list[Array]:
        """Return activations of the whole range, for int16 except for the lowest number."""
        return [_integers(self.dtype, shape, index) for index, shape in enumerate((self.a, self.b))]

    def _product(self) -> Shape:
        rows, columns = self.a[-1 if self.adjoint_a else -2], self.b[-2 if self.adjoint_b else -1]
        return (*np.broadcast_shapes(self.a[:-2], self.b[:-2]), rows, columns)


@dataclass(frozen=True)
class FullyConnected:
    """One node with int16 activations and int8 weights. `bias` is its dtype, if it has one."""

    rows: int
    depth: int
    units: int
    bias: str = ""
    per_channel: bool = True
    relu: bool = False

    def model(self) -> bytes:
        """Return i16[rows,depth] -> i16[rows,units]."""
        random = np.random.default_rng(SEED)
        writer = ModelWriter()
        x = writer.tensor("x", (self.rows, self.depth), "int16", Quantization((1e-4,)))
        y = writer.tensor("y", (self.rows, self.units), "int16", Quantization((2e-4 * self.depth**0.5,)))
        scales = random.uniform(0.005, 0.02, self.units if self.per_channel else 1)
        weights = _integers("int8", (self.units, self.depth), 2)
        operands = [x, writer.constant("weights", weights, Quantization(tuple(scales.tolist()))), NO_TENSOR]
        options = {"fusedActivationFunction": 1 if self.relu else 0}
        if self.bias:
            values = random.integers(-(2**20), 2**20, self.units).astype(self.bias)
            bias_scales = tuple((scales * 1e-4).tolist())
            operands[2] = writer.constant("bias", values, Quantization(bias_scales))
            options["quantizedBiasType"] = 4 if self.bias == "int64" else 2
        writer.node("FULLY_CONNECTED", operands, [y], options_object("FullyConnectedOptions", options), version=11)
        return writer.finish([x], [y])

    def inputs(self) -> list[Array]:
        return [_integers("int16", (self.rows, self.depth), 0)]


def _integers(dtype: str, shape: Shape, index: int) -> Array:
    low = np.iinfo(dtype).min + (1 if dtype == "int16" else 0)
    random = np.random.default_rng(SEED + index)
    return random.integers(low, np.iinfo(dtype).max + 1, shape).astype(dtype)


BATCH_MATMULS = [
    BatchMatmul(dtype, *shapes)
    for dtype in ("int8", "int16")
    for shapes in (
        ((3, 19, 24), (3, 24, 17)),
        ((2, 1, 5, 9), (3, 9, 4)),
        ((1, 7, 5), (1, 7, 6), True, False),
        ((2, 5, 8), (1, 3, 8), False, True),
        ((6, 11), (2, 13, 6), True, True),
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
]
