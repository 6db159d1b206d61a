"""Mutations of a model's structure: nodes, their indices and order, op codes, subgraphs, metadata."""

import copy
from typing import Any

import numpy as np
from ai_edge_litert import schema_py_generated as schema

from tools.fuzz.choice import (
    SMALL_SHARE,
    Mutation,
    Random,
    graph_of,
    index,
    node_of,
    number,
    numbers,
    pick,
    unsigned_index,
)
from web_tests.malformed.repetition import written_once

HIGHEST_OP_CODE = 220
MAX_REPETITIONS_LOG2 = 15
# Names that TFLite's op resolver and metadata readers look for.
CUSTOM_OPS = (b"Convolution2DTransposeBias", b"TFLite_Detection_PostProcess", b"FlexErf", b"edgetpu-custom-op", b"")
METADATA_NAMES = (b"model_control_dependencies", b"reduced_precision_support", b"min_runtime_version", b"other")


def node_input(model: Any, random: Random) -> None:
    """Let a node read another tensor."""
    if node := node_of(model, random):
        node.inputs = _with_other_index(node.inputs, model, random, lowest=-1)


def node_output(model: Any, random: Random) -> None:
    """Let a node write another tensor."""
    if node := node_of(model, random):
        node.outputs = _with_other_index(node.outputs, model, random)


def node_intermediates(model: Any, random: Random) -> None:
    """Give a node intermediate tensors, like those of quantized LSTMs."""
    if node := node_of(model, random):
        count = len(model.subgraphs[0].tensors or [])
        node.intermediates = [index(count, random) for _ in range(int(random.integers(0, 6)))]


def input_count(model: Any, random: Random) -> None:
    """Drop, repeat or add an input of a node."""
    if node := node_of(model, random):
        node.inputs = _with_other_count(node.inputs, model, random)


def output_count(model: Any, random: Random) -> None:
    """Drop, repeat or add an output of a node."""
    if node := node_of(model, random):
        node.outputs = _with_other_count(node.outputs, model, random)


def graph_boundary(model: Any, random: Random) -> None:
    """Change a model input or output, or their number."""
    graph = graph_of(model, random)
    change = pick((_with_other_index, _with_other_count), random)
    if random.random() < 0.5:
        graph.inputs = change(graph.inputs, model, random)
    else:
        graph.outputs = change(graph.outputs, model, random)


def node_order(model: Any, random: Random) -> None:
    """Swap two nodes."""
    nodes = graph_of(model, random).operators or []
    if len(nodes) > 1:
        one, other = (int(position) for position in random.choice(len(nodes), 2, replace=False))
        nodes[one], nodes[other] = nodes[other], nodes[one]


def node_count(model: Any, random: Random) -> None:
    """Leave a node out, or repeat it."""
    nodes = graph_of(model, random).operators
    if nodes:
        position = int(random.integers(len(nodes)))
        nodes[position : position + 1] = (
            [] if random.random() < 0.5 else [nodes[position], copy.deepcopy(nodes[position])]
        )


def op_code(model: Any, random: Random) -> None:
    """Change an op code to another builtin's."""
    if model.operatorCodes:
        code = pick(model.operatorCodes, random)
        code.builtinCode = int(random.integers(0, HIGHEST_OP_CODE)) if random.random() < 0.9 else number(random)
        code.deprecatedBuiltinCode = min(max(code.builtinCode, -128), 127)


def op_code_index(model: Any, random: Random) -> None:
    """Make a node refer to another op code."""
    if node := node_of(model, random):
        node.opcodeIndex = unsigned_index(len(model.operatorCodes or []), random)


def op_version(model: Any, random: Random) -> None:
    """Change an op's version: kernels read their parameters by it."""
    if model.operatorCodes:
        pick(model.operatorCodes, random).version = number(random)


def custom_op(model: Any, random: Random) -> None:
    """Make an op a custom op, or change its name."""
    if model.operatorCodes:
        code = pick(model.operatorCodes, random)
        code.builtinCode = code.deprecatedBuiltinCode = schema.BuiltinOperator.CUSTOM
        code.customCode = pick((*CUSTOM_OPS, None), random)


def repetition(model: Any, random: Random) -> None:
    """Let a vector name one of its tables many times."""
    graph = graph_of(model, random)
    graph_lists = ("tensors", "operators")
    model_lists = ("subgraphs", "operatorCodes", "buffers", "signatureDefs", "metadata")
    owner, names = (graph, graph_lists) if random.random() < 0.7 else (model, model_lists)
    name = pick(names, random)
    if entries := getattr(owner, name):
        count = 2 ** int(random.integers(1, MAX_REPETITIONS_LOG2))
        setattr(owner, name, [*entries, *[written_once(pick(entries, random))] * count])


def called_again(model: Any, random: Random) -> None:
    """Repeat a node, a table of its own each time, which multiplies what it calls."""
    nodes = graph_of(model, random).operators
    if nodes:
        nodes += [copy.deepcopy(pick(nodes, random)) for _ in range(int(random.integers(2, 200)))]


def another_graph(model: Any, random: Random) -> None:
    """Add a copy of a subgraph, for the ops that call one."""
    model.subgraphs.append(copy.deepcopy(pick(model.subgraphs, random)))


def signature(model: Any, random: Random) -> None:
    """Add a signature whose indices may point nowhere."""
    count = len(model.subgraphs[0].tensors or [])
    created = schema.SignatureDefT()
    created.signatureKey = pick((b"serving_default", b"", None), random)
    created.subgraphIndex = unsigned_index(len(model.subgraphs), random)
    for boundary in ("inputs", "outputs"):
        entry = schema.TensorMapT()
        entry.name = pick((b"x", None), random)
        entry.tensorIndex = unsigned_index(count, random)
        setattr(created, boundary, [entry] if random.random() < 0.8 else None)
    model.signatureDefs = [*(model.signatureDefs or []), created]


def metadata(model: Any, random: Random) -> None:
    """Add a metadata entry with a new or an arbitrary buffer."""
    entry = schema.MetadataT()
    entry.name = pick(METADATA_NAMES, random)
    entry.buffer = unsigned_index(len(model.buffers), random)
    if random.random() < SMALL_SHARE:
        buffer = schema.BufferT()
        buffer.data = random.integers(0, pick((3, 256), random), int(random.integers(0, 40))).astype(np.uint8)
        model.buffers.append(buffer)
        entry.buffer = len(model.buffers) - 1
    model.metadata = [*(model.metadata or []), entry]


def schema_version(model: Any, random: Random) -> None:
    """Change the schema's version."""
    model.version = unsigned_index(5, random)


MUTATIONS: tuple[Mutation, ...] = (
    node_input,
    node_output,
    node_intermediates,
    input_count,
    output_count,
    graph_boundary,
    node_order,
    node_count,
    op_code,
    op_code_index,
    op_version,
    custom_op,
    repetition,
    called_again,
    another_graph,
    signature,
    metadata,
    schema_version,
)


def _with_other_index(values: Any, model: Any, random: Random, *, lowest: int = 0) -> list[int]:
    changed = numbers(values)
    if changed:
        count = len(model.subgraphs[0].tensors or [])
        changed[int(random.integers(len(changed)))] = index(count, random, lowest=lowest)
    return changed


def _with_other_count(values: Any, model: Any, random: Random) -> list[int]:
    changed = numbers(values)
    how = random.random()
    if how < 0.4 and changed:
        del changed[int(random.integers(len(changed)))]
    elif how < 0.5:
        changed.clear()
    elif how < 0.7 and changed:
        changed.append(pick(changed, random))
    else:
        changed.append(index(len(model.subgraphs[0].tensors or []), random, lowest=-1))
    return changed
