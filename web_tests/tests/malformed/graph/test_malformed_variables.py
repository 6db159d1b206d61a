"""Variables that a model cannot hand to its caller: what CALL_ONCE would run is run while the model is loaded."""

import re
from collections.abc import Callable

import numpy as np
import pytest

from web_tests.models.networks.graph import Graph, Tensor
from web_tests.models.networks.variables import VariableWriter, assign, handle, read
from web_tests.references.described import described, rejection
from web_tests.references.golden import WEBNN

pytestmark = pytest.mark.needs("package")

OUTSIDE = {**WEBNN, "external_variables": "1"}
SHAPE = (4,)


def endless(graph: Graph) -> Tensor:
    """Return the result of a loop whose condition is a constant."""
    condition, body = graph.another(), graph.another()
    condition.end([condition.tensor("value", SHAPE)], [condition.constant(np.array([True]))])
    before = body.tensor("before", SHAPE)
    body.end([before], [body.unary("SIN", before)])
    indices = [graph.writer.index_of(other.writer) for other in (condition, body)]
    options = dict(zip(("condSubgraphIndex", "bodySubgraphIndex"), indices, strict=True))
    ones = graph.constant(np.ones(SHAPE, np.float32))
    return graph.op("WHILE", [ones], SHAPE, options)


def sparse(graph: Graph) -> Tensor:
    """Return a constant of two values and two zeros."""
    dense = graph.writer.sparse_constant("sparse", np.array([[1, 0, 2, 0]], np.float32))
    return Tensor(dense - 1, (1, 4))


def total(first_value: Callable[[Graph], Tensor], shape: tuple[int, ...] = SHAPE) -> bytes:
    """Return a model that adds its input to a variable."""
    writer = VariableWriter.start()
    assign(writer.first, handle(writer.first, "total"), first_value(writer.first))
    graph = writer.graph
    x, variable = graph.tensor("x", shape), handle(graph, "total")
    added = graph.binary("ADD", read(graph, variable, shape, "before"), x)
    assign(graph, variable, added)
    return writer.finish([x], [graph.unary("SIN", added)])


KEPT: dict[str, tuple[bytes, str]] = {
    "a first value that is never computed": (
        total(endless),
        "its initialization calls subgraphs, or has strings or tables",
    ),
    "a first value with other bytes than its shape": (total(sparse, (1, 4)), "a value of it does not fill its shape"),
}


@pytest.mark.parametrize("name", KEPT)
def test_a_variable_without_a_known_first_value_stays_with_tflite(name: str) -> None:
    content, reason = KEPT[name]
    description = described(content, OUTSIDE)
    assert description["variables"] == []
    (reading,) = (node for node in description["nodes"] if node["op"] == "READ_VARIABLE")
    assert reading["reason"] == f"the variable 'total' stays with TFLite: {reason}"


def another_type() -> bytes:
    """Return a variable of int8 that is assigned a float32 value, which the file says is int8.

    The kernel of ADD sets the type of its result to that of its inputs.
    """
    writer = VariableWriter.start()
    writer.initialize("total", np.zeros(SHAPE, np.int8))
    graph = writer.graph
    x, variable = graph.tensor("x", SHAPE), handle(graph, "total")
    before = read(graph, variable, SHAPE, "before", "int8")
    assign(graph, variable, graph.binary("ADD", x, x, dtype="int8"))
    return writer.finish([x], [before])


def initialization_with_an_input() -> bytes:
    """Return an initialization that has an input."""
    graph = Graph()
    first = graph.another()
    graph.writer.node("CALL_ONCE", [], [], {"initSubgraphIndex": 1})
    value = first.tensor("value", SHAPE)
    assign(first, handle(first, "total"), value)
    first.end([value], [])
    x, variable = graph.tensor("x", SHAPE), handle(graph, "total")
    added = graph.binary("ADD", read(graph, variable, SHAPE, "before"), x)
    assign(graph, variable, added)
    return graph.finish([x], [added])


REJECTED: dict[str, tuple[bytes, str]] = {
    "a value of another type": (another_type(), "'total' would change its type from INT8 to FLOAT32"),
    "an initialization with an input": (initialization_with_an_input(), "init_subgraph->inputs"),
}


@pytest.mark.parametrize("name", REJECTED)
def test_a_malformed_variable_is_rejected_with_its_reason(name: str) -> None:
    content, pattern = REJECTED[name]
    assert re.search(pattern, rejection(content, OUTSIDE, "ALLOCATE_TENSORS_FAILED"))
