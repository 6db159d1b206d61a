"""Small files from which TensorFlow Lite computes or plans much while it loads them."""

from itertools import pairwise
from typing import Any

import numpy as np

from web_tests.models.model_writer import ModelWriter, Quantization
from web_tests.models.one_node import one_node
from web_tests.models.stateful import add_variable

SHAPE = (1,)


def numbers(count: int) -> bytes:
    """Return a RANGE of so many int32, from constants."""
    return one_node("RANGE", [(np.array(value, np.int32),) for value in (0, count, 1)], (SHAPE, "int32"))


def tiles(nodes: int, count: int) -> bytes:
    """Return TILEs of a constant, each to so many float32."""
    writer = ModelWriter()
    one, times = writer.constant("a", np.ones(1, np.float32)), writer.constant("b", np.array([count], np.int32))
    outputs = [writer.tensor("y", SHAPE) for _ in range(nodes)]
    for output in outputs:
        writer.node("TILE", [one, times], [output])
    return writer.finish([], outputs)


def dense(count: int) -> bytes:
    """Return a SPARSE_TO_DENSE to so many int64."""
    index, shape, default = np.zeros(1, np.int32), np.array([count], np.int32), np.array(0, np.int64)
    inputs = (index,), (shape,), (SHAPE, "int64"), (default,)
    return one_node("SPARSE_TO_DENSE", inputs, (SHAPE, "int64"))


def negations(nodes: int) -> bytes:
    """Return a chain of LOGICAL_NOTs, which only TensorFlow Lite's kernels compute on the CPU."""
    writer = ModelWriter()
    tensors = [writer.tensor("t", SHAPE, "bool") for _ in range(nodes + 1)]
    for before, after in pairwise(tensors):
        writer.node("LOGICAL_NOT", [before], [after])
    return writer.finish(tensors[:1], tensors[-1:])


def alternating(count: int) -> bytes:
    """Return chains of a sum, which WebNN supports, and of what it does not: a FLOOR_MOD of int64."""
    writer = ModelWriter()
    first = last = writer.tensor("x", SHAPE)
    for _ in range(count):
        total, integral, remainder, following = (
            writer.tensor("t", SHAPE, dtype) for dtype in ("float32", *["int64"] * 2, "float32")
        )
        writer.node("ADD", [last, last], [total])
        writer.node("CAST", [total], [integral])
        writer.node("FLOOR_MOD", [integral, integral], [remainder])
        writer.node("CAST", [remainder], [following])
        last = following
    return writer.finish([first], [last])


def alternating_with_xnnpack(count: int) -> bytes:
    """Return chains of two sums, which XNNPACK delegates together, and of a FLOOR_MOD, which it rejects."""
    writer = ModelWriter()
    first = last = writer.tensor("x", SHAPE)
    for _ in range(count):
        double, total, remainder = (writer.tensor("t", SHAPE) for _ in range(3))
        writer.node("ADD", [last, last], [double])
        writer.node("ADD", [double, last], [total])
        writer.node("FLOOR_MOD", [total, double], [remainder])
        last = remainder
    return writer.finish([first], [last])


def pack(count: int) -> bytes:
    """Return a PACK that names one tensor so often."""
    writer = ModelWriter()
    part, output = writer.tensor("x", SHAPE), writer.tensor("y", (count, 1))
    writer.node("PACK", [part] * count, [output], {"valuesCount": count})
    return writer.finish([part], [output])


def quantized_parts(count: int) -> bytes:
    """Return an int8 UNPACK into so many parts, and a PACK of them."""
    writer = ModelWriter()
    scale = Quantization((0.5,), (0,))
    tensor, again = (writer.tensor(name, (count, 1), "int8", scale) for name in "xy")
    parts = [writer.tensor("t", (1,), "int8", scale) for _ in range(count)]
    writer.node("UNPACK", [tensor], parts, {"num": count, "axis": 0})
    writer.node("PACK", parts, [again], {"valuesCount": count, "axis": 0})
    return writer.finish([tensor], [again])


def loops(count: int, nodes: int) -> bytes:
    """Return WHILEs of a million iterations, whose body has so many sums."""
    main = ModelWriter()
    condition, body = main.subgraph(), main.subgraph()
    counter, limit = condition.tensor("i", (), "int32"), condition.constant("l", np.array(10**6, np.int32))
    is_less = condition.tensor("r", (), "bool")
    condition.node("LESS", [counter, limit], [is_less])
    condition.end([counter], [is_less])
    one = body.constant("one", np.array(1, np.int32))
    tensors = [body.tensor("t", (), "int32") for _ in range(nodes + 1)]
    for before, after in pairwise(tensors):
        body.node("ADD", [before, one], [after])
    body.end(tensors[:1], tensors[-1:])
    start, outputs = main.constant("z", np.array(0, np.int32)), []
    for _ in range(count):
        outputs.append(main.tensor("y", (), "int32"))
        options = {"condSubgraphIndex": 1, "bodySubgraphIndex": 2}
        main.node("WHILE", [start], outputs[-1:], options)
    return main.finish([], outputs)


def resizes(nodes: int, width: int) -> bytes:
    """Return RESIZE_NEAREST_NEIGHBORs, each of a column of one pixel to so many."""
    writer = ModelWriter()
    pixel, size = writer.tensor("x", (1, 1, 1, 1), "int8"), writer.constant("size", np.array([1, width], np.int32))
    outputs = [writer.tensor("y", (1, 1, width, 1), "int8") for _ in range(nodes)]
    for output in outputs:
        writer.node("RESIZE_NEAREST_NEIGHBOR", [pixel, size], [output])
    return writer.finish([pixel], outputs)


def pools(nodes: int, size: int) -> bytes:
    """Return MAX_POOL_2Ds of square images, each in windows as large as these."""
    writer = ModelWriter()
    image = writer.tensor("x", (1, size, size, 1))
    outputs = [writer.tensor("y", (1, size, size, 1)) for _ in range(nodes)]
    window = {"filterWidth": size, "filterHeight": size, "strideW": 1, "strideH": 1}
    for output in outputs:
        writer.node("MAX_POOL_2D", [image], [output], window)
    return writer.finish([image], outputs)


def pool_with_a_variable(window: int) -> bytes:
    """Return a MAX_POOL_2D of an image of open size, and sums with a variable in the same partition of XNNPACK's."""
    main = ModelWriter()
    init = main.subgraph()
    ones = init.constant("ones", np.ones(1, np.float32))
    init.node("ASSIGN_VARIABLE", [add_variable(init), ones], [])
    init.end([], [])
    image, pooled, sums = (main.tensor(name, (1, 8, 8, 1)) for name in "xyz")
    main.open_dimensions(image, [1, 2])
    old, new = main.tensor("old", SHAPE), main.tensor("new", SHAPE)
    main.node("CALL_ONCE", [], [], {"initSubgraphIndex": 1})
    handle = add_variable(main)
    main.node("READ_VARIABLE", [handle], [old])
    size = {"filterWidth": window, "filterHeight": window, "strideW": 1, "strideH": 1}
    main.node("MAX_POOL_2D", [image], [pooled], size)
    main.node("ADD", [old, pooled], [sums])
    main.node("ADD", [old, old], [new])
    main.node("ASSIGN_VARIABLE", [handle, new], [])
    return main.finish([image], [sums])


def depthwise(size: int, window: int) -> bytes:
    """Return a DEPTHWISE_CONV_2D of a square image in square windows."""
    image = ((1, size, size, 1),)
    weights, bias = np.ones((1, window, window, 1), np.float32), np.zeros(1, np.float32)
    options = {"strideW": 1, "strideH": 1, "depthMultiplier": 1}
    return one_node("DEPTHWISE_CONV_2D", [image, (weights,), (bias,)], image, options)


def table_readers(op: str, nodes: int, count: int) -> bytes:
    """Return nodes that WebNN needs a table of so many elements for, each."""
    writer = ModelWriter()
    constants: dict[str, list[Any]] = {
        "DYNAMIC_UPDATE_SLICE": [],
        "GATHER": [],
        "MIRROR_PAD": [np.array([[0, count // 2]], np.int32)],
        "ONE_HOT": [np.array(count, np.int32), np.float32(1), np.float32(0)],
        "REVERSE_V2": [np.array([0], np.int32)],
    }
    shapes: dict[str, list[tuple[tuple[int, ...], str]]] = {
        "DYNAMIC_UPDATE_SLICE": [((count,), "float32"), ((1,), "float32"), ((1,), "int32")],
        "GATHER": [((count, 2), "float32"), ((count, 1), "int32")],
        "MIRROR_PAD": [((count - count // 2,), "float32")],
        "ONE_HOT": [((1,), "int32")],
        "REVERSE_V2": [((count,), "int64")],
    }
    options = {
        "DYNAMIC_UPDATE_SLICE": None,
        "GATHER": {"axis": 1, "batchDims": 1},
        "MIRROR_PAD": {"mode": 1},
        "ONE_HOT": {"axis": -1},
        "REVERSE_V2": {},
    }[op]
    inputs = [writer.tensor("x", shape, dtype) for shape, dtype in shapes[op]]
    stored = [writer.constant("c", np.asarray(constant)) for constant in constants[op]]
    shape = {"GATHER": (count, 1), "ONE_HOT": (1, count)}.get(op, (count,))
    outputs = [writer.tensor("y", shape, "int64" if op == "REVERSE_V2" else "float32") for _ in range(nodes)]
    for output in outputs:
        writer.node(op, [*inputs, *stored], [output], options)
    return writer.finish(inputs, outputs)
