"""Files in which a vector names one table many times, at four bytes each."""

from collections.abc import Sequence
from functools import cache
from itertools import pairwise
from typing import Any

import numpy as np
from ai_edge_litert import schema_py_generated as schema

from web_tests.models.model_file import changed
from web_tests.models.model_writer import ModelWriter

SHAPE = (1,)


def written_once(table: Any) -> Any:
    """Let an object of the schema be written once, wherever it is named; return it."""
    table.Pack = cache(table.Pack)
    return table


def repeated(field: str, count: int, *, name_length: int = 1, rank: int = 1, boundaries: int = 0) -> bytes:
    """Return a sum whose file names the last entry of a list `count` times: of the model, or else of its subgraph.

    With boundaries, its last node is a BUCKETIZE.
    """

    def change(model: Any) -> None:
        model.subgraphs[0].tensors[-1].name = b"n" * name_length
        model.subgraphs[0].tensors[-1].shape = [1] * rank
        model.operatorCodes[-1].version = 2  # a table of defaults has four bytes
        if boundaries > 0:
            code = model.operatorCodes[-1]
            code.builtinCode = schema.BuiltinOperator.BUCKETIZE
            code.deprecatedBuiltinCode = min(code.builtinCode, schema.BuiltinOperator.PLACEHOLDER_FOR_GREATER_OP_CODES)
            node = model.subgraphs[0].operators[-1]
            node.builtinOptionsType = schema.BuiltinOptions.BucketizeOptions
            node.builtinOptions = schema.BucketizeOptionsT()
            node.builtinOptions.boundaries = np.arange(boundaries, dtype=np.float32)
        owner = model if hasattr(model, field) else model.subgraphs[0]
        entries = getattr(owner, field)
        setattr(owner, field, [*entries, *[written_once(entries[-1])] * count])

    return changed(chain(1), change)


def repeated_subgraphs(subgraphs: int, tensors: int) -> bytes:
    """Return subgraphs that are one, whose tensors are one."""

    def change(model: Any) -> None:
        (graph,) = model.subgraphs
        graph.tensors += [written_once(graph.tensors[-1])] * tensors
        model.subgraphs = [written_once(graph)] * subgraphs

    return changed(chain(1), change)


def chain(nodes: int, *, name_length: int = 1) -> bytes:
    """Return `nodes` sums, one after the other, each of its own tables."""
    writer = ModelWriter()
    inputs, outputs = add_chain(writer, nodes, name_length)
    return writer.finish(inputs, outputs, signature="main")


def signatures(count: int) -> bytes:
    """Return a sum that so many signatures of their own run."""
    writer = ModelWriter()
    inputs, outputs = add_chain(writer, 1)
    for index in range(count - 1):
        writer.end(inputs, outputs, signature=f"s{index}")
    return writer.finish(inputs, outputs, signature="main")


def add_chain(writer: ModelWriter, nodes: int, name_length: int = 1) -> tuple[list[int], list[int]]:
    """Write the sums, and return the inputs and outputs."""
    tensors = [writer.tensor("n" * name_length, SHAPE) for _ in range(nodes + 1)]
    for before, after in pairwise(tensors):
        writer.node("ADD", [before, before], [after])
    return tensors[:1], tensors[-1:]


def calls(nodes: Sequence[int]) -> bytes:
    """Return subgraphs of so many IFs, each of which calls the next subgraph; the last one has sums."""
    main = ModelWriter()
    writers = [main, *(main.subgraph() for _ in nodes[1:])]
    for index, (writer, count) in enumerate(zip(writers, nodes, strict=True)):
        is_last = index == len(nodes) - 1
        inputs_and_outputs = add_chain(writer, count) if is_last else _ifs(writer, count, index + 1)
        if index > 0:
            writer.end(*inputs_and_outputs)
        else:
            inputs_and_outputs_of_main = inputs_and_outputs
    return main.finish(*inputs_and_outputs_of_main)


def _ifs(writer: ModelWriter, count: int, callee: int) -> tuple[list[int], list[int]]:
    condition = writer.constant("condition", np.array([True]))
    options = {"thenSubgraphIndex": callee, "elseSubgraphIndex": callee}
    x, y = writer.tensor("x", SHAPE), writer.tensor("y", SHAPE)
    for _ in range(count):
        writer.node("IF", [condition, x], [y], options)
    return [x], [y]


def named_by_nodes(nodes: int, name_length: int) -> bytes:
    """Return nodes of their own that all read one tensor with a long name."""

    def change(model: Any) -> None:
        model.subgraphs[0].tensors[0].name = b"n" * name_length
        for node in model.subgraphs[0].operators:
            node.inputs = [0, 0]

    return changed(chain(nodes), change)


def named_by_metadata(entries: int, size_bytes: int) -> bytes:
    """Return metadata of which each entry names one large buffer."""

    def change(model: Any) -> None:
        buffer = schema.BufferT()
        buffer.data = np.zeros(size_bytes, np.uint8)
        model.buffers.append(buffer)
        model.metadata = [schema.MetadataT() for _ in range(entries)]
        for index, entry in enumerate(model.metadata):
            entry.name, entry.buffer = f"entry_{index}".encode(), len(model.buffers) - 1

    return changed(chain(1), change)


def cases(nodes: int, subgraphs: int) -> bytes:
    """Return STABLEHLO_CASEs that name few of the subgraphs; their kernel prepares all."""
    main = ModelWriter()
    for _ in range(subgraphs):
        writer = main.subgraph()
        writer.end(*add_chain(writer, 1))
    which, x, y = main.tensor("which", (), "int32"), main.tensor("x", SHAPE), main.tensor("y", SHAPE)
    options = {"branchSubgraphIndices": [1]}
    for _ in range(nodes):
        main.node("STABLEHLO_CASE", [which, x], [y], options)
    return main.finish([which, x], [y])
