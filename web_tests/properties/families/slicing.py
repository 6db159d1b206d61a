"""Ops that cut, pad, or move elements between space and depth or batch."""

import math

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from web_tests.properties.families.common import (
    COPIED,
    NO_INT16,
    NUMBERS,
    NUMERIC,
    SEEDS,
    Strategy,
    again,
    constant,
    moved,
    parameters,
    same,
    shapes,
)
from web_tests.properties.spec import NodeSpec, Operand, Options, Result


@st.composite
def space_depth(draw: DrawFn, op: str) -> NodeSpec:
    block = draw(st.integers(1, 3))
    batch, height, width, channels = draw(shapes(4, 4, 4))
    large, deep = (height * block, width * block, channels), (height, width, channels * block * block)
    data = draw(
        moved((batch, *(large if op == "SPACE_TO_DEPTH" else deep)), ("float32", "int8", "uint8", "int32", "int64"))
    )
    return NodeSpec(op, (data,), (same(data),), (("blockSize", block),))


@st.composite
def space_to_batch(draw: DrawFn) -> NodeSpec:
    """Draw a SPACE_TO_BATCH_ND of rank 3 or 4."""
    count = draw(st.integers(1, 2))
    blocks = [draw(st.integers(1, 3)) for _ in range(count)]
    sizes, pads = [], []
    for block in blocks:
        before, after, padded = draw(st.integers(0, 3)), draw(st.integers(0, 3)), draw(st.integers(1, 4)) * block
        while padded <= before + after:
            padded += block
        sizes.append(padded - before - after)
        pads.append([before, after])
    data = draw(moved((draw(st.integers(1, 3)), *sizes, draw(st.integers(1, 4))), NUMERIC))
    parts = (data, constant(blocks), constant(pads))
    return NodeSpec("SPACE_TO_BATCH_ND", parts, (same(data),))


@st.composite
def batch_to_space(draw: DrawFn) -> NodeSpec:
    """Draw a BATCH_TO_SPACE_ND of rank 3 or 4."""
    count = draw(st.integers(1, 2))
    blocks = [draw(st.integers(1, 3)) for _ in range(count)]
    sizes = [draw(st.integers(1, 4)) for _ in blocks]
    crops = []
    for block, size in zip(blocks, sizes, strict=True):
        before = draw(st.integers(0, block * size - 1))
        crops.append([before, draw(st.integers(0, block * size - 1 - before))])
    shape = (draw(st.integers(1, 3)) * math.prod(blocks), *sizes, draw(st.integers(1, 4)))
    data = draw(moved(shape, NUMERIC))
    parts = (data, constant(blocks), constant(crops))
    return NodeSpec("BATCH_TO_SPACE_ND", parts, (same(data),))


@st.composite
def slice_of(draw: DrawFn) -> NodeSpec:
    """Draw a SLICE; sizes may be inferred."""
    data = draw(moved(draw(shapes(1, 5)), COPIED))
    begin = [draw(st.integers(0, size)) for size in data.shape]
    sizes = [draw(st.integers(-1, size - start)) for size, start in zip(data.shape, begin, strict=True)]
    dtype = draw(st.sampled_from(NUMBERS))
    parts = (data, draw(parameters(begin, dtype)), draw(parameters(sizes, dtype)))
    shape = tuple(
        size - start if length == -1 else length for size, start, length in zip(data.shape, begin, sizes, strict=True)
    )
    return NodeSpec("SLICE", parts, (Result(data.dtype, data.quantization, shape),))


@st.composite
def strided_slice(draw: DrawFn) -> NodeSpec:
    """Draw a STRIDED_SLICE with masks, limits beyond the ends and negative strides."""
    data = draw(moved(draw(shapes(1, 5)), COPIED))
    count = draw(st.integers(1, len(data.shape)))
    starts, ends, strides = [], [], []
    for size in data.shape[:count]:
        starts.append(draw(st.integers(-size - 2, size + 2)))
        ends.append(draw(st.integers(-size - 2, size + 2)))
        strides.append(draw(st.sampled_from((1, 1, 1, 2, 3, -1, -2))))
    masks = {name: draw(st.integers(0, 2**count - 1)) for name in ("beginMask", "endMask")}
    shrink = draw(st.integers(0, 2**count - 1)) if draw(st.booleans()) else 0
    for axis in range(count):
        if shrink >> axis & 1:
            size = data.shape[axis]
            # A dropped axis is one element inside the range, with stride 1.
            if size == 0:
                shrink &= ~(1 << axis)
                continue
            starts[axis], strides[axis] = draw(st.integers(-size, size - 1)), 1
            ends[axis] = starts[axis] + 1
            masks["beginMask"] &= ~(1 << axis)
    options: Options = (*masks.items(), ("shrinkAxisMask", shrink), ("offset", False))
    parts = (data, draw(parameters(starts)), draw(parameters(ends)), constant(strides))
    return NodeSpec("STRIDED_SLICE", parts, (same(data),), options)


@st.composite
def pad(draw: DrawFn, op: str) -> NodeSpec:
    mode = draw(st.integers(0, 1))
    shape = draw(shapes(1, 5 if op != "MIRROR_PAD" else 4, 4, empty=op != "MIRROR_PAD"))
    limits = [3 if op != "MIRROR_PAD" else size - 1 if mode == 0 else size for size in shape]
    amounts = [[draw(st.integers(0, limit)), draw(st.integers(0, limit))] for limit in limits]
    data = draw(moved(shape, NUMERIC if op != "MIRROR_PAD" else ("float32", "int8", "uint8", "int32", "int64")))
    paddings = draw(parameters(amounts, draw(st.sampled_from(NUMBERS))))
    if op == "MIRROR_PAD":
        return NodeSpec(op, (data, paddings), (same(data),), (("mode", mode),))
    if op == "PAD":
        return NodeSpec(op, (data, paddings), (same(data),))
    value = Operand((), again(data, draw(SEEDS)), data.dtype, data.quantization, "constant")
    return NodeSpec(op, (data, paddings, value), (same(data),))


@st.composite
def stablehlo_pad(draw: DrawFn) -> NodeSpec:
    """Draw a STABLEHLO_PAD: edges that grow or shrink, and elements in between."""
    data = draw(moved(draw(shapes(1, 4, 4, empty=False)), NO_INT16))
    edges = [(draw(st.integers(-1, 2)), draw(st.integers(0, 2)), draw(st.integers(0, 2))) for _ in data.shape]
    options = tuple(
        (name, tuple(edge[index] for edge in edges))
        for index, name in enumerate(("edgePaddingLow", "edgePaddingHigh", "interiorPadding"))
    )
    value = Operand((), again(data, draw(SEEDS)), data.dtype, data.quantization, "constant")
    return NodeSpec("STABLEHLO_PAD", (data, value), (same(data),), options)


@st.composite
def dilate(draw: DrawFn) -> NodeSpec:
    data = draw(moved(draw(shapes(1, 4, 4, empty=False)), NO_INT16))
    steps = constant([draw(st.integers(1, 3)) for _ in data.shape])
    value = Operand((), again(data, draw(SEEDS)), data.dtype, data.quantization, "constant")
    return NodeSpec("DILATE", (data, steps, value), (same(data),))


STRATEGIES: dict[str, Strategy] = {
    "SLICE": slice_of(),
    "STRIDED_SLICE": strided_slice(),
    "PAD": pad("PAD"),
    "PADV2": pad("PADV2"),
    "MIRROR_PAD": pad("MIRROR_PAD"),
    "STABLEHLO_PAD": stablehlo_pad(),
    "DILATE": dilate(),
    "SPACE_TO_DEPTH": space_depth("SPACE_TO_DEPTH"),
    "DEPTH_TO_SPACE": space_depth("DEPTH_TO_SPACE"),
    "SPACE_TO_BATCH_ND": space_to_batch(),
    "BATCH_TO_SPACE_ND": batch_to_space(),
}
