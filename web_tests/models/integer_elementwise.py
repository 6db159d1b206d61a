"""Sums, differences and products of int16 activations, squared differences of int8 ones."""

from dataclasses import dataclass
from typing import Literal

import numpy as np

from web_tests.models.model_writer import Quantization
from web_tests.models.one_node import one_node
from web_tests.models.recipes import SEED, Array

Shape = tuple[int, ...]


@dataclass(frozen=True)
class IntegerElementwise:
    """One node. `has_powers_of_two` selects the arithmetic of ADD and SUB for such scales."""

    op: Literal["ADD", "MUL", "SUB", "SQUARED_DIFFERENCE"]
    a: Shape
    b: Shape
    scales: tuple[float, float, float]
    zero_points: tuple[int, int, int] = (0, 0, 0)
    relu: bool = False
    has_powers_of_two: bool = False

    @property
    def dtype(self) -> str:
        return "int8" if self.op == "SQUARED_DIFFERENCE" else "int16"

    def model(self) -> bytes:
        """Return two activations -> the op's result."""
        shapes = (self.a, self.b, np.broadcast_shapes(self.a, self.b))
        a, b, y = (
            (shape, self.dtype, Quantization((scale,), (zero_point,)))
            for shape, scale, zero_point in zip(shapes, self.scales, self.zero_points, strict=True)
        )
        options = {} if self.op == "SQUARED_DIFFERENCE" else {"fusedActivationFunction": 1 if self.relu else 0}
        if self.op in ("ADD", "SUB"):
            options["potScaleInt16"] = self.has_powers_of_two
        version = 2 if self.op == "SQUARED_DIFFERENCE" else 4
        return one_node(self.op, [a, b], y, options, version=version)

    def inputs(self) -> list[Array]:
        """Return activations of the full range, small ones and the ends of the range among them."""
        random = np.random.default_rng(SEED)
        return [activations(random, shape, self.dtype) for shape in (self.a, self.b)]

    def real_sum(self, a: Array, b: Array) -> Array:
        """Return what ADD or SUB computes in units of the output, f64[...], before it is rounded."""
        scale_a, scale_b, scale_y = self.scales
        real = (a * scale_a + b * (scale_b if self.op == "ADD" else -scale_b)) / scale_y
        return np.clip(real, 0 if self.relu else -(2**15), 2**15 - 1)


def activations(random: np.random.Generator, shape: Shape, dtype: str) -> Array:
    """Return integers of the full range, small ones and the ends of the range among them."""
    low, high = np.iinfo(dtype).min, np.iinfo(dtype).max
    values = random.integers(low, high + 1, shape) >> random.integers(0, np.iinfo(dtype).bits, shape)
    ends = random.choice([low, high, 0], shape)
    return np.where(random.random(shape) < 0.1, ends, values).astype(dtype)


SHAPES: list[tuple[Shape, Shape]] = [
    ((5, 400), (5, 400)),
    ((7, 3), (7, 3)),
    ((3, 7, 19), (19,)),
    ((3, 7, 19), (3, 7, 1)),
    ((1, 7, 16), (3, 1, 16)),
    ((1,), (2, 45)),
    ((4, 1, 9), (1, 5, 1)),
    ((1, 1), (1, 1)),
]
SUMS: tuple[Literal["ADD", "SUB"], ...] = ("ADD", "SUB")
SUM_SCALES = [(1e-4, 3e-4, 3.3e-4), (3e-4, 1e-6, 2e-4), (2e-4, 2e-4, 2e-4), (0.25, 0.5, 0.25)]
DIFFERENCE_SCALES = [(0.05, 0.03, 0.2), (0.03, 0.05, 0.02), (0.05, 1e-6, 1.5), (0.05, 0.05, 0.001)]
ZERO_POINTS = (3, -7, -128)
PRODUCT_SCALES = [(1e-4, 3e-4, 2e-4), (1e-4, 3e-4, 1e-9), (2e-2, 3e-1, 1e-4), (0.5, 0.5, 0.5)]

INTEGER_ELEMENTWISE = [
    *(IntegerElementwise(op, *shapes, SUM_SCALES[0]) for op in SUMS for shapes in SHAPES),
    *(IntegerElementwise(op, *SHAPES[0], scales, relu=True) for op in SUMS for scales in SUM_SCALES),
    *(IntegerElementwise(op, *SHAPES[0], (0.25, 0.25, 0.25), has_powers_of_two=True) for op in SUMS),
    *(IntegerElementwise("MUL", *shapes, PRODUCT_SCALES[0]) for shapes in SHAPES),
    *(IntegerElementwise("MUL", *SHAPES[0], scales, relu=True) for scales in PRODUCT_SCALES),
    *(IntegerElementwise("SQUARED_DIFFERENCE", *shapes, DIFFERENCE_SCALES[0], ZERO_POINTS) for shapes in SHAPES),
    *(IntegerElementwise("SQUARED_DIFFERENCE", *SHAPES[0], scales, (-128, 127, 4)) for scales in DIFFERENCE_SCALES),
]

# TFLite's kernel for such scales does not broadcast.
BROADCAST_POWERS_OF_TWO = [
    IntegerElementwise(op, a, b, scales, relu=relu, has_powers_of_two=True)
    for op in SUMS
    for a, b in (((3, 7, 19), (19,)), ((1,), (2, 45)), ((4, 1, 9), (1, 5, 1)))
    for scales, relu in (((0.25, 0.25, 0.25), False), ((0.25, 0.5, 0.5), True), ((1.0, 0.125, 1.0), False))
]
