"""Ops that select elements by indices, and ops that scatter elements to provided positions."""

import math

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from web_tests.properties.families.common import (
    COPIED,
    NO_INT16,
    NUMBERS,
    SEEDS,
    Shape,
    Strategy,
    constant,
    moved,
    parameters,
    same,
    shapes,
)
from web_tests.properties.spec import Fill, NodeSpec, Operand, Result, Role

ROLES: tuple[Role, ...] = ("constant", "input")


@st.composite
def indices(draw: DrawFn, shape: Shape, limit: int) -> Operand:
    """Draw indices below a limit, constant or provided at run time."""
    role: Role = draw(st.sampled_from(ROLES))
    dtype = draw(st.sampled_from(NUMBERS))
    return Operand(shape, Fill("integer", 0, limit, draw(SEEDS)), dtype, None, role)


@st.composite
def gather(draw: DrawFn) -> NodeSpec:
    """Draw a GATHER, with batch dimensions and indices of any rank."""
    shape = draw(shapes(1, 4, 5, empty=False))
    axis = draw(st.integers(0, len(shape) - 1))
    batch_dims = draw(st.integers(0, min(axis, 2)))
    inner = draw(shapes(0, 5, 3))
    data = draw(moved(shape, COPIED))
    chosen = draw(indices((*shape[:batch_dims], *inner), shape[axis]))
    options = (
        ("axis", axis - len(shape) if draw(st.booleans()) else axis),
        ("batchDims", batch_dims),
    )
    return NodeSpec("GATHER", (data, chosen), (same(data),), options)


def _index_vectors(draw: DrawFn, shape: Shape, outer: Shape, depth: int) -> tuple[int, ...]:
    """Draw index vectors of `depth` into the first dimensions of a shape."""
    count = math.prod(outer)
    columns = [Fill("integer", 0, shape[axis], draw(SEEDS)).make((count,), "int64") for axis in range(depth)]
    return tuple(int(column[row]) for row in range(count) for column in columns)


@st.composite
def gather_nd(draw: DrawFn) -> NodeSpec:
    shape = draw(shapes(1, 4, 5, empty=False))
    depth = draw(st.integers(1, len(shape)))
    outer = draw(shapes(0, 5, 3, empty=False))
    role: Role = draw(st.sampled_from(ROLES))
    content = _index_vectors(draw, shape, outer, depth)
    chosen = Operand((*outer, depth), content, draw(st.sampled_from(NUMBERS)), None, role)
    data = draw(moved(shape, COPIED))
    return NodeSpec("GATHER_ND", (data, chosen), (same(data),))


@st.composite
def scatter_nd(draw: DrawFn) -> NodeSpec:
    """Draw a SCATTER_ND; values for the same position are summed."""
    shape = draw(shapes(1, 4, 5, empty=False))
    depth = draw(st.integers(1, len(shape)))
    outer = draw(shapes(1, 5, 3, empty=False))
    role: Role = draw(st.sampled_from(ROLES))
    chosen = Operand((*outer, depth), _index_vectors(draw, shape, outer, depth), "int32", None, role)
    dtype = draw(st.sampled_from(NO_INT16))
    high = 2 if dtype == "bool" else 9
    updates = Operand((*outer, *shape[depth:]), Fill("integer", 0, high, draw(SEEDS)), dtype)
    parts = (chosen, updates, draw(parameters(shape)))
    return NodeSpec("SCATTER_ND", parts, (Result(dtype),))


@st.composite
def one_hot(draw: DrawFn) -> NodeSpec:
    """Draw a ONE_HOT; indices may be out of range."""
    shape = draw(shapes(0, 4, 4))
    depth = draw(st.integers(1, 5))
    role: Role = draw(st.sampled_from(ROLES))
    chosen = Operand(shape, Fill("integer", -1, depth + 1, draw(SEEDS)), draw(st.sampled_from(NUMBERS)), None, role)
    dtype = draw(st.sampled_from(NO_INT16))
    on, off = (constant(value, dtype) for value in ((1, 0) if dtype == "bool" else (5, 2)))
    axis = draw(st.integers(-1, len(shape)))
    parts = (chosen, constant(depth), on, off)
    return NodeSpec("ONE_HOT", parts, (Result(dtype),), (("axis", axis),))


@st.composite
def embedding_lookup(draw: DrawFn) -> NodeSpec:
    table = draw(shapes(2, 4, 5, empty=False))
    ids = Operand((draw(st.integers(1, 6)),), Fill("integer", 0, table[0], draw(SEEDS)), "int32")
    values = Operand(table, Fill("uniform", -9, 9, draw(SEEDS)), role="constant")
    return NodeSpec("EMBEDDING_LOOKUP", (ids, values))


@st.composite
def sparse_to_dense(draw: DrawFn) -> NodeSpec:
    """Draw a SPARSE_TO_DENSE with indices in order."""
    shape = draw(shapes(1, 4, 4, empty=False))
    flat = sorted(draw(st.sets(st.integers(0, math.prod(shape) - 1), min_size=1, max_size=5)))
    rows = []
    for each in flat:
        row = []
        for size in reversed(shape):
            row.append(each % size)
            each //= size
        rows.append(row[::-1])
    dtype = draw(st.sampled_from(("float32", "int8", "uint8", "int32", "int64")))
    is_scalar = draw(st.booleans())
    values = Operand(() if is_scalar else (len(rows),), Fill("integer", 0, 99, draw(SEEDS)), dtype)
    parts = (constant(rows), constant(shape), values, constant(7, dtype))
    return NodeSpec("SPARSE_TO_DENSE", parts, (Result(dtype),))


@st.composite
def update_slice(draw: DrawFn) -> NodeSpec:
    """Draw a DYNAMIC_UPDATE_SLICE, whose start may be out of range."""
    data = draw(moved(draw(shapes(1, 4, 5)), ("float32", "int8", "int32", "int64", "bool")))
    sizes = tuple(draw(st.integers(min(1, size), size)) for size in data.shape)
    assert isinstance(data.content, Fill)
    content = Fill(data.content.kind, data.content.low, data.content.high, draw(SEEDS))
    update = Operand(sizes, content, data.dtype, data.quantization)
    start = draw(parameters([draw(st.integers(-3, 7)) for _ in sizes], draw(st.sampled_from(NUMBERS))))
    return NodeSpec("DYNAMIC_UPDATE_SLICE", (data, update, start), (same(data),))


@st.composite
def reverse_sequence(draw: DrawFn) -> NodeSpec:
    data = draw(moved(draw(shapes(2, 4, 5, empty=False)), ("float32", "uint8", "int16", "int32", "int64")))
    along, batch = draw(st.permutations(range(len(data.shape))))[:2]
    lengths = [draw(st.integers(0, data.shape[along])) for _ in range(data.shape[batch])]
    parts = (data, draw(parameters(lengths, draw(st.sampled_from(NUMBERS)))))
    options = (("seqDim", along), ("batchDim", batch))
    return NodeSpec("REVERSE_SEQUENCE", parts, (same(data),), options)


@st.composite
def bucketize(draw: DrawFn) -> NodeSpec:
    dtype = draw(st.sampled_from(("float32", "int32", "int64")))
    limits = sorted(draw(st.lists(st.integers(-9, 9), min_size=1, max_size=6)))
    data = Operand(draw(shapes()), Fill("integer", -10, 11, draw(SEEDS)), dtype)
    options = (("boundaries", tuple(float(limit) for limit in limits)),)
    return NodeSpec("BUCKETIZE", (data,), (Result("int32"),), options)


@st.composite
def matrix_diag(draw: DrawFn, op: str) -> NodeSpec:
    outer = draw(shapes(0, 2, 3, empty=False))
    rows, columns = draw(st.integers(1, 5)), draw(st.integers(1, 5))
    dtypes = ("float32", "int8", "uint8", "int16", "int32", "int64")
    if op == "MATRIX_DIAG":
        data = draw(moved((*outer, rows), dtypes))
        return NodeSpec(op, (data,), (same(data),))
    data = draw(moved((*outer, rows, columns), dtypes))
    assert isinstance(data.content, Fill)
    content = Fill(data.content.kind, data.content.low, data.content.high, draw(SEEDS))
    diagonal = Operand((*outer, min(rows, columns)), content, data.dtype, data.quantization)
    return NodeSpec(op, (data, diagonal), (same(data),))


STRATEGIES: dict[str, Strategy] = {
    "GATHER": gather(),
    "GATHER_ND": gather_nd(),
    "SCATTER_ND": scatter_nd(),
    "ONE_HOT": one_hot(),
    "EMBEDDING_LOOKUP": embedding_lookup(),
    "SPARSE_TO_DENSE": sparse_to_dense(),
    "DYNAMIC_UPDATE_SLICE": update_slice(),
    "REVERSE_SEQUENCE": reverse_sequence(),
    "BUCKETIZE": bucketize(),
    "MATRIX_DIAG": matrix_diag("MATRIX_DIAG"),
    "MATRIX_SET_DIAG": matrix_diag("MATRIX_SET_DIAG"),
}
