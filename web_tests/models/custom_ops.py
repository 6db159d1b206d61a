"""Models with custom ops that this runtime lacks, which tests compute in JavaScript."""

import numpy as np

from web_tests.models.model_writer import ModelWriter
from web_tests.models.recipes import Array

SHAPE = (2, 4)
TABLE = np.array([0.5, -2.0, 3.0, 0.25], np.float32)


def scaled_between_nodes(op: str = "Scale", options: bytes = b"\x03\x05") -> bytes:
    """Return y = -(op(sin(x), TABLE)) of f32[2,4], as the nodes SIN, `op`, NEG."""
    writer = ModelWriter()
    x, sine, scaled, y = (writer.tensor(name, SHAPE) for name in ("x", "sine", "scaled", "y"))
    table = writer.constant("table", TABLE)
    writer.node("SIN", [x], [sine])
    writer.node(op, [sine, table], [scaled], options)
    writer.node("NEG", [scaled], [y])
    return writer.finish([x], [y])


def one_node(op: str) -> bytes:
    """Return a model of one node, f32[4] -> f32[4]."""
    writer = ModelWriter()
    x, y = writer.tensor("x", (4,)), writer.tensor("y", (4,))
    writer.node(op, [x], [y])
    return writer.finish([x], [y])


def in_branches(op: str) -> bytes:
    """Return y = `op`(x), or `op`(-x) where the input `chosen` is false, in the subgraphs of an IF."""
    main = ModelWriter()
    branches = []
    for negates in (False, True):
        branch = main.subgraph()
        x, y = branch.tensor("x", (4,)), branch.tensor("y", (4,))
        value = x
        if negates:
            value = branch.tensor("negated", (4,))
            branch.node("NEG", [x], [value])
        branch.node(op, [value], [y])
        branch.end([x], [y])
        branches.append(main.index_of(branch))
    chosen, x, y = main.tensor("chosen", (1,), "bool"), main.tensor("x", (4,)), main.tensor("y", (4,))
    options = {"thenSubgraphIndex": branches[0], "elseSubgraphIndex": branches[1]}
    main.node("IF", [chosen, x], [y], options)
    return main.finish([chosen, x], [y])


def of_signature(op: str) -> bytes:
    """Return NEG as the main subgraph, and the signature `other` of another subgraph: y = `op`(x)."""
    main = ModelWriter()
    other = main.subgraph()
    x, y = other.tensor("x", (4,)), other.tensor("y", (4,))
    other.node(op, [x], [y])
    other.end([x], [y], signature="other")
    x, y = main.tensor("x", (4,)), main.tensor("y", (4,))
    main.node("NEG", [x], [y])
    return main.finish([x], [y], signature="main")


def transposed_convolution(filters: Array, bias: Array, *, side: int) -> bytes:
    """Return MediaPipe's Convolution2DTransposeBias with stride 2 and padding VALID of f32[1,side,side,channels].

    `filters` has the shape [output channels, 2, 2, channels].
    """
    writer = ModelWriter()
    x = writer.tensor("x", (1, side, side, filters.shape[3]))
    y = writer.tensor("y", (1, 2 * side, 2 * side, filters.shape[0]))
    padding_and_strides = np.array([2, 2, 2], np.int32).tobytes()
    tensors = [x, writer.constant("filters", filters), writer.constant("bias", bias)]
    writer.node("Convolution2DTransposeBias", tensors, [y], padding_and_strides)
    return writer.finish([x], [y])
