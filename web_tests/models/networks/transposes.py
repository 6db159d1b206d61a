"""Networks of transposes, their inverses and operators between them, which Chromium 147 moves in wrong ways."""

import numpy as np

from web_tests.models.networks.graph import Graph, Tensor
from web_tests.models.recipes import SEED

SHAPE = (2, 12, 32)
SWAPPED = (0, 2, 1)


def _turned(graph: Graph) -> tuple[Tensor, Tensor]:
    """Return the input f32[2,12,32] and its transpose f32[2,32,12]."""
    x = graph.tensor("input", SHAPE)
    return x, graph.transpose(x, SWAPPED)


def softmax_over_rows() -> bytes:
    """Return softmax over an axis other than the last one, which converters write as a SOFTMAX between TRANSPOSEs."""
    graph = Graph()
    x, turned = _turned(graph)
    rows = graph.softmax(graph.unary("TANH", turned))
    return graph.finish([x], [graph.unary("ABS", graph.transpose(rows, SWAPPED))])


def square_of_transpose() -> bytes:
    """Return the square of a transposed tensor as MUL, which reads it twice, transposed back."""
    graph = Graph()
    x, turned = _turned(graph)
    return graph.finish([x], [graph.unary("ABS", graph.transpose(graph.binary("MUL", turned, turned), SWAPPED))])


def transposes_of_one() -> bytes:
    """Return two outputs that are the same transpose of one tensor, as two nodes."""
    graph = Graph()
    x, turned = _turned(graph)
    size = graph.unary("ABS", turned)
    return graph.finish([x], [graph.transpose(size, SWAPPED), graph.transpose(size, SWAPPED)])


def sum_and_product() -> bytes:
    """Return a function of a transposed tensor, its sum and its product with another, all transposed back."""
    graph = Graph()
    x, turned = _turned(graph)
    bounded, gate = graph.unary("TANH", turned), graph.unary("LOGISTIC", turned)
    results = [graph.binary(op, bounded, gate) for op in ("ADD", "MUL")] + [bounded]
    return graph.finish([x], [graph.unary("ABS", graph.transpose(result, SWAPPED)) for result in results])


def transposed_constant() -> bytes:
    """Return a sum with a constant that is transposed, then reshaped."""
    graph = Graph()
    x = graph.tensor("input", SHAPE)
    values = np.random.default_rng(SEED).standard_normal((32, 24)).astype(np.float32)
    moved = graph.reshape(graph.transpose(graph.constant(values), (1, 0)), SHAPE)
    return graph.finish([x], [graph.binary("ADD", x, moved)])
