"""Ops that copy elements: shapes, order, joining, splitting, repeating."""

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
    axes,
    constant,
    moved,
    parameters,
    same,
    shapes,
)
from web_tests.properties.spec import NodeSpec, Operand, Result, Role


@st.composite
def reshape(draw: DrawFn) -> NodeSpec:
    """Draw a RESHAPE that regroups the dimensions; one may be inferred."""
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
        return NodeSpec("RESHAPE", (data,), (same(data),), options)
    return NodeSpec("RESHAPE", (data, draw(parameters(sizes))), (same(data),), options)


@st.composite
def squeeze(draw: DrawFn) -> NodeSpec:
    shape = tuple(1 if draw(st.booleans()) else size for size in draw(shapes(0, 5)))
    ones = [axis for axis, size in enumerate(shape) if size == 1]
    chosen = draw(st.lists(st.sampled_from(ones), unique=True)) if ones else []
    dims = tuple(axis - len(shape) if draw(st.booleans()) else axis for axis in chosen)
    data = draw(moved(shape, COPIED))
    return NodeSpec("SQUEEZE", (data,), (same(data),), (("squeezeDims", dims),))


@st.composite
def expand_dims(draw: DrawFn) -> NodeSpec:
    data = draw(moved(draw(shapes(0, 5)), COPIED))
    axis = draw(parameters(draw(axes(len(data.shape) + 1)), draw(st.sampled_from(NUMBERS))))
    return NodeSpec("EXPAND_DIMS", (data, axis), (same(data),))


@st.composite
def transpose(draw: DrawFn) -> NodeSpec:
    """Draw a TRANSPOSE. Native LiteRT does not write the output of a scalar's."""
    shape = draw(shapes(1, 6))
    order = draw(st.permutations(range(len(shape))))
    data = draw(moved(shape, COPIED))
    signed = [axis - len(shape) if draw(st.integers(0, 5)) == 5 else axis for axis in order]
    return NodeSpec("TRANSPOSE", (data, draw(parameters(signed))), (same(data),))


@st.composite
def concatenation(draw: DrawFn) -> NodeSpec:
    """Draw a CONCATENATION of up to five operands, including constants."""
    shape = draw(shapes(1, 5, 5))
    first = draw(moved(shape, COPIED))
    axis = draw(axes(len(shape)))
    parts = [first]
    for _ in range(draw(st.integers(0, 4))):
        sizes = list(shape)
        sizes[axis] = draw(st.integers(0 if 0 in shape else 1, 4))
        role: Role = "constant" if draw(st.integers(0, 3)) == 3 else "input"
        parts.append(Operand(tuple(sizes), again(first, draw(SEEDS)), first.dtype, first.quantization, role))
    activation = draw(st.sampled_from((0, 0, 0, 1, 3))) if first.dtype == "float32" else 0
    options = (("axis", axis), ("fusedActivationFunction", activation))
    return NodeSpec("CONCATENATION", tuple(parts), (same(first),), options)


@st.composite
def split(draw: DrawFn) -> NodeSpec:
    shape = list(draw(shapes(1, 5, 4)))
    axis, count = draw(axes(len(shape))), draw(st.integers(1, 4))
    shape[axis] *= count
    data = draw(moved(tuple(shape), NUMERIC))
    parts = (draw(parameters(axis)), data)
    return NodeSpec("SPLIT", parts, (same(data),) * count, (("numSplits", count),))


@st.composite
def split_v(draw: DrawFn) -> NodeSpec:
    """Draw a SPLIT_V, whose last size may be inferred."""
    shape = list(draw(shapes(1, 5, 4)))
    axis = draw(axes(len(shape)))
    sizes = draw(st.lists(st.integers(0, 4), min_size=1, max_size=4))
    shape[axis] = sum(sizes)
    if draw(st.integers(0, 3)) == 3:
        sizes[draw(st.integers(0, len(sizes) - 1))] = -1
    data = draw(moved(tuple(shape), NUMERIC))
    parts = (data, constant(sizes, draw(st.sampled_from(NUMBERS))), constant(axis))
    return NodeSpec("SPLIT_V", parts, (same(data),) * len(sizes), (("numSplits", len(sizes)),))


@st.composite
def pack(draw: DrawFn) -> NodeSpec:
    first = draw(moved(draw(shapes(0, 4, 4)), NUMERIC))
    count = draw(st.integers(1, 4))
    others = (
        Operand(first.shape, again(first, draw(SEEDS)), first.dtype, first.quantization) for _ in range(count - 1)
    )
    options = (("axis", draw(axes(len(first.shape) + 1))), ("valuesCount", count))
    return NodeSpec("PACK", (first, *others), (same(first),), options)


@st.composite
def unpack(draw: DrawFn) -> NodeSpec:
    shape = draw(shapes(1, 4, 4, empty=False))
    axis = draw(axes(len(shape)))
    data = draw(moved(shape, ("float32", "int8", "uint8", "int16", "int32", "bool")))
    options = (("num", shape[axis]), ("axis", axis))
    return NodeSpec("UNPACK", (data,), (same(data),) * shape[axis], options)


@st.composite
def tile(draw: DrawFn) -> NodeSpec:
    shape = draw(shapes(1, 5, 4))
    multiples = [draw(st.sampled_from((1, 1, 2, 3, 0))) for _ in shape]
    data = draw(moved(shape, NO_INT16))
    parts = (data, draw(parameters(multiples, draw(st.sampled_from(NUMBERS)))))
    return NodeSpec("TILE", parts, (same(data),))


@st.composite
def broadcast_to(draw: DrawFn) -> NodeSpec:
    target = draw(shapes(1, 6, 4))
    kept = target[draw(st.integers(0, len(target))) :]
    shape = tuple(1 if draw(st.booleans()) else size for size in kept)
    data = draw(moved(shape, COPIED))
    parts = (data, draw(parameters(target, draw(st.sampled_from(NUMBERS)))))
    return NodeSpec("BROADCAST_TO", parts, (same(data),))


@st.composite
def reverse(draw: DrawFn) -> NodeSpec:
    shape = draw(shapes(1, 6))
    start = draw(st.integers(0, len(shape) - 1))
    chosen = list(range(start, draw(st.integers(start, len(shape) - 1)) + 1))
    signed = [axis - len(shape) if draw(st.booleans()) else axis for axis in chosen]
    data = draw(moved(shape, COPIED))
    return NodeSpec("REVERSE_V2", (data, constant(signed)), (same(data),))


@st.composite
def fill(draw: DrawFn) -> NodeSpec:
    value = draw(moved((), COPIED))
    sizes = draw(parameters(draw(shapes(0, 5)), draw(st.sampled_from(NUMBERS))))
    return NodeSpec("FILL", (sizes, value), (same(value),))


@st.composite
def broadcast_args(draw: DrawFn) -> NodeSpec:
    """Draw a BROADCAST_ARGS of two shapes."""
    dtype = draw(st.sampled_from(NUMBERS))
    target = draw(shapes(1, 4, empty=False))
    other = [1 if draw(st.booleans()) else size for size in target]
    parts = (draw(parameters(target, dtype)), draw(parameters(other, dtype)))
    return NodeSpec("BROADCAST_ARGS", parts, (Result(dtype),))


STRATEGIES: dict[str, Strategy] = {
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
