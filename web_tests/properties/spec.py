"""One random node: its op, operands with content, options and results. Independent of Hypothesis."""

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from web_tests.models.model_writer import Quantization
from web_tests.models.recipes import Array

Options = tuple[tuple[str, Any], ...]
Kind = Literal["integer", "uniform", "special"]
Role = Literal["input", "constant", "state"]

# Values of `special` content, for TFLite's kernels and XNNPACK's.
SPECIAL_VALUES = (np.nan, np.inf, -np.inf, 0.0, -0.0, 1e-40, 3e38, -3e38, 0.5, -2.5, 1.0)


@dataclass(frozen=True)
class Fill:
    """Seeded content.

    Attributes:
        kind: `integer` values, which sum without rounding; `uniform` ones; `special` ones, with NaN and infinities.
        low: the smallest value.
        high: above the largest value.
        seed: seed of the values.
    """

    kind: Kind
    low: float
    high: float
    seed: int

    def make(self, shape: tuple[int, ...], dtype: str) -> Array:
        random = np.random.default_rng(self.seed)
        if self.kind == "special":
            return random.choice(np.array(SPECIAL_VALUES), shape).astype(dtype)
        if self.kind == "integer" or np.dtype(dtype).kind in "iub":
            high = max(int(self.high), int(self.low) + 1)
            return np.asarray(random.integers(int(self.low), high, shape)).astype(dtype)
        return np.asarray(random.uniform(self.low, self.high, shape)).astype(dtype)


@dataclass(frozen=True)
class Operand:
    """An input of the node.

    Attributes:
        shape: its dimensions.
        content: seeded values, or explicit ones in row-major order.
        dtype: the element type.
        quantization: scale and zero point; None for real numbers and unscaled integers.
        role: provided at run time, constant in the file, or state kept between runs.
        decides_shape: whether an output's shape depends on the content, provided at run time.
    """

    shape: tuple[int, ...]
    content: Fill | tuple[Any, ...]
    dtype: str = "float32"
    quantization: Quantization | None = None
    role: Role = "input"
    decides_shape: bool = False

    def values(self) -> Array:
        """Return the content as an array of `shape`."""
        if isinstance(self.content, Fill):
            return self.content.make(self.shape, self.dtype)
        return np.array(self.content, dtype=self.dtype).reshape(self.shape)

    @property
    def size(self) -> int:
        """Number of elements."""
        return int(np.prod(self.shape, dtype=np.int64))


@dataclass(frozen=True)
class Result:
    """An output of the node; native LiteRT computes its shape, except for ops that need it in the file."""

    dtype: str = "float32"
    quantization: Quantization | None = None
    shape: tuple[int, ...] = (1,)


@dataclass(frozen=True)
class NodeSpec:
    """A node with its data.

    Attributes:
        op: the builtin's name.
        operands: its inputs; None is an absent optional one.
        results: its outputs.
        options: those that differ from the schema's defaults.
        magnitude: of the terms in the sums of float outputs: rounding is relative to it.
    """

    op: str
    operands: tuple[Operand | None, ...]
    results: tuple[Result, ...] = (Result(),)
    options: Options = ()
    magnitude: float = 0.0

    @property
    def provided(self) -> tuple[Operand, ...]:
        """The operands provided at run time."""
        return tuple(each for each in self.operands if each is not None and each.role == "input")

    @property
    def is_dynamic(self) -> bool:
        """Whether an output's shape is unknown before the run."""
        return any(each is not None and each.decides_shape for each in self.operands)

    @property
    def types(self) -> str:
        """The types of operands and results, e.g. `float32 int8 -> float32`."""
        operands = ("none" if each is None else each.dtype for each in self.operands)
        return f"{' '.join(operands)} -> {' '.join(each.dtype for each in self.results)}"

    @property
    def is_hybrid(self) -> bool:
        """Whether activations are real numbers and weights are integers."""
        return (
            self.op not in ("CAST", "DEQUANTIZE")
            and self.results[0].dtype == "float32"
            and any(each is not None and each.quantization is not None for each in self.operands)
        )

    def option(self, name: str, default: Any = 0) -> Any:
        """Return an option's value."""
        return dict(self.options).get(name, default)
