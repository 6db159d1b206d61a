"""Building blocks of the families: shapes, content, quantization, types."""

from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from web_tests.models.model_writer import Quantization
from web_tests.properties.spec import Fill, Kind, NodeSpec, Operand, Result

Shape = tuple[int, ...]
Strategy = SearchStrategy[NodeSpec]

# Odd scales, powers of two, one, and the extremes of quantizers.
SCALES = (0.5, 1.0, 1 / 256, 1 / 128, 0.0078431377, 0.0234567, 0.117, 0.3, 1.7, 13.0, 3.7e-4, 2.5e-6)
QUANTIZED = ("int8", "uint8", "int16")
NUMBERS = ("int32", "int64")
NUMERIC = ("float32", *QUANTIZED, *NUMBERS)
NO_INT16 = ("float32", "int8", "uint8", *NUMBERS, "bool")
# The fused activations of TFLite's kernels: none, RELU, RELU_N1_TO_1, RELU6.
ACTIVATIONS = st.sampled_from((0, 1, 2, 3))
SEEDS = st.integers(0, 999)


@cache
def dims(max_size: int = 6) -> SearchStrategy[int]:
    """Return sizes of a dimension: one to `max_size`; zero at most once in forty."""
    return st.sampled_from((*(40 // max_size * tuple(range(1, max_size + 1))), 0))


@st.composite
def shapes(draw: DrawFn, min_rank: int = 0, max_rank: int = 6, max_size: int = 6, *, empty: bool = True) -> Shape:
    """Draw a shape of few elements."""
    rank = draw(st.integers(min_rank, max_rank))
    limit = max_size if rank < 5 else min(max_size, 3)
    size = dims(limit) if empty else st.integers(1, limit)
    return tuple(draw(size) for _ in range(rank))


@st.composite
def fills(draw: DrawFn, low: float, high: float, kinds: Sequence[Kind] = ("integer", "uniform")) -> Fill:
    """Draw seeded content between two values."""
    return Fill(draw(st.sampled_from(kinds)), low, high, draw(SEEDS))


@st.composite
def quantizations(draw: DrawFn, dtype: str, scales: Sequence[float] = SCALES) -> Quantization:
    """Draw scale and zero point of a tensor; int16 is symmetric."""
    limits = np.iinfo(dtype)
    zero_point = 0 if dtype == "int16" else draw(st.integers(int(limits.min), int(limits.max)))
    return Quantization((float(np.float32(draw(st.sampled_from(scales)))),), (zero_point,))


@st.composite
def near(draw: DrawFn, dtype: str, scale: float) -> Quantization:
    """Draw the quantization of an output whose values are about 100 times `scale`, sometimes saturated or coarse."""
    factor = draw(st.sampled_from((1.0, 0.37, 2.9, 0.011, 90.0)))
    zero_point = draw(quantizations(dtype)).zero_points
    scale = scale * factor / (256 if dtype == "int16" else 1)
    return Quantization((float(np.float32(scale)),), zero_point)


def full_range(dtype: str, seed: int) -> Fill:
    """Return content that covers an integer type of 8 or 16 bits, or booleans."""
    if dtype == "bool":
        return Fill("integer", 0, 2, seed)
    limits = np.iinfo(dtype)
    return Fill("integer", int(limits.min), int(limits.max) + 1, seed)


@st.composite
def operands(
    draw: DrawFn,
    shape: Shape,
    dtype: str = "float32",
    *,
    quantization: Quantization | None = None,
    low: float = -4,
    high: float = 5,
    kinds: Sequence[Kind] = ("integer", "uniform"),
    constant: bool | None = None,
) -> Operand:
    """Draw an operand of a type; with `constant` None, it may also be provided at run time."""
    is_constant = draw(st.integers(0, 3)) == 3 if constant is None else constant
    if quantization is not None or dtype in ("bool", "int16"):
        content = full_range(dtype, draw(SEEDS))
    else:
        min_value = max(low, 0) if dtype.startswith("u") else low
        content = draw(fills(min_value, high, kinds if dtype == "float32" else ("integer",)))
    return Operand(shape, content, dtype, quantization, "constant" if is_constant else "input")


def constant(values: Any, dtype: str = "int32") -> Operand:
    """Return a constant with these values."""
    array = np.asarray(values, dtype=dtype)
    return Operand(array.shape, tuple(array.reshape(-1).tolist()), dtype, None, "constant")


@st.composite
def parameters(draw: DrawFn, values: Any, dtype: str = "int32") -> Operand:
    """Draw an operand with these values: mostly a constant, sometimes provided at run time."""
    operand = constant(values, dtype)
    at_run_time = draw(st.integers(0, 9)) == 9
    return Operand(operand.shape, operand.content, dtype, None, "input", decides_shape=True) if at_run_time else operand


@st.composite
def axes(draw: DrawFn, rank: int) -> int:
    """Draw an axis, counted from either end."""
    return draw(st.integers(-rank, rank - 1))


@st.composite
def some_axes(draw: DrawFn, rank: int) -> list[int]:
    """Draw different axes, counted from either end."""
    chosen = draw(st.lists(st.integers(0, max(rank - 1, 0)), unique=True, max_size=rank)) if rank else []
    return [axis - rank if draw(st.booleans()) else axis for axis in chosen]


@st.composite
def moved(draw: DrawFn, shape: Shape, dtypes: Sequence[str], *, low: float = -99, high: float = 100) -> Operand:
    """Draw the data of an op that copies elements: any type; quantized ones with scale and zero point."""
    dtype = draw(st.sampled_from(dtypes))
    quantization = draw(quantizations(dtype)) if dtype in QUANTIZED else None
    return draw(
        operands(shape, dtype, quantization=quantization, low=low, high=high, kinds=MOVED_KINDS, constant=False)
    )


# Copies keep NaN and infinities, too.
MOVED_KINDS: tuple[Kind, ...] = ("uniform", "special")
REAL_KINDS: tuple[Kind, ...] = ("integer", "uniform")
ANY_KINDS: tuple[Kind, ...] = ("integer", "uniform", "special")
COPIED = ("float32", *QUANTIZED, *NUMBERS, "bool")


def same(data: Operand) -> Result:
    """Return an output of the type and quantization of an operand."""
    return Result(data.dtype, data.quantization)


def broadcast_pair(shape: Shape) -> SearchStrategy[tuple[Shape, Shape]]:
    """Return pairs of shapes that broadcast to `shape`."""
    return _broadcast_pairs(shape)


@st.composite
def _broadcast_pairs(draw: DrawFn, shape: Shape) -> tuple[Shape, Shape]:
    pair = []
    for _ in range(2):
        if draw(st.booleans()):
            pair.append(shape)
            continue
        kept = draw(st.integers(0, len(shape)))
        pair.append(tuple(1 if draw(st.integers(0, 2)) == 2 else size for size in shape[len(shape) - kept :]))
    return pair[0], pair[1]


def again(data: Operand, seed: int) -> Fill:
    assert isinstance(data.content, Fill)
    return Fill(data.content.kind, data.content.low, data.content.high, seed)
