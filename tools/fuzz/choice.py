"""Random choices of the mutations."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

Random = np.random.Generator
# Changes a model, a schema.ModelT, in place; does nothing if the model has nothing to change.
Mutation = Callable[[Any, Random], None]

# Numbers that code tends to overlook.
EXTREMES = (-(2**31), -(2**30), -(2**16), -129, -1, 0, 127, 255, 256, 2**15, 2**16, 2**24, 2**30, 2**31 - 1)
EXTREME_FLOATS = (0.0, -0.0, -1.0, 1e-45, 1e-8, 1e38, float("inf"), float("-inf"), float("nan"))
# Most small numbers are valid ranks, axes and sizes, which reach deeper into the code than extremes.
SMALL_SHARE = 0.6


def pick(items: Sequence[Any], random: Random) -> Any:
    return items[int(random.integers(len(items)))]


def number(random: Random) -> int:
    """Return an int32: mostly small, else at the edge of a type."""
    if random.random() < SMALL_SHARE:
        return int(random.integers(-5, 10))
    return int(pick(EXTREMES, random))


def real(random: Random) -> float:
    """Return a float32: an ordinary one, or one that breaks formulas."""
    if random.random() < SMALL_SHARE:
        return float(np.float32(random.normal(0, 2)))
    return float(pick(EXTREME_FLOATS, random))


def index(count: int, random: Random, *, lowest: int = 0) -> int:
    """Return an index into `count` things, mostly an existing one."""
    if random.random() < SMALL_SHARE and count > lowest:
        return int(random.integers(lowest, count))
    return int(pick((-1, count, count + 1, *EXTREMES), random))


def unsigned_index(count: int, random: Random) -> int:
    """Return an index for an unsigned field."""
    return index(count, random) % 2**32


def graph_of(model: Any, random: Random) -> Any:
    """Return a subgraph: mostly the first, which is the one that runs."""
    return model.subgraphs[0] if random.random() < 0.8 else pick(model.subgraphs, random)


def tensor_of(model: Any, random: Random) -> Any:
    """Return a tensor, or None if the subgraph has none."""
    tensors = graph_of(model, random).tensors
    return pick(tensors, random) if tensors else None


def constant_of(model: Any, random: Random) -> Any:
    """Return a tensor with content, or None."""
    tensors = graph_of(model, random).tensors or []
    constants = [tensor for tensor in tensors if content_of(model, tensor) is not None]
    return pick(constants, random) if constants else None


def content_of(model: Any, tensor: Any) -> Any:
    """Return the buffer with a constant's bytes; None for a tensor without content."""
    if not 0 < tensor.buffer < len(model.buffers):
        return None
    buffer = model.buffers[tensor.buffer]
    return buffer if buffer.data is not None and len(buffer.data) else None


def node_of(model: Any, random: Random) -> Any:
    """Return a node, or None if the subgraph has none."""
    nodes = graph_of(model, random).operators
    return pick(nodes, random) if nodes else None


def numbers(values: Any) -> list[int]:
    """Return a vector of the schema as a list; an absent one is empty."""
    return [] if values is None else [int(value) for value in values]


def outside_content(random: Random) -> tuple[int, int]:
    """Return offset and size of content behind the flatbuffer, whose sum may wrap around."""
    offset, size = (abs(number(random)) for _ in range(2))
    return pick((offset, 2**64 - 1 - offset), random), size
