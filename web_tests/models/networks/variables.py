"""Models with resource variables: what they remember from run to run."""

from dataclasses import dataclass

import numpy as np

from web_tests.models.networks.graph import Graph, Tensor
from web_tests.models.recipes import Array

FRAMES, NEW_FRAMES, BANDS, CLASSES = 16, 4, 8, 5


@dataclass
class VariableWriter:
    """Writes a model whose main subgraph has variables that CALL_ONCE initializes in subgraph 1."""

    graph: Graph
    first: Graph

    @classmethod
    def start(cls) -> "VariableWriter":
        graph = Graph()
        first = graph.another()
        graph.writer.node("CALL_ONCE", [], [], {"initSubgraphIndex": 1})
        return cls(graph, first)

    def initialize(self, name: str, values: Array) -> None:
        assign(self.first, handle(self.first, name), self.first.constant(values))

    def finish(self, inputs: list[Tensor], outputs: list[Tensor]) -> bytes:
        self.first.end([], [])
        return self.graph.finish(inputs, outputs)


def handle(graph: Graph, name: str) -> Tensor:
    options = {"container": "", "sharedName": name}
    return graph.op("VAR_HANDLE", [], (1,), options, dtype="resource", name=f"handle_{name}")


def read(graph: Graph, variable: Tensor, shape: tuple[int, ...], name: str, dtype: str = "float32") -> Tensor:
    return graph.op("READ_VARIABLE", [variable], shape, name=name, dtype=dtype)


def assign(graph: Graph, variable: Tensor, value: Tensor) -> None:
    graph.writer.node("ASSIGN_VARIABLE", [variable.index, value.index], [])


def ring_buffer() -> bytes:
    """Return a keyword spotter: new frames f32[1,4,8] go to a buffer of 16, and all of it is classified."""
    writer = VariableWriter.start()
    writer.initialize("buffer", np.linspace(-1, 1, FRAMES * BANDS, dtype=np.float32).reshape(1, FRAMES, BANDS))
    graph = writer.graph
    x = graph.tensor("frames", (1, NEW_FRAMES, BANDS))
    buffer = handle(graph, "buffer")
    old = read(graph, buffer, (1, FRAMES, BANDS), "old")
    begin = graph.constant(np.array([0, NEW_FRAMES, 0], np.int32))
    size = graph.constant(np.array([1, FRAMES - NEW_FRAMES, BANDS], np.int32))
    kept = graph.op("SLICE", [old, begin, size], (1, FRAMES - NEW_FRAMES, BANDS))
    joined = graph.op("CONCATENATION", [kept, x], old.shape, {"axis": 1})
    assign(graph, buffer, joined)
    flat = graph.reshape(joined, (1, FRAMES * BANDS))
    weights = graph.random_weights("classes", CLASSES, FRAMES * BANDS)
    return writer.finish([x], [graph.softmax(graph.dense(flat, weights))])


def mixed() -> bytes:
    """Return a model of f32[4] with all orders of access.

    - `sum`: read, assigned, read, assigned again; both values that were read are outputs.
    - `count`: a scalar int32, read and assigned.
    - `scale`: only read.
    - `last`: assigned before it is read, without a first value.
    """
    writer = VariableWriter.start()
    writer.initialize("sum", np.array([1, 2, 3, 4], np.float32))
    writer.initialize("count", np.array(7, np.int32))
    writer.initialize("scale", np.array([0.5, -1, 2, 1], np.float32))
    graph = writer.graph
    x = graph.tensor("x", (4,))
    total, count = handle(graph, "sum"), handle(graph, "count")
    before = read(graph, total, (4,), "before")
    assign(graph, total, graph.binary("ADD", before, x))
    between = read(graph, total, (4,), "between")
    scale = read(graph, handle(graph, "scale"), (4,), "factor")
    last = handle(graph, "last")
    assign(graph, last, graph.binary("MUL", between, scale))
    assign(graph, total, graph.binary("ADD", between, read(graph, last, (4,), "scaled")))
    counted = graph.binary("ADD", read(graph, count, (), "counted", "int32"), graph.constant(np.array(1, np.int32)))
    assign(graph, count, counted)
    sine = graph.unary("SIN", between)
    return writer.finish([x], [sine, before, between, counted])


def unset() -> bytes:
    """Return a model that reads a variable that nothing has assigned."""
    graph = Graph()
    x = graph.tensor("x", (4,))
    variable = handle(graph, "unset")
    total = graph.binary("ADD", read(graph, variable, (4,), "old"), x)
    assign(graph, variable, total)
    return graph.finish([x], [graph.unary("SIN", total)])
