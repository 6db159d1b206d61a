"""Groups of nodes as converters write them: the delegate lowers some as one, and must leave near misses alone."""

import zlib
from dataclasses import dataclass

import numpy as np

from web_tests.models.model_writer import ModelWriter
from web_tests.models.recipes import SEED, Array

ROWS, WIDTH = 5, 16


@dataclass(frozen=True)
class LayerNormalization:
    """A layer normalization of f32[1,5,16].

    Attributes:
        reshapes: litert-torch's form, where MEAN drops the axis and RESHAPE restores it; else Keras's.
        scaled: whether scales and biases are part of it, as Keras writes them.
        axis: the axis that MEAN reduces, besides the first one in litert-torch's form.
        shared_mean: whether another node reads the mean, too.
        row_epsilon: whether epsilon is a number for each row.
        other_mean: "shift" or "squares", if that has the mean of other values.
        bias: a number that is added, unless `scaled`.
    """

    reshapes: bool = False
    scaled: bool = False
    axis: int = 2
    shared_mean: bool = False
    row_epsilon: bool = False
    other_mean: str = ""
    bias: float = 0

    def model(self) -> bytes:
        """Return f32[1,5,16] -> f32[1,5,16], and the mean's negative if it is shared."""
        writer = _Nodes()
        provided = writer.tensor("x", (1, ROWS, WIDTH))
        x = writer.unary("TANH", provided, (1, ROWS, WIDTH))
        mean = self._mean(writer, x)
        other = self._mean(writer, provided) if self.other_mean else mean
        subtracted = other if self.other_mean == "squares" else mean
        squares = writer.binary("SQUARED_DIFFERENCE", x, self._spread(writer, subtracted), (1, ROWS, WIDTH))
        variance = self._mean(writer, squares)
        small = np.array([1e-6, 1e-5, 1e-4, 1e-3, 1e-2], np.float32) if self.row_epsilon else np.array(1e-3, np.float32)
        epsilon = writer.constant("epsilon", small if self.reshapes else small.reshape((-1, 1) if small.ndim else ()))
        factor = writer.unary("RSQRT", writer.binary("ADD", variance, epsilon, self._row_shape()), self._row_shape())
        bias = writer.constant("bias", np.array(self.bias, np.float32))
        if self.scaled:
            factor = writer.binary("MUL", factor, writer.row("scales"), (1, ROWS, WIDTH))
            bias = writer.row("biases")
        shape = (1, ROWS, WIDTH) if self.scaled else self._row_shape()
        product = writer.binary("MUL", factor, other if self.other_mean == "shift" else mean, shape)
        shift = writer.binary("SUB", bias, product, shape)
        scaled = writer.binary("MUL", x, self._spread(writer, factor), (1, ROWS, WIDTH))
        y = writer.binary("ADD", scaled, self._spread(writer, shift), (1, ROWS, WIDTH))
        outputs = [y, writer.unary("NEG", mean, self._row_shape())] if self.shared_mean else [y]
        return writer.finish([provided], outputs)

    def _reduced(self) -> tuple[int, ...]:
        return tuple(1 if axis == self.axis else size for axis, size in enumerate((1, ROWS, WIDTH)))

    def _row_shape(self) -> tuple[int, ...]:
        return tuple(size for size in self._reduced() if size != 1) if self.reshapes else self._reduced()

    def _mean(self, writer: "_Nodes", x: int) -> int:
        axes = [0, self.axis] if self.reshapes else [self.axis]
        return writer.mean(x, axes, self._row_shape(), keep=not self.reshapes)

    def _spread(self, writer: "_Nodes", rows: int) -> int:
        """Return a tensor of one number a row with all three axes."""
        return writer.reshape(rows, self._reduced()) if self.reshapes and not self.scaled else rows


def spectrum(samples: int, frames: int = 3) -> bytes:
    """Return f32[1,frames,samples] -> f32[1,frames,samples/2+1]: the magnitudes of each frame's spectrum."""
    writer = _Nodes()
    x = writer.tensor("x", (1, frames, samples))
    count = samples // 2 + 1
    complex_rows = writer.tensor("spectrum", (1, frames, 1, count), "complex64")
    rows = writer.reshape(x, (1, frames, 1, samples))
    lengths = writer.constant("lengths", np.array([1, samples], np.int32))
    writer.node("RFFT2D", [rows, lengths], [complex_rows])
    flat = writer.tensor("flat", (1, frames, count), "complex64")
    shape = writer.constant("flat_shape", np.array([1, frames, count], np.int32))
    writer.node("RESHAPE", [complex_rows, shape], [flat])
    return writer.finish([x], [writer.unary("COMPLEX_ABS", flat, (1, frames, count))])


def values(*shape: int) -> Array:
    """Return an input of float32 values."""
    return np.random.default_rng(SEED).normal(size=shape).astype(np.float32)


class _Nodes(ModelWriter):
    """Nodes with one output, whose tensors have numbers for names."""

    def __init__(self) -> None:
        super().__init__()
        self._count = 0

    def _result(self, shape: tuple[int, ...]) -> int:
        self._count += 1
        return self.tensor(f"values_{self._count}", shape)

    def unary(self, op: str, x: int, shape: tuple[int, ...]) -> int:
        y = self._result(shape)
        self.node(op, [x], [y])
        return y

    def binary(self, op: str, a: int, b: int, shape: tuple[int, ...]) -> int:
        y = self._result(shape)
        self.node(op, [a, b], [y])
        return y

    def mean(self, x: int, axes: list[int], shape: tuple[int, ...], *, keep: bool) -> int:
        y = self._result(shape)
        operands = [x, self.constant(f"axes_{y}", np.array(axes, np.int32))]
        self.node("MEAN", operands, [y], {"keepDims": keep})
        return y

    def reshape(self, x: int, shape: tuple[int, ...]) -> int:
        y = self._result(shape)
        operands = [x, self.constant(f"shape_{y}", np.array(shape, np.int32))]
        self.node("RESHAPE", operands, [y])
        return y

    def row(self, name: str) -> int:
        random = np.random.default_rng(SEED + zlib.crc32(name.encode()))
        return self.constant(name, random.uniform(0.5, 2, WIDTH).astype(np.float32))
