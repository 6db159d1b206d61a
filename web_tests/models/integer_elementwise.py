"""Sums and products of int16 activations."""

from dataclasses import dataclass
from typing import Literal

import numpy as np

from web_tests.models.model_writer import ModelWriter, Quantization, options_object
from web_tests.models.recipes import SEED, Array

Shape = tuple[int, ...]


@dataclass(frozen=True)
class IntegerElementwise:
    """One node. `has_powers_of_two` asks ADD for its arithmetic of such scales."""

    op: Literal["ADD", "MUL"]
    a: Shape
    b: Shape
    scales: tuple[float, float, float]
    relu: bool = False
    has_powers_of_two: bool = False

    def model(self) -> bytes:
        """Return two activations -> their sum or product."""
        writer = ModelWriter()
        shapes = (self.a, self.b, np.broadcast_shapes(self.a, self.b))
        a, b, y = (
            writer.tensor(name, shape, "int16", Quantization((scale,), (0,)))
            for name, shape, scale in zip("aby", shapes, self.scales, strict=True)
        )
        options = {"fusedActivationFunction": 1 if self.relu else 0}
        if self.op == "ADD":
            options["potScaleInt16"] = self.has_powers_of_two
        name = {"ADD": "AddOptions", "MUL": "MulOptions"}[self.op]
        writer.node(self.op, [a, b], [y], options_object(name, options), version=4)
        return writer.finish([a, b], [y])

    def inputs(self) -> list[Array]:
        """Return activations of the whole range, small ones and the ends of the range among them."""
        random = np.random.default_rng(SEED)
        return [_activations(random, shape) for shape in (self.a, self.b)]


def _activations(random: np.random.Generator, shape: Shape) -> Array:
    values = random.integers(-(2**15), 2**15, shape) >> random.integers(0, 16, shape)
    ends = random.choice([-(2**15), 2**15 - 1, 0], shape)
    return np.where(random.random(shape) < 0.1, ends, values).astype(np.int16)


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
SUM_SCALES = [(1e-4, 3e-4, 3.3e-4), (3e-4, 1e-6, 2e-4), (2e-4, 2e-4, 2e-4), (0.25, 0.5, 0.25)]
PRODUCT_SCALES = [(1e-4, 3e-4, 2e-4), (1e-4, 3e-4, 1e-9), (2e-2, 3e-1, 1e-4), (0.5, 0.5, 0.5)]

INTEGER_ELEMENTWISE = [
    *(IntegerElementwise("ADD", *shapes, SUM_SCALES[0]) for shapes in SHAPES),
    *(IntegerElementwise("ADD", *SHAPES[0], scales, relu=True) for scales in SUM_SCALES),
    IntegerElementwise("ADD", *SHAPES[0], (0.25, 0.25, 0.25), has_powers_of_two=True),
    *(IntegerElementwise("MUL", *shapes, PRODUCT_SCALES[0]) for shapes in SHAPES),
    *(IntegerElementwise("MUL", *SHAPES[0], scales, relu=True) for scales in PRODUCT_SCALES),
]
