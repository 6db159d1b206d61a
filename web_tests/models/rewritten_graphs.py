"""Graphs that this project rewrites: each matches a pattern, a fusion, or what is unrolled, moved or left out."""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from web_tests.models.changed_graphs import ACTIVATION, Graph, Node, Options
from web_tests.models.recipes import SEED, Array


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
    nodes = [Node("mean", "MEAN", ("x", "axis"), mean_options)]

    def column(name: str) -> str:
        if not reshapes:
            return name
        constants["column"] = ints(SIZE, 1)
        nodes.append(Node(f"{name}_column", "RESHAPE", (name, "column")))
        return f"{name}_column"

    nodes.append(Node("squares", "SQUARED_DIFFERENCE", ("x", column("mean"))))
    nodes.append(Node("variance", "MEAN", ("squares", "axis"), mean_options))
    nodes.append(Node("sum", "ADD", ("variance", "epsilon")))
    nodes.append(Node("root", "RSQRT", ("sum",)))
    factor = "root"
    if scaled:
        constants["scale"] = _random(SIZE) + 2
        nodes.append(Node("factor", "MUL", (column("root"), "scale")))
        factor = "factor"
    mean = column("mean") if scaled and reshapes else "mean"
    nodes.append(Node("moved", "MUL", (mean, factor)))
    nodes.append(Node("shift", "SUB", ("bias", "moved")))
    used, added = (factor, "shift") if scaled else (column(factor), column("shift"))
    nodes.append(Node("scaled", "MUL", ("x", used)))
    nodes.append(Node("y", "ADD", ("scaled", added)))
    unique = {node.name: node for node in nodes}
    return Graph({"x": _random(SIZE, SIZE)}, constants, tuple(unique.values()), ("y",))


def _product() -> Graph:
    nodes = (
        Node("t", "TRANSPOSE", ("x", "order")),
        Node("u", "TRANSPOSE", ("x", "order")),
        Node("y", "BATCH_MATMUL", ("t", "u"), (("adjX", False), ("adjY", False))),
    )
    return Graph({"x": _random(1, SIZE, SIZE, SIZE)}, {"order": ints(0, 3, 1, 2)}, nodes, ("y",))


def _shared_heads() -> Graph:
    """Return a cache of two heads that is repeated for four, of which one product on the CPU reads it once."""
    nodes = (
        Node("repeated", "BROADCAST_TO", ("cache", "entire")),
        Node("heads", "RESHAPE", ("repeated", "merged")),
        Node("scaled", "MUL", ("heads", "factor")),
        Node("y", "BATCH_MATMUL", ("rows", "scaled"), (("adjX", False), ("adjY", False))),
    )
    constants = {"entire": ints(2, 2, SIZE, SIZE), "merged": ints(4, SIZE, SIZE), "factor": np.array(0.5, np.float32)}
    inputs = {"rows": _random(4, SIZE, SIZE), "cache": _random(2, 1, SIZE, SIZE)}
    return Graph(inputs, constants, nodes, ("y",))


def _loop() -> Graph:
    """Return i = i - 1, v = v * factor + 1 while i > 3, from 6."""
    counter, vector = np.array(0, np.int32), _random(2)
    condition = Graph(
        {"i": counter, "v": vector},
        {"end": np.array(3, np.int32)},
        (Node("goes_on", "GREATER", ("i", "end"), (), ((),), ("bool",)),),
        ("goes_on",),
    )
    body = Graph(
        {"i": counter, "v": vector},
        {"step": np.array(1, np.int32), "factor": np.array([0.5, 2], np.float32)},
        (
            Node("next", "SUB", ("i", "step"), (), ((),), ("int32",)),
            Node("product", "MUL", ("v", "factor"), (), ((2,),)),
            Node("sum", "ADD", ("product", "factor"), (), ((2,),)),
        ),
        ("next", "sum"),
    )
    options: Options = (("condSubgraphIndex", "condition"), ("bodySubgraphIndex", "body"))
    loop = Node("loop", "WHILE", ("start", "x"), options, ((), (2,)), ("int32", "float32"))
    return Graph(
        {"x": vector}, {"start": np.array(6, np.int32)}, (loop,), loop.outputs, {"condition": condition, "body": body}
    )


def _spectrum() -> Graph:
    nodes = (
        Node("rows", "RESHAPE", ("x", "wide")),
        Node("spectrum", "RFFT2D", ("rows", "lengths"), (), ((1,),), ("complex64",)),
        Node("flat", "RESHAPE", ("spectrum", "narrow"), (), ((1,),), ("complex64",)),
        Node("y", "COMPLEX_ABS", ("flat",)),
    )
    constants = {"wide": ints(4, 1, 8), "lengths": ints(1, 8), "narrow": ints(4, 5)}
    return Graph({"x": _random(4, 8)}, constants, nodes, ("y",))


def _composite() -> Graph:
    """Return 1 - (b - relu(x - factor) * factor): the difference in brackets is a composite."""
    body = Graph(
        {"first": _random(SIZE, SIZE), "second": _random(SIZE)},
        {"factor": _random(SIZE)},
        (
            Node("moved", "SUB", ("first", "factor"), ((ACTIVATION, 1),)),
            Node("product", "MUL", ("moved", "factor")),
            Node("difference", "SUB", ("second", "product")),
        ),
        ("difference",),
    )
    options: Options = (("name", b"it"), ("decompositionSubgraphIndex", "body"), ("compositeAttributes", [0]))
    nodes = (
        Node("part", "STABLEHLO_COMPOSITE", ("x", "b"), options, ((SIZE, SIZE),)),
        Node("y", "SUB", ("one", "part")),
    )
    constants = {"b": _random(SIZE), "one": np.array(1, np.float32)}
    return Graph({"x": _random(SIZE, SIZE)}, constants, nodes, ("y",), {"body": body})


def _variable() -> Graph:
    """Return state - x, where the state becomes state * x and begins with a constant; a variable keeps its shape."""
    handle: Options = (("container", ""), ("sharedName", "state"))
    resource: dict[str, Any] = {"dtypes": ("resource",)}
    start = Graph(
        {},
        {"first": _random(SIZE, SIZE)},
        (
            Node("handle", "VAR_HANDLE", (), handle, **resource),
            Node("assign", "ASSIGN_VARIABLE", ("handle", "first"), (), (), ()),
        ),
        (),
    )
    nodes = (
        Node("initialize", "CALL_ONCE", (), (("initSubgraphIndex", "start"),), (), ()),
        Node("handle", "VAR_HANDLE", (), handle, **resource),
        Node("before", "READ_VARIABLE", ("handle",), (), ((SIZE, SIZE),)),
        Node("product", "MUL", ("before", "x"), (), ((SIZE, SIZE),)),
        Node("assign", "ASSIGN_VARIABLE", ("handle", "product"), (), (), ()),
        Node("after", "READ_VARIABLE", ("handle",), (), ((SIZE, SIZE),)),
        Node("sum", "ADD", ("after", "before"), (), ((SIZE, SIZE),)),
        Node("y", "SUB", ("sum", "x"), (), ((SIZE, SIZE),)),
    )
    return Graph({"x": _random(SIZE, SIZE)}, {}, nodes, ("y",), {"start": start})


def _transposed_convolution() -> Graph:
    """Return one of a part of the input, in the shape of a constant."""
    options: Options = (("padding", 0), ("strideH", 2), ("strideW", 2))
    nodes = (
        Node("part", "SLICE", ("x", "begin", "size")),
        Node("y", "TRANSPOSE_CONV", ("shape", "filters", "part"), options),
    )
    constants = {
        "begin": ints(1, 0, 0, 0),
        "size": ints(1, SIZE, SIZE, 2),
        "shape": ints(1, 2 * SIZE, 2 * SIZE, 3),
        "filters": _random(3, 3, 3, 2),
    }
    return Graph({"x": _random(2, SIZE, SIZE, 2)}, constants, nodes, ("y",))


INT8: dict[str, Any] = {"dtypes": ("int8",)}


def _bytes(*shape: int) -> Array:
    return np.random.default_rng(SEED).integers(-100, 101, shape).astype(np.int8)


def _quantized_layer() -> Graph:
    """Return a layer with a bias, reshaped and added to a constant, which WebNN computes on integers."""
    nodes = (
        Node("layer", "FULLY_CONNECTED", ("x", "weights", "bias"), **INT8),
        Node("rows", "RESHAPE", ("layer", "shape"), **INT8),
        Node("y", "ADD", ("rows", "added"), **INT8),
    )
    constants = {
        "weights": _bytes(SIZE, SIZE),
        "bias": ints(500, -900, 40, 1300),
        "shape": ints(2, 2),
        "added": _bytes(2, 2),
    }
    layer = (0.12, -5)
    scales = {"x": (0.05, 3), "weights": (0.02, 0), "bias": (0.001, 0), "layer": layer, "rows": layer}
    scales |= {"added": (0.03, 1), "y": (0.15, 2)}
    return Graph({"x": _bytes(1, SIZE)}, constants, nodes, ("y",), scales=scales)


def _real(name: str) -> Node:
    return Node(f"{name}_real", "DEQUANTIZE", (name,))


def _dequantized_layer() -> Graph:
    """Return a layer of floats between DEQUANTIZE and QUANTIZE nodes, which the polyfill computes on integers."""
    nodes = (
        *map(_real, ("x", "weights")),
        Node("layer", "FULLY_CONNECTED", ("x_real", "weights_real")),
        Node("sum", "ADD", ("layer", "x_real")),
        Node("y", "QUANTIZE", ("sum",), **INT8),
    )
    constants = {"weights": _bytes(SIZE, SIZE)}
    scales = {"x": (0.05, 3), "weights": (0.02, 0), "y": (0.12, -5)}
    return Graph({"x": _bytes(1, SIZE)}, constants, nodes, ("y",), scales=scales)


def _hybrid_layer() -> Graph:
    """Return a layer of floats by int8 weights, which XNNPACK reorders in the file; 8 bits hold the input exactly."""
    depth, columns = 32, 16
    x = np.random.default_rng(SEED).integers(-128, 128, (1, depth)).astype(np.float32)
    x[0, :2] = -128, 127
    options: Options = (("asymmetricQuantizeInputs", 1),)  # not True, which would be changed: it rounds
    nodes = (
        Node("layer", "FULLY_CONNECTED", ("x", "weights", "bias"), options),
        Node("y", "ADD", ("layer", "bias")),
    )
    constants = {"weights": _bytes(columns, depth), "bias": _random(columns)}
    return Graph({"x": x}, constants, nodes, ("y",), scales={"weights": (0.02, 0)})


def _dequantized_moves() -> Graph:
    """Return reals of one scale that are compared, moved and joined between DEQUANTIZE and QUANTIZE nodes."""
    nodes = (
        *map(_real, ("x", "b")),
        Node("greater", "MAXIMUM", ("x_real", "b_real")),
        Node("between", "QUANTIZE", ("greater",), **INT8),
        _real("between"),
        Node("turned", "TRANSPOSE", ("between_real", "order")),
        Node("joined", "CONCATENATION", ("turned", "x_real"), (("axis", 1),)),
        Node("y", "QUANTIZE", ("joined",), **INT8),
    )
    scales = dict.fromkeys(("x", "b", "between", "y"), (0.05, 3))
    constants = {"b": _bytes(SIZE, SIZE)[::-1].copy(), "order": ints(1, 0)}
    return Graph({"x": _bytes(SIZE, SIZE)}, constants, nodes, ("y",), scales=scales)


GRAPHS: Mapping[str, Callable[[], Graph]] = {
    "normalization_with_reshapes": lambda: _normalization(reshapes=True, scaled=False),
    "normalization": lambda: _normalization(reshapes=False, scaled=False),
    "scaled_normalization": lambda: _normalization(reshapes=False, scaled=True),
    "product_of_transposes": _product,
    "shared_heads": _shared_heads,
    "loop": _loop,
    "spectrum": _spectrum,
    "composite": _composite,
    "variable": _variable,
    "transposed_convolution": _transposed_convolution,
    "quantized_layer": _quantized_layer,
    "dequantized_layer": _dequantized_layer,
    "hybrid_layer": _hybrid_layer,
    "dequantized_moves": _dequantized_moves,
}
