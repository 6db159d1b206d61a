"""Models damaged at random, from a seed: changed bytes, and fields that no flatbuffer verifier objects to."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import flatbuffers
import numpy as np
from ai_edge_litert import schema_py_generated as schema

from web_tests.model_writer import FILE_IDENTIFIER

# Numbers that code tends to forget.
NUMBERS = (0, -1, 1, 2, 7, 255, 2**16, 2**30, 2**31 - 1, -(2**31))


def damaged_bytes(content: bytes, seed: int) -> bytes:
    """Return the file with 1 to 16 bytes changed, the identifier left as it is. Most of it no longer verifies."""
    random = np.random.default_rng(seed)
    damaged = bytearray(content)
    for position in random.integers(8, len(content), random.integers(1, 17)):
        damaged[position] = int(random.integers(0, 256))
    return bytes(damaged)


def damaged_structure(content: bytes, seed: int) -> bytes:
    """Return the model with 1 to 3 fields of its first subgraph changed at random; it still is a valid flatbuffer."""
    random = np.random.default_rng(seed)
    model = schema.ModelT.InitFromObj(schema.Model.GetRootAsModel(content, 0))
    for _ in range(random.integers(1, 4)):
        _pick(DAMAGES, random)(model, random)
    builder = flatbuffers.Builder(len(content))
    builder.Finish(model.Pack(builder), file_identifier=FILE_IDENTIFIER)
    return bytes(builder.Output())


def _node_input(model: Any, random: np.random.Generator) -> None:
    node = _pick(model.subgraphs[0].operators, random)
    node.inputs = _other_index(node.inputs, model, random)


def _node_output(model: Any, random: np.random.Generator) -> None:
    node = _pick(model.subgraphs[0].operators, random)
    node.outputs = _other_index(node.outputs, model, random)


def _graph_border(model: Any, random: np.random.Generator) -> None:
    graph = model.subgraphs[0]
    if random.random() < 0.5:
        graph.inputs = _other_index(graph.inputs, model, random)
    else:
        graph.outputs = _other_index(graph.outputs, model, random)


def _shape(model: Any, random: np.random.Generator) -> None:
    tensor = _pick(model.subgraphs[0].tensors, random)
    if tensor.shape is not None and len(tensor.shape):
        shape = list(tensor.shape)
        shape[random.integers(len(shape))] = _number(random)
        tensor.shape = shape


def _rank(model: Any, random: np.random.Generator) -> None:
    tensor = _pick(model.subgraphs[0].tensors, random)
    tensor.shape = [int(size) for size in random.integers(1, 5, random.integers(0, 7))]


def _type(model: Any, random: np.random.Generator) -> None:
    _pick(model.subgraphs[0].tensors, random).type = int(random.integers(0, 20))


def _op(model: Any, random: np.random.Generator) -> None:
    code = _pick(model.operatorCodes, random)
    code.builtinCode = int(random.integers(0, 160))
    code.deprecatedBuiltinCode = min(code.builtinCode, 127)


def _option(model: Any, random: np.random.Generator) -> None:
    options = _pick(model.subgraphs[0].operators, random).builtinOptions
    names = [name for name, value in vars(options).items() if type(value) is int] if options else []
    if names:
        # Enumerations are single bytes, which cannot hold the large numbers.
        setattr(options, _pick(names, random), int(random.integers(-3, 9)))


def _content(model: Any, random: np.random.Generator) -> None:
    buffer = _pick(model.buffers, random)
    if buffer.data is not None and len(buffer.data):
        buffer.data = random.integers(0, 256, len(buffer.data)).astype(np.uint8)


def _content_length(model: Any, random: np.random.Generator) -> None:
    buffer = _pick(model.buffers, random)
    if buffer.data is not None and len(buffer.data):
        buffer.data = buffer.data[: random.integers(len(buffer.data))]


DAMAGES: Sequence[Callable[[Any, np.random.Generator], None]] = (
    _node_input,
    _node_output,
    _graph_border,
    _shape,
    _rank,
    _type,
    _op,
    _option,
    _content,
    _content_length,
)


def _other_index(indices: Any, model: Any, random: np.random.Generator) -> Any:
    """Return the tensor indices with one replaced, mostly by a tensor that exists."""
    if indices is None or not len(indices):
        return indices
    replaced = [int(index) for index in indices]
    count = len(model.subgraphs[0].tensors)
    other = int(random.integers(-1, count)) if random.random() < 0.7 else _number(random)
    replaced[int(random.integers(len(replaced)))] = other
    return replaced


def _number(random: np.random.Generator) -> int:
    return NUMBERS[int(random.integers(len(NUMBERS)))]


def _pick(items: Sequence[Any], random: np.random.Generator) -> Any:
    return items[int(random.integers(len(items)))]
