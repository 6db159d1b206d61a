"""Graphs that this project rewrites, and changes of one thing in them: an axis, a shape, an activation, a reader."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from web_tests.models.model_writer import ModelWriter, options_object
from web_tests.models.recipes import SEED, Array

Options = tuple[tuple[str, Any], ...]
# Where a node's options have the index of another graph: "body" names it.
SUBGRAPH_OPTIONS = ("condSubgraphIndex", "bodySubgraphIndex", "decompositionSubgraphIndex")
ACTIVATION = "fusedActivationFunction"


@dataclass(frozen=True)
class Node:
    """A node with outputs called after it: `name`, or `name_0` and so on where there are several."""

    name: str
    op: str
    inputs: tuple[str, ...]
    options_class: str = ""
    options: Options = ()
    shapes: tuple[tuple[int, ...], ...] = ((1,),)
    dtypes: tuple[str, ...] = ("float32",)

    @property
    def outputs(self) -> tuple[str, ...]:
        return (self.name,) if len(self.shapes) == 1 else tuple(f"{self.name}_{i}" for i in range(len(self.shapes)))


@dataclass(frozen=True)
class Graph:
    """A graph of named tensors.

    Attributes:
        inputs: the values given at run time; in another graph than the main one, any of their shape and type.
        constants: in the file.
        nodes: in their order.
        outputs: names of tensors.
        graphs: those that nodes call, by the names in their options.
    """

    inputs: Mapping[str, Array]
    constants: Mapping[str, Array]
    nodes: tuple[Node, ...]
    outputs: tuple[str, ...]
    graphs: Mapping[str, "Graph"] = ()  # type: ignore[assignment]

    def model(self, shapes: Mapping[str, tuple[int, ...]] | None = None) -> bytes:
        """Return the file; `shapes` are those of the main graph's results, if known."""
        writer = ModelWriter()
        others = {name: writer.subgraph() for name in dict(self.graphs)}
        for name, other in others.items():
            inputs, outputs = dict(self.graphs)[name]._write(other, {}, {})
            other.end(inputs, outputs)
        indices = {name: writer.index_of(other) for name, other in others.items()}
        return writer.finish(*self._write(writer, indices, shapes or {}))

    def _write(
        self, writer: ModelWriter, indices: Mapping[str, int], shapes: Mapping[str, tuple[int, ...]]
    ) -> tuple[list[int], list[int]]:
        tensors = {name: writer.tensor(name, values.shape, values.dtype.name) for name, values in self.inputs.items()}
        tensors |= {name: writer.constant(name, values) for name, values in self.constants.items()}
        for node in self.nodes:
            for name, shape, dtype in zip(node.outputs, node.shapes, node.dtypes, strict=True):
                tensors[name] = writer.tensor(name, shapes.get(name, shape), dtype)
            values = {key: indices[value] if key in SUBGRAPH_OPTIONS else value for key, value in node.options}
            options = options_object(f"{node.options_class}Options", values) if node.options_class else None
            results = [tensors[name] for name in node.outputs]
            version = 2 if node.op == "BROADCAST_TO" else 1
            writer.node(node.op, [tensors[name] for name in node.inputs], results, options, version=version)
        return [tensors[name] for name in self.inputs], [tensors[name] for name in self.outputs]


Change = tuple[str, Graph]


def changes(graph: Graph) -> Iterator[Change]:
    """Yield the graph itself, and each graph that differs from it in one thing."""
    yield "unchanged", graph
    yield from _changed_nodes(graph)
    yield from _changed_constants(graph)
    for node in graph.nodes:
        for output in node.outputs:
            yield f"{output} is returned", replace(graph, outputs=(*graph.outputs, output))
            name = f"reader_of_{output}"
            if node.dtypes[0] != "float32" or any(other.name == name for other in graph.nodes):
                continue
            reader = Node(name, "NEG", (output,), "Neg")
            yield (
                f"{output} is read again",
                replace(graph, nodes=(*graph.nodes, reader), outputs=(*graph.outputs, name)),
            )
    for name, other in dict(graph.graphs).items():
        for what, changed in (*_changed_nodes(other), *_changed_constants(other, may_be_inputs=False)):
            yield f"{what} in {name}", replace(graph, graphs={**graph.graphs, name: changed})


def _changed_nodes(graph: Graph) -> Iterator[Change]:
    for position, node in enumerate(graph.nodes):
        for changed, what in _changes_of_node(node):
            nodes = (*graph.nodes[:position], changed, *graph.nodes[position + 1 :])
            yield f"{node.name} {what}", replace(graph, nodes=nodes)


OTHER_OPS = {"ADD": "SUB", "SUB": "ADD", "MUL": "ADD", "GREATER": "GREATER_EQUAL", "LESS": "LESS_EQUAL"}


def _changes_of_node(node: Node) -> Iterator[tuple[Node, str]]:
    if node.op in ("ADD", "SUB", "MUL", "DIV"):
        for activation in (1, 2, 3):
            options = tuple(pair for pair in node.options if pair[0] != ACTIVATION)
            yield replace(node, options=(*options, (ACTIVATION, activation))), f"has the activation {activation}"
    for place, (key, value) in enumerate(node.options):
        if isinstance(value, bool):
            options = (*node.options[:place], (key, not value), *node.options[place + 1 :])
            yield replace(node, options=options), f"has {key} {not value}"
    if node.op in OTHER_OPS:
        options_class = "".join(part.capitalize() for part in OTHER_OPS[node.op].split("_"))
        yield replace(node, op=OTHER_OPS[node.op], options_class=options_class), f"is {OTHER_OPS[node.op]}"
    if len(node.inputs) == 2:
        yield replace(node, inputs=node.inputs[::-1]), "has its operands exchanged"
        yield replace(node, inputs=(node.inputs[0],) * 2), "reads one operand twice"
        yield replace(node, inputs=(node.inputs[1],) * 2), "reads the other operand twice"


def _changed_constants(graph: Graph, *, may_be_inputs: bool = True) -> Iterator[Change]:
    for name, values in graph.constants.items():
        for what, changed in _changes_of_constant(values):
            yield f"{name} {what}", replace(graph, constants={**graph.constants, name: changed})
        if may_be_inputs:
            others = {key: value for key, value in graph.constants.items() if key != name}
            yield f"{name} is an input", replace(graph, constants=others, inputs={**graph.inputs, name: values})


def _changes_of_constant(values: Array) -> Iterator[tuple[str, Array]]:
    if values.dtype == np.float32:
        yield "is negative", -values - np.float32(0.25)
        shapes = {(): [(1,), (1, 1), (4,), (4, 1)], (4,): [(), (4, 1), (1, 4)]}.get(values.shape, [])
        for shape in shapes:
            yield (
                f"has the shape {shape}",
                np.resize(values, shape) + np.arange(np.prod(shape), dtype=np.float32).reshape(shape),
            )
        return
    # TFLite does not define what an axis does that is named twice.
    is_order = values.size > 1 and sorted(values.tolist()) == list(range(values.size))
    for place in range(0 if is_order else values.size):
        for value in (-1, 0, 1, 2, 4):
            changed = values.copy()
            changed.flat[place] = value
            if not np.array_equal(changed, values):
                yield f"is {changed.tolist()}", changed
    if values.size > 1:
        yield "is reversed", values[::-1].copy()
        yield "is rotated", np.roll(values, 1)


def ints(*values: int) -> Array:
    return np.array(values, np.int32)


def _random(*shape: int) -> Array:
    return np.random.default_rng(SEED).normal(size=shape).astype(np.float32)


REDUCER: Options = (("keepDims", False),)
KEEPING: Options = (("keepDims", True),)
# Squares: rows and columns are alike, so that a broadcast along the other axis fits.
SIZE = 4


def _normalization(*, reshapes: bool, scaled: bool) -> Graph:
    """Return a layer normalization of [4, 4], as litert-torch (with reshapes) and Keras write it."""
    constants = {"axis": ints(1), "epsilon": np.array(1e-3, np.float32)}
    constants["bias"] = _random(SIZE) if scaled else np.array(0, np.float32)
    mean_options = REDUCER if reshapes else KEEPING
    nodes = [Node("mean", "MEAN", ("x", "axis"), "Reducer", mean_options)]

    def column(name: str) -> str:
        if not reshapes:
            return name
        constants["column"] = ints(SIZE, 1)
        nodes.append(Node(f"{name}_column", "RESHAPE", (name, "column"), "Reshape"))
        return f"{name}_column"

    nodes.append(Node("squares", "SQUARED_DIFFERENCE", ("x", column("mean")), "SquaredDifference"))
    nodes.append(Node("variance", "MEAN", ("squares", "axis"), "Reducer", mean_options))
    nodes.append(Node("sum", "ADD", ("variance", "epsilon"), "Add"))
    nodes.append(Node("root", "RSQRT", ("sum",)))
    factor = "root"
    if scaled:
        constants["scale"] = _random(SIZE) + 2
        nodes.append(Node("factor", "MUL", (column("root"), "scale"), "Mul"))
        factor = "factor"
    mean = column("mean") if scaled and reshapes else "mean"
    nodes.append(Node("moved", "MUL", (mean, factor), "Mul"))
    nodes.append(Node("shift", "SUB", ("bias", "moved"), "Sub"))
    used, added = (factor, "shift") if scaled else (column(factor), column("shift"))
    nodes.append(Node("scaled", "MUL", ("x", used), "Mul"))
    nodes.append(Node("y", "ADD", ("scaled", added), "Add"))
    unique = {node.name: node for node in nodes}
    return Graph({"x": _random(SIZE, SIZE)}, constants, tuple(unique.values()), ("y",))


def _product() -> Graph:
    nodes = (
        Node("t", "TRANSPOSE", ("x", "order"), "Transpose"),
        Node("u", "TRANSPOSE", ("x", "order"), "Transpose"),
        Node("y", "BATCH_MATMUL", ("t", "u"), "BatchMatMul", (("adjX", False), ("adjY", False))),
    )
    return Graph({"x": _random(1, SIZE, SIZE, SIZE)}, {"order": ints(0, 3, 1, 2)}, nodes, ("y",))


def _shared_heads() -> Graph:
    """Return a cache of two heads that is repeated for four, of which one product on the CPU reads it once."""
    nodes = (
        Node("repeated", "BROADCAST_TO", ("cache", "whole"), "BroadcastTo"),
        Node("heads", "RESHAPE", ("repeated", "merged"), "Reshape"),
        Node("scaled", "MUL", ("heads", "factor"), "Mul"),
        Node("y", "BATCH_MATMUL", ("rows", "scaled"), "BatchMatMul", (("adjX", False), ("adjY", False))),
    )
    constants = {"whole": ints(2, 2, SIZE, SIZE), "merged": ints(4, SIZE, SIZE), "factor": np.array(0.5, np.float32)}
    inputs = {"rows": _random(4, SIZE, SIZE), "cache": _random(2, 1, SIZE, SIZE)}
    return Graph(inputs, constants, nodes, ("y",))


def _loop() -> Graph:
    """Return i = i - 1, v = v * factor + 1 while i > 3, from 6."""
    counter, vector = np.array(0, np.int32), _random(2)
    condition = Graph(
        {"i": counter, "v": vector},
        {"end": np.array(3, np.int32)},
        (Node("goes_on", "GREATER", ("i", "end"), "Greater", (), ((),), ("bool",)),),
        ("goes_on",),
    )
    body = Graph(
        {"i": counter, "v": vector},
        {"step": np.array(1, np.int32), "factor": np.array([0.5, 2], np.float32)},
        (
            Node("next", "SUB", ("i", "step"), "Sub", (), ((),), ("int32",)),
            Node("product", "MUL", ("v", "factor"), "Mul", (), ((2,),)),
            Node("sum", "ADD", ("product", "factor"), "Add", (), ((2,),)),
        ),
        ("next", "sum"),
    )
    options: Options = (("condSubgraphIndex", "condition"), ("bodySubgraphIndex", "body"))
    loop = Node("loop", "WHILE", ("start", "x"), "While", options, ((), (2,)), ("int32", "float32"))
    return Graph(
        {"x": vector}, {"start": np.array(6, np.int32)}, (loop,), loop.outputs, {"condition": condition, "body": body}
    )


def _spectrum() -> Graph:
    nodes = (
        Node("rows", "RESHAPE", ("x", "wide"), "Reshape"),
        Node("spectrum", "RFFT2D", ("rows", "lengths"), "Rfft2d", (), ((1,),), ("complex64",)),
        Node("flat", "RESHAPE", ("spectrum", "narrow"), "Reshape", (), ((1,),), ("complex64",)),
        Node("y", "COMPLEX_ABS", ("flat",)),
    )
    constants = {"wide": ints(4, 1, 8), "lengths": ints(1, 8), "narrow": ints(4, 5)}
    return Graph({"x": _random(4, 8)}, constants, nodes, ("y",))


GRAPHS: Mapping[str, Callable[[], Graph]] = {
    "normalization_with_reshapes": lambda: _normalization(reshapes=True, scaled=False),
    "normalization": lambda: _normalization(reshapes=False, scaled=False),
    "scaled_normalization": lambda: _normalization(reshapes=False, scaled=True),
    "product_of_transposes": _product,
    "shared_heads": _shared_heads,
    "loop": _loop,
    "spectrum": _spectrum,
}
