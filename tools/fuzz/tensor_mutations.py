"""Mutations of tensors and their content: shapes, types, buffers, axes and permutations, sparsity."""

from typing import Any

import numpy as np
from ai_edge_litert import schema_py_generated as schema

from tools.fuzz.choice import (
    Mutation,
    Random,
    constant_of,
    content_of,
    index,
    number,
    numbers,
    outside_content,
    pick,
    tensor_of,
    unsigned_index,
)

TYPE_COUNT = 22
INT32_BYTES = 4


def dimension(model: Any, random: Random) -> None:
    """Change one dimension of a shape."""
    tensor = tensor_of(model, random)
    shape = numbers(tensor.shape) if tensor else []
    if shape:
        shape[int(random.integers(len(shape)))] = number(random)
        tensor.shape = shape


def rank(model: Any, random: Random) -> None:
    """Give a tensor a small shape of any rank, also above the kernels' maximum."""
    if tensor := tensor_of(model, random):
        tensor.shape = numbers(random.integers(0 if random.random() < 0.2 else 1, 5, random.integers(0, 10)))


def no_shape(model: Any, random: Random) -> None:
    """Remove a tensor's shape, or its rank."""
    if tensor := tensor_of(model, random):
        tensor.shape = None
        tensor.hasRank = bool(random.integers(2))


def dynamic_shape(model: Any, random: Random) -> None:
    """Give a tensor a shape signature, which marks variable dimensions."""
    if tensor := tensor_of(model, random):
        tensor.shapeSignature = [pick((-1, number(random)), random) for _ in range(int(random.integers(0, 6)))]


def type_(model: Any, random: Random) -> None:
    """Give a tensor another type."""
    if tensor := tensor_of(model, random):
        tensor.type = int(random.integers(0, TYPE_COUNT)) if random.random() < 0.95 else int(random.integers(-128, 128))


def all_types(model: Any, random: Random) -> None:
    """Change the type of all tensors of one type: kernels require matching types."""
    if tensor := tensor_of(model, random):
        old, new = tensor.type, int(random.integers(0, TYPE_COUNT))
        for other in model.subgraphs[0].tensors:
            other.type = new if other.type == old else other.type


def variable(model: Any, random: Random) -> None:
    """Toggle whether a tensor is a variable."""
    if tensor := tensor_of(model, random):
        tensor.isVariable = not tensor.isVariable


def name(model: Any, random: Random) -> None:
    """Remove a tensor's name, make it invalid UTF-8, or one that needs escaping."""
    if tensor := tensor_of(model, random):
        tensor.name = pick((None, b"", b'"\\\n\x01', b"\xff\xfe\xc0", b"x" * 5000), random)


def buffer_index(model: Any, random: Random) -> None:
    """Make a tensor refer to another buffer."""
    if tensor := tensor_of(model, random):
        tensor.buffer = unsigned_index(len(model.buffers), random)


def external_buffer(model: Any, random: Random) -> None:
    """Place a tensor's or a node's content outside the flatbuffer, as files above 2 GB do."""
    buffer = pick(model.buffers, random)
    buffer.data = None
    buffer.offset, buffer.size = outside_content(random)
    if tensor := tensor_of(model, random):
        tensor.externalBuffer = unsigned_index(3, random)


def content(model: Any, random: Random) -> None:
    """Fill a constant with random bytes."""
    if tensor := constant_of(model, random):
        buffer = content_of(model, tensor)
        buffer.data = random.integers(0, 256, len(buffer.data)).astype(np.uint8)


def content_numbers(model: Any, random: Random) -> None:
    """Change numbers of an int32 constant: axes, permutations, paddings, shapes, indices."""
    tensor = constant_of(model, random)
    if tensor and tensor.type in (schema.TensorType.INT32, schema.TensorType.INT64):
        buffer = content_of(model, tensor)
        changed = np.frombuffer(bytes(buffer.data[: len(buffer.data) // INT32_BYTES * INT32_BYTES]), np.int32).copy()
        for position in random.integers(0, max(len(changed), 1), int(random.integers(1, 4))):
            changed[position : position + 1] = number(random)
        buffer.data = np.frombuffer(changed.tobytes(), np.uint8)


def content_length(model: Any, random: Random) -> None:
    """Truncate or extend a constant's content."""
    if tensor := constant_of(model, random):
        buffer = content_of(model, tensor)
        longer = np.concatenate([buffer.data, np.zeros(int(random.integers(1, 17)), np.uint8)])
        buffer.data = longer.astype(np.uint8)[: random.integers(len(longer) + 1)]


def no_content(model: Any, random: Random) -> None:
    """Empty a tensor's buffer, or refer to no buffer."""
    if tensor := constant_of(model, random):
        if random.random() < 0.5:
            tensor.buffer = 0
        else:
            content_of(model, tensor).data = pick((None, np.zeros(0, np.uint8)), random)


def constant(model: Any, random: Random) -> None:
    """Make any tensor a constant: an input, an output, a node's result."""
    if tensor := tensor_of(model, random):
        buffer = schema.BufferT()
        buffer.data = random.integers(0, pick((2, 5, 256), random), int(random.integers(1, 257))).astype(np.uint8)
        model.buffers.append(buffer)
        tensor.buffer = len(model.buffers) - 1


def sparsity(model: Any, random: Random) -> None:
    """Give a tensor sparsity parameters, which are rarely valid."""
    if tensor := constant_of(model, random):
        created = schema.SparsityParametersT()
        rank_of_tensor = len(numbers(tensor.shape))
        count = max(rank_of_tensor + int(random.integers(-1, 3)), 0)
        order = numbers(random.permutation(count)) if random.random() < 0.7 else [number(random) for _ in range(count)]
        created.traversalOrder = pick((order, order[:rank_of_tensor], None), random)
        created.blockMap = [index(rank_of_tensor, random) for _ in range(int(random.integers(0, 3)))]
        created.dimMetadata = [_dimension_metadata(random) for _ in range(count)] if random.random() < 0.9 else None
        tensor.sparsity = created


MUTATIONS: tuple[Mutation, ...] = (
    dimension,
    dimension,
    rank,
    no_shape,
    dynamic_shape,
    type_,
    all_types,
    variable,
    name,
    buffer_index,
    external_buffer,
    content,
    content_numbers,
    content_numbers,
    content_length,
    no_content,
    constant,
    sparsity,
)


def _dimension_metadata(random: Random) -> Any:
    created = schema.DimensionMetadataT()
    created.format = int(random.integers(0, 2))
    created.denseSize = number(random)
    if random.random() < 0.8:
        created.arraySegmentsType, created.arraySegments = _index_vector(random, increasing=True)
        created.arrayIndicesType, created.arrayIndices = _index_vector(random, increasing=False)
    return created


def _index_vector(random: Random, *, increasing: bool) -> tuple[int, Any]:
    kinds = (
        (schema.SparseIndexVector.Int32Vector, schema.Int32VectorT),
        (schema.SparseIndexVector.Uint16Vector, schema.Uint16VectorT),
        (schema.SparseIndexVector.Uint8Vector, schema.Uint8VectorT),
    )
    kind, make = pick(kinds, random)
    created = make()
    values = random.integers(0, pick((4, 128), random), int(random.integers(0, 6)))
    created.values = numbers(np.sort(values) if increasing else values)
    return kind, created
