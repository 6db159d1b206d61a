"""Integer kernels that go over rows, or over all elements: softmax, means, float32 from and to int16."""

from dataclasses import dataclass

import numpy as np

from web_tests.models.integer_elementwise import activations
from web_tests.models.model_writer import Quantization
from web_tests.models.one_node import one_node
from web_tests.models.recipes import SEED, Array

Shape = tuple[int, ...]


@dataclass(frozen=True)
class IntegerSoftmax:
    """A SOFTMAX over the last axis.

    Attributes:
        dtype: of both activations, int8 or int16.
        shape: of both.
        scale: of the input.
        has_equal_numbers: all inputs are the lowest number.
    """

    dtype: str
    shape: Shape
    scale: float
    beta: float = 1.0
    has_equal_numbers: bool = False

    def model(self) -> bytes:
        is_byte = self.dtype == "int8"
        x_scale = Quantization((self.scale,), (5 if is_byte else 0,))
        y_scale = Quantization((1 / 256 if is_byte else 1 / 32768,), (-128 if is_byte else 0,))
        x, y = ((self.shape, self.dtype, scale) for scale in (x_scale, y_scale))
        return one_node("SOFTMAX", [x], y, {"beta": self.beta}, version=3)

    def inputs(self) -> list[Array]:
        if self.has_equal_numbers:
            return [np.full(self.shape, np.iinfo(self.dtype).min, self.dtype)]
        return [activations(np.random.default_rng(SEED), self.shape, self.dtype)]


@dataclass(frozen=True)
class IntegerMean:
    """A MEAN of int16 over some axes; `has_equal_numbers` as that of a softmax."""

    shape: Shape
    axes: tuple[int, ...]
    scales: tuple[float, float] = (1e-4, 3e-5)
    keeps_axes: bool = False
    has_equal_numbers: bool = False

    def model(self) -> bytes:
        reduced = {axis % len(self.shape) for axis in self.axes}
        sizes = [1 if axis in reduced else size for axis, size in enumerate(self.shape)]
        y_shape = tuple(size for axis, size in enumerate(sizes) if self.keeps_axes or axis not in reduced)
        x, y = (
            (shape, "int16", Quantization((scale,)))
            for shape, scale in zip((self.shape, y_shape), self.scales, strict=True)
        )
        axes = np.array(self.axes, np.int32)
        return one_node("MEAN", [x, (axes,)], y, {"keepDims": self.keeps_axes}, version=3)

    def inputs(self) -> list[Array]:
        if self.has_equal_numbers:
            return [np.full(self.shape, -(2**15), np.int16)]
        return [activations(np.random.default_rng(SEED), self.shape, "int16")]


@dataclass(frozen=True)
class Int16Quantize:
    """A QUANTIZE of float32 to int16, or DEQUANTIZE back."""

    size: int
    scale: float
    to_floats: bool = False
    zero_point: int = 0

    def model(self) -> bytes:
        quantization = Quantization((self.scale,), (self.zero_point,))
        dtypes = ("int16", "float32") if self.to_floats else ("float32", "int16")
        x, y = (((self.size,), dtype, quantization if dtype == "int16" else None) for dtype in dtypes)
        return one_node("DEQUANTIZE" if self.to_floats else "QUANTIZE", [x], y, version=3 if self.to_floats else 2)

    def inputs(self) -> list[Array]:
        """Return the full range, or somewhat more than it with ties."""
        random = np.random.default_rng(SEED)
        if self.to_floats:
            return [activations(random, (self.size,), "int16")]
        steps = np.where(random.random(self.size) < 0.5, random.integers(-9, 9, self.size) + 0.5, 0)
        values = np.where(steps != 0, steps, random.uniform(-(2**15) - 99, 2**15 + 99, self.size))
        return [(values * self.scale).astype(np.float32)]


INTEGER_ROWS = [
    *(
        IntegerSoftmax(dtype, shape, scale)
        for dtype, scale in (("int8", 0.05), ("int16", 2e-4))
        for shape in ((2, 3, 5, 197), (1, 16), (7, 1), (3, 9), (5, 34))
    ),
    *(IntegerSoftmax("int8", (6, 50), scale, beta=0.5) for scale in (1e-4, 0.3, 2.0)),
    *(IntegerSoftmax("int16", (6, 50), scale, beta=0.5) for scale in (1e-6, 1e-3, 0.02)),
    *(IntegerSoftmax(dtype, (2, 1000), 0.01, has_equal_numbers=True) for dtype in ("int8", "int16")),
    IntegerMean((1, 19, 192), (0, 2)),
    IntegerMean((1, 19, 192), (-1,), keeps_axes=True),
    IntegerMean((3, 5, 7), (1, 2), scales=(1e-4, 1e-4)),
    IntegerMean((4, 9), (1,), scales=(3e-4, 1e-6)),
    IntegerMean((4, 1), (1,), scales=(1e-6, 3e-4)),
    IntegerMean((2, 6, 5, 3), (1, 2), keeps_axes=True),
    IntegerMean((11,), (0,)),
    # More numbers than a sum of 32 bits holds: it wraps, as native LiteRT's does.
    IntegerMean((2, 70_000), (1,), scales=(1e-4, 1.1e-4), has_equal_numbers=True),
    *(Int16Quantize(size, scale) for size in (1, 7, 8, 333) for scale in (1e-4, 3.7e-3)),
    Int16Quantize(7, 3.7e-3, zero_point=99),
    *(Int16Quantize(size, 1e-4, to_floats=True) for size in (1, 4, 333)),
]
