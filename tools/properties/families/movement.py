"""Ops that copy elements: shapes, order, joining, cutting, repeating."""

from __future__ import annotations

import math

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from tools.properties.families.common import (
    COPIED,
    NUMBERS,
    SEEDS,
    Strategy,
    axes,
    constant,
    moved,
    parameters,
    same,
    shapes,
)
from tools.properties.spec import Fill, NodeSpec, Operand, Options, Place, Result

REAL_AND_QUANTIZED = ("float32", "int8", "uint8", "int16")
NO_INT16 = ("float32", "int8", "uint8", "int32", "int64", "bool")
NUMERIC = ("float32", "int8", "uint8", "int16", "int32", "int64")


@st.composite
def reshape(draw: DrawFn) -> NodeSpec:
    """Draw a RESHAPE to a new grouping of the dimensions, one of which may be left to be inferred."""
    shape = draw(shapes())
    data = draw(moved(shape, COPIED))
    sizes = list(shape)
    for _ in range(draw(st.integers(0, 3))):
        if len(sizes) > 1 and draw(st.booleans()):
            at = draw(st.integers(0, len(sizes) - 2))
            sizes[at : at + 2] = [sizes[at] * sizes[at + 1]]
        elif len(sizes) < 6:
            sizes.insert(draw(st.integers(0, len(sizes))), 1)
    if sizes and 0 not in sizes and draw(st.integers(0, 3)) == 3:
        sizes[draw(st.integers(0, len(sizes) - 1))] = -1
    options = (("newShape", tuple(sizes)),)
    if sizes and draw(st.integers(0, 3)) == 3:
        return NodeSpec("RESHAPE", (data,), (same(data),), "ReshapeOptions", options)
    return NodeSpec("RESHAPE", (data, draw(parameters(sizes))), (same(data),), "ReshapeOptions", options)


@st.composite
def squeeze(draw: DrawFn) -> NodeSpec:
    """Draw a SQUEEZE."""
    shape = tuple(1 if draw(st.booleans()) else size for size in draw(shapes(0, 5)))
    ones = [axis for axis, size in enumerate(shape) if size == 1]
    chosen = draw(st.lists(st.sampled_from(ones), unique=True)) if ones else []
    dims = tuple(axis - len(shape) if draw(st.booleans()) else axis for axis in chosen)
    data = draw(moved(shape, COPIED))
    return NodeSpec("SQUEEZE", (data,), (same(data),), "SqueezeOptions", (("squeezeDims", dims),))


@st.composite
def expand_dims(draw: DrawFn) -> NodeSpec:
    """Draw an EXPAND_DIMS."""
    data = draw(moved(draw(shapes(0, 5)), COPIED))
    axis = draw(parameters(draw(axes(len(data.shape) + 1)), draw(st.sampled_from(NUMBERS))))
    return NodeSpec("EXPAND_DIMS", (data, axis), (same(data),), "ExpandDimsOptions")


@st.composite
def transpose(draw: DrawFn) -> NodeSpec:
    """Draw a TRANSPOSE. Native LiteRT does not write the output of a scalar's."""
    shape = draw(shapes(1, 6))
    order = draw(st.permutations(range(len(shape))))
    data = draw(moved(shape, COPIED))
    signed = [axis - len(shape) if draw(st.integers(0, 5)) == 5 else axis for axis in order]
    return NodeSpec("TRANSPOSE", (data, draw(parameters(signed))), (same(data),), "TransposeOptions")


@st.composite
def concatenation(draw: DrawFn) -> NodeSpec:
    """Draw a CONCATENATION of up to five operands, constants among them."""
    shape = draw(shapes(1, 5, 5))
    first = draw(moved(shape, COPIED))
    axis = draw(axes(len(shape)))
    parts = [first]
    for _ in range(draw(st.integers(0, 4))):
        sizes = list(shape)
        sizes[axis] = draw(st.integers(0 if 0 in shape else 1, 4))
        place: Place = "constant" if draw(st.integers(0, 3)) == 3 else "input"
        parts.append(Operand(tuple(sizes), _again(first, draw(SEEDS)), first.dtype, first.quantization, place))
    activation = draw(st.sampled_from((0, 0, 0, 1, 3))) if first.dtype == "float32" else 0
    options = (("axis", axis), ("fusedActivationFunction", activation))
    return NodeSpec("CONCATENATION", tuple(parts), (same(first),), "ConcatenationOptions", options)


def _again(data: Operand, seed: int) -> Fill:
    assert isinstance(data.content, Fill)
    return Fill(data.content.kind, data.content.low, data.content.high, seed)


@st.composite
def split(draw: DrawFn) -> NodeSpec:
    """Draw a SPLIT."""
    shape = list(draw(shapes(1, 5, 4)))
    axis, count = draw(axes(len(shape))), draw(st.integers(1, 4))
    shape[axis] *= count
    data = draw(moved(tuple(shape), NUMERIC))
    parts = (draw(parameters(axis)), data)
    return NodeSpec("SPLIT", parts, (same(data),) * count, "SplitOptions", (("numSplits", count),))


@st.composite
def split_v(draw: DrawFn) -> NodeSpec:
    """Draw a SPLIT_V, whose last size may be left to be inferred."""
    shape = list(draw(shapes(1, 5, 4)))
    axis = draw(axes(len(shape)))
    sizes = draw(st.lists(st.integers(0, 4), min_size=1, max_size=4))
    shape[axis] = sum(sizes)
    if draw(st.integers(0, 3)) == 3:
        sizes[draw(st.integers(0, len(sizes) - 1))] = -1
    data = draw(moved(tuple(shape), NUMERIC))
    parts = (data, constant(sizes, draw(st.sampled_from(NUMBERS))), constant(axis))
    return NodeSpec("SPLIT_V", parts, (same(data),) * len(sizes), "SplitVOptions", (("numSplits", len(sizes)),))


@st.composite
def pack(draw: DrawFn) -> NodeSpec:
    """Draw a PACK."""
    first = draw(moved(draw(shapes(0, 4, 4)), NUMERIC))
    count = draw(st.integers(1, 4))
    others = (
        Operand(first.shape, _again(first, draw(SEEDS)), first.dtype, first.quantization) for _ in range(count - 1)
    )
    options = (("axis", draw(axes(len(first.shape) + 1))), ("valuesCount", count))
    return NodeSpec("PACK", (first, *others), (same(first),), "PackOptions", options)


@st.composite
def unpack(draw: DrawFn) -> NodeSpec:
    """Draw an UNPACK."""
    shape = draw(shapes(1, 4, 4, empty=False))
    axis = draw(axes(len(shape)))
    data = draw(moved(shape, ("float32", "int8", "uint8", "int16", "int32", "bool")))
    options = (("num", shape[axis]), ("axis", axis))
    return NodeSpec("UNPACK", (data,), (same(data),) * shape[axis], "UnpackOptions", options)


@st.composite
def tile(draw: DrawFn) -> NodeSpec:
    """Draw a TILE."""
    shape = draw(shapes(1, 5, 4))
    multiples = [draw(st.sampled_from((1, 1, 2, 3, 0))) for _ in shape]
    data = draw(moved(shape, NO_INT16))
    parts = (data, draw(parameters(multiples, draw(st.sampled_from(NUMBERS)))))
    return NodeSpec("TILE", parts, (same(data),), "TileOptions")


@st.composite
def broadcast_to(draw: DrawFn) -> NodeSpec:
    """Draw a BROADCAST_TO."""
    target = draw(shapes(1, 6, 4))
    kept = target[draw(st.integers(0, len(target))) :]
    shape = tuple(1 if draw(st.booleans()) else size for size in kept)
    data = draw(moved(shape, COPIED))
    parts = (data, draw(parameters(target, draw(st.sampled_from(NUMBERS)))))
    return NodeSpec("BROADCAST_TO", parts, (same(data),), "BroadcastToOptions")


@st.composite
def reverse(draw: DrawFn) -> NodeSpec:
    """Draw a REVERSE_V2."""
    shape = draw(shapes(1, 6))
    start = draw(st.integers(0, len(shape) - 1))
    chosen = list(range(start, draw(st.integers(start, len(shape) - 1)) + 1))
    signed = [axis - len(shape) if draw(st.booleans()) else axis for axis in chosen]
    data = draw(moved(shape, COPIED))
    return NodeSpec("REVERSE_V2", (data, constant(signed)), (same(data),), "ReverseV2Options")


@st.composite
def fill(draw: DrawFn) -> NodeSpec:
    """Draw a FILL."""
    value = draw(moved((), COPIED))
    sizes = draw(parameters(draw(shapes(0, 5)), draw(st.sampled_from(NUMBERS))))
    return NodeSpec("FILL", (sizes, value), (same(value),), "FillOptions")


@st.composite
def space_depth(draw: DrawFn, op: str) -> NodeSpec:
    """Draw a SPACE_TO_DEPTH or DEPTH_TO_SPACE."""
    block = draw(st.integers(1, 3))
    batch, height, width, channels = draw(shapes(4, 4, 4))
    large, deep = (height * block, width * block, channels), (height, width, channels * block * block)
    data = draw(
        moved((batch, *(large if op == "SPACE_TO_DEPTH" else deep)), ("float32", "int8", "uint8", "int32", "int64"))
    )
    options_class = "SpaceToDepthOptions" if op == "SPACE_TO_DEPTH" else "DepthToSpaceOptions"
    return NodeSpec(op, (data,), (same(data),), options_class, (("blockSize", block),))


@st.composite
def space_to_batch(draw: DrawFn) -> NodeSpec:
    """Draw a SPACE_TO_BATCH_ND of rank 3 or 4."""
    count = draw(st.integers(1, 2))
    blocks = [draw(st.integers(1, 3)) for _ in range(count)]
    sizes, pads = [], []
    for block in blocks:
        before, after, whole = draw(st.integers(0, 3)), draw(st.integers(0, 3)), draw(st.integers(1, 4)) * block
        while whole <= before + after:
            whole += block
        sizes.append(whole - before - after)
        pads.append([before, after])
    data = draw(moved((draw(st.integers(1, 3)), *sizes, draw(st.integers(1, 4))), NUMERIC))
    parts = (data, constant(blocks), constant(pads))
    return NodeSpec("SPACE_TO_BATCH_ND", parts, (same(data),), "SpaceToBatchNDOptions")


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
    return NodeSpec("BATCH_TO_SPACE_ND", parts, (same(data),), "BatchToSpaceNDOptions")


@st.composite
def slice_of(draw: DrawFn) -> NodeSpec:
    """Draw a SLICE; sizes may be left to be inferred."""
    data = draw(moved(draw(shapes(1, 5)), COPIED))
    begin = [draw(st.integers(0, size)) for size in data.shape]
    sizes = [draw(st.integers(-1, size - start)) for size, start in zip(data.shape, begin, strict=True)]
    dtype = draw(st.sampled_from(NUMBERS))
    parts = (data, draw(parameters(begin, dtype)), draw(parameters(sizes, dtype)))
    shape = tuple(
        size - start if length == -1 else length for size, start, length in zip(data.shape, begin, sizes, strict=True)
    )
    return NodeSpec("SLICE", parts, (Result(data.dtype, data.quantization, shape),), "SliceOptions")


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
            # An axis that is dropped is one element inside, with stride 1.
            if size == 0:
                shrink &= ~(1 << axis)
                continue
            starts[axis], strides[axis] = draw(st.integers(-size, size - 1)), 1
            ends[axis] = starts[axis] + 1
            masks["beginMask"] &= ~(1 << axis)
    options: Options = (*masks.items(), ("shrinkAxisMask", shrink), ("offset", False))
    parts = (data, draw(parameters(starts)), draw(parameters(ends)), constant(strides))
    return NodeSpec("STRIDED_SLICE", parts, (same(data),), "StridedSliceOptions", options)


@st.composite
def pad(draw: DrawFn, op: str) -> NodeSpec:
    """Draw a PAD, PADV2 or MIRROR_PAD."""
    mode = draw(st.integers(0, 1))
    shape = draw(shapes(1, 5 if op != "MIRROR_PAD" else 4, 4, empty=op != "MIRROR_PAD"))
    limits = [3 if op != "MIRROR_PAD" else size - 1 if mode == 0 else size for size in shape]
    amounts = [[draw(st.integers(0, limit)), draw(st.integers(0, limit))] for limit in limits]
    data = draw(moved(shape, NUMERIC if op != "MIRROR_PAD" else ("float32", "int8", "uint8", "int32", "int64")))
    paddings = draw(parameters(amounts, draw(st.sampled_from(NUMBERS))))
    if op == "MIRROR_PAD":
        return NodeSpec(op, (data, paddings), (same(data),), "MirrorPadOptions", (("mode", mode),))
    if op == "PAD":
        return NodeSpec(op, (data, paddings), (same(data),), "PadOptions")
    value = Operand((), _again(data, draw(SEEDS)), data.dtype, data.quantization, "constant")
    return NodeSpec(op, (data, paddings, value), (same(data),), "PadV2Options")


@st.composite
def stablehlo_pad(draw: DrawFn) -> NodeSpec:
    """Draw a STABLEHLO_PAD: edges that grow or shrink, and elements in between."""
    data = draw(moved(draw(shapes(1, 4, 4, empty=False)), NO_INT16))
    edges = [(draw(st.integers(-1, 2)), draw(st.integers(0, 2)), draw(st.integers(0, 2))) for _ in data.shape]
    options = tuple(
        (name, tuple(edge[index] for edge in edges))
        for index, name in enumerate(("edgePaddingLow", "edgePaddingHigh", "interiorPadding"))
    )
    value = Operand((), _again(data, draw(SEEDS)), data.dtype, data.quantization, "constant")
    return NodeSpec("STABLEHLO_PAD", (data, value), (same(data),), "StablehloPadOptions", options)


@st.composite
def dilate(draw: DrawFn) -> NodeSpec:
    """Draw a DILATE."""
    data = draw(moved(draw(shapes(1, 4, 4, empty=False)), NO_INT16))
    steps = constant([draw(st.integers(1, 3)) for _ in data.shape])
    value = Operand((), _again(data, draw(SEEDS)), data.dtype, data.quantization, "constant")
    return NodeSpec("DILATE", (data, steps, value), (same(data),), "DilateOptions")


@st.composite
def broadcast_args(draw: DrawFn) -> NodeSpec:
    """Draw a BROADCAST_ARGS of two shapes."""
    dtype = draw(st.sampled_from(NUMBERS))
    target = draw(shapes(1, 4, empty=False))
    other = [1 if draw(st.booleans()) else size for size in target]
    parts = (draw(parameters(target, dtype)), draw(parameters(other, dtype)))
    return NodeSpec("BROADCAST_ARGS", parts, (Result(dtype),))


SHAPE: dict[str, Strategy] = {
    "RESHAPE": reshape(),
    "SQUEEZE": squeeze(),
    "EXPAND_DIMS": expand_dims(),
    "TRANSPOSE": transpose(),
    "CONCATENATION": concatenation(),
    "SPLIT": split(),
    "SPLIT_V": split_v(),
    "PACK": pack(),
    "UNPACK": unpack(),
    "TILE": tile(),
    "BROADCAST_TO": broadcast_to(),
    "BROADCAST_ARGS": broadcast_args(),
    "REVERSE_V2": reverse(),
    "FILL": fill(),
}
SLICING: dict[str, Strategy] = {
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
STRATEGIES = SHAPE | SLICING
