"""Changes of one thing in a graph: an axis, a shape, an activation, a scale, a reader."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from web_tests.models.model_writer import ModelWriter, Quantization
from web_tests.models.recipes import Array

Options = tuple[tuple[str, Any], ...]
# Where a node's options have the index of another graph: "body" names it.
SUBGRAPH_OPTIONS = ("condSubgraphIndex", "bodySubgraphIndex", "decompositionSubgraphIndex", "initSubgraphIndex")
ACTIVATION = "fusedActivationFunction"


@dataclass(frozen=True)
class Node:
    """A node with outputs called after it: `name`, or `name_0` and so on where there are several."""

    name: str
    op: str
    inputs: tuple[str, ...]
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
        inputs: the values provided at run time; in another graph than the main one, any of their shape and type.
        constants: in the file.
        nodes: in their order.
        outputs: names of tensors.
        graphs: those that nodes call, by the names in their options.
        scales: scale and zero point of quantized tensors.
    """

    inputs: Mapping[str, Array]
    constants: Mapping[str, Array]
    nodes: tuple[Node, ...]
    outputs: tuple[str, ...]
    graphs: Mapping[str, "Graph"] = field(default_factory=dict)
    scales: Mapping[str, tuple[float, int]] = field(default_factory=dict)

    def model(self, shapes: Mapping[str, tuple[int, ...]] | None = None) -> bytes:
        """Return the file; `shapes` are those of the main graph's results, if known."""
        writer = ModelWriter()
        others = {name: writer.subgraph() for name in self.graphs}
        for name, other in others.items():
            inputs, outputs = self.graphs[name]._write(other, {}, {})
            other.end(inputs, outputs)
        indices = {name: writer.index_of(other) for name, other in others.items()}
        return writer.finish(*self._write(writer, indices, shapes or {}))

    def _write(
        self, writer: ModelWriter, indices: Mapping[str, int], shapes: Mapping[str, tuple[int, ...]]
    ) -> tuple[list[int], list[int]]:
        meaning = {name: Quantization((scale,), (zero_point,)) for name, (scale, zero_point) in self.scales.items()}
        tensors = {
            name: writer.tensor(name, values.shape, values.dtype.name, meaning.get(name))
            for name, values in self.inputs.items()
        }
        tensors |= {name: writer.constant(name, values, meaning.get(name)) for name, values in self.constants.items()}
        for node in self.nodes:
            for name, shape, dtype in zip(node.outputs, node.shapes, node.dtypes, strict=True):
                tensors[name] = writer.tensor(name, shapes.get(name, shape), dtype, meaning.get(name))
            values = {key: indices[value] if key in SUBGRAPH_OPTIONS else value for key, value in node.options}
            results = [tensors[name] for name in node.outputs]
            version = 2 if node.op == "BROADCAST_TO" else 1
            writer.node(node.op, [tensors[name] for name in node.inputs], results, values, version=version)
        return [tensors[name] for name in self.inputs], [tensors[name] for name in self.outputs]


Change = tuple[str, Graph]


def changes(graph: Graph) -> Iterator[Change]:
    """Yield the graph itself, and each graph that differs from it in one thing."""
    yield "unchanged", graph
    yield from _changed_nodes(graph)
    yield from _changed_constants(graph)
    for name, (scale, zero_point) in graph.scales.items():
        for what, changed_scale in (
            ("twice its scale", (2 * scale, zero_point)),
            ("nearly its scale", (1.01 * scale, zero_point)),
            ("another zero point", (scale, zero_point + 3)),
        ):
            if "zero point" in what and _are_hybrid_weights(graph, name):
                continue  # TFLite's specification forbids it, and its kernels ignore it
            yield f"{name} has {what}", replace(graph, scales={**graph.scales, name: changed_scale})
    for node in graph.nodes:
        for output in node.outputs:
            if "resource" in node.dtypes:
                continue  # no caller can read it
            yield f"{output} is returned", replace(graph, outputs=(*graph.outputs, output))
            name = f"reader_of_{output}"
            if node.dtypes[0] != "float32" or _has(graph, name):
                continue
            reader = Node(name, "NEG", (output,))
            yield (
                f"{output} is read again",
                replace(graph, nodes=(*graph.nodes, reader), outputs=(*graph.outputs, name)),
            )
    for name, other in graph.graphs.items():
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
    for index, (key, value) in enumerate(node.options):
        if isinstance(value, bool):
            options = (*node.options[:index], (key, not value), *node.options[index + 1 :])
            yield replace(node, options=options), f"has {key} {not value}"
    if node.op in OTHER_OPS:
        yield replace(node, op=OTHER_OPS[node.op]), f"is {OTHER_OPS[node.op]}"
    if len(node.inputs) == 2:
        yield replace(node, inputs=node.inputs[::-1]), "has its operands exchanged"
        yield replace(node, inputs=(node.inputs[0],) * 2), "reads one operand twice"
        yield replace(node, inputs=(node.inputs[1],) * 2), "reads the other operand twice"


def _changed_constants(graph: Graph, *, may_be_inputs: bool = True) -> Iterator[Change]:
    for name, values in graph.constants.items():
        changed_values = [("is negative", -values)] if name in graph.scales else _changes_of_constant(values)
        for what, changed in changed_values:
            yield f"{name} {what}", replace(graph, constants={**graph.constants, name: changed})
        if may_be_inputs:
            others = {key: value for key, value in graph.constants.items() if key != name}
            yield f"{name} is an input", replace(graph, constants=others, inputs={**graph.inputs, name: values})
            yield from _with_second_reader(graph, name)


def _with_second_reader(graph: Graph, name: str) -> Iterator[Change]:
    """Yield the graph in which another node reads a constant of real numbers, alone or with the first input."""
    reader = f"reader_of_{name}"
    if (name not in graph.scales and graph.constants[name].dtype != np.float32) or _has(graph, reader):
        return
    alone = Node(reader, "DEQUANTIZE", (name,)) if name in graph.scales else Node(reader, "NEG", (name,))
    yield f"{name} is read again", replace(graph, nodes=(*graph.nodes, alone), outputs=(*graph.outputs, reader))
    first, values = next(iter(graph.inputs.items()))
    if name in graph.scales or values.dtype != np.float32 or values.shape[-1:] != graph.constants[name].shape[-1:]:
        return
    together = Node(reader, "MUL", (first, name))
    yield (
        f"{name} is read with {first}",
        replace(graph, nodes=(*graph.nodes, together), outputs=(*graph.outputs, reader)),
    )


def _are_hybrid_weights(graph: Graph, name: str) -> bool:
    layers = (node.inputs for node in graph.nodes if node.op == "FULLY_CONNECTED")
    return any(weights == name and data not in graph.scales for data, weights, *_ in layers)


def _has(graph: Graph, name: str) -> bool:
    return any(node.name == name for node in graph.nodes)


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
    for index in range(0 if is_order else values.size):
        for value in (-1, 0, 1, 2, 4):
            changed = values.copy()
            changed.flat[index] = value
            if not np.array_equal(changed, values):
                yield f"is {changed.tolist()}", changed
    if values.size > 1:
        yield "is reversed", values[::-1].copy()
        yield "is rotated", np.roll(values, 1)
