"""Small files from which TensorFlow Lite computes or plans much while it loads them."""

from itertools import pairwise

import numpy as np

from web_tests.models.model_writer import ModelWriter, options_object

SHAPE = (1,)


def numbers(count: int) -> bytes:
    """Return a RANGE of so many int32, from constants."""
    writer = ModelWriter()
    inputs = [writer.constant(name, np.array(value, np.int32)) for name, value in (("a", 0), ("b", count), ("c", 1))]
    output = writer.tensor("y", SHAPE, "int32")
    writer.node("RANGE", inputs, [output], options_object("RangeOptions", {}))
    return writer.finish([], [output])


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
    writer = ModelWriter()
    index, shape = writer.constant("a", np.zeros(1, np.int32)), writer.constant("b", np.array([count], np.int32))
    value, default = writer.tensor("x", SHAPE, "int64"), writer.constant("c", np.array(0, np.int64))
    output = writer.tensor("y", SHAPE, "int64")
    writer.node("SPARSE_TO_DENSE", [index, shape, value, default], [output])
    return writer.finish([value], [output])


def negations(nodes: int) -> bytes:
    """Return a chain of LOGICAL_NOTs, which only TensorFlow Lite's own kernels compute on the CPU."""
    writer = ModelWriter()
    tensors = [writer.tensor("t", SHAPE, "bool") for _ in range(nodes + 1)]
    for before, after in pairwise(tensors):
        writer.node("LOGICAL_NOT", [before], [after])
    return writer.finish(tensors[:1], tensors[-1:])


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
        body.node("ADD", [before, one], [after], options_object("AddOptions", {}))
    body.end(tensors[:1], tensors[-1:])
    start, outputs = main.constant("z", np.array(0, np.int32)), []
    for _ in range(count):
        outputs.append(main.tensor("y", (), "int32"))
        options = options_object("WhileOptions", {"condSubgraphIndex": 1, "bodySubgraphIndex": 2})
        main.node("WHILE", [start], outputs[-1:], options)
    return main.finish([], outputs)


def resizes(nodes: int, width: int) -> bytes:
    """Return RESIZE_NEAREST_NEIGHBORs, each of a column of one pixel to so many."""
    writer = ModelWriter()
    pixel, size = writer.tensor("x", (1, 1, 1, 1), "int8"), writer.constant("size", np.array([1, width], np.int32))
    outputs = [writer.tensor("y", (1, 1, width, 1), "int8") for _ in range(nodes)]
    for output in outputs:
        writer.node(
            "RESIZE_NEAREST_NEIGHBOR", [pixel, size], [output], options_object("ResizeNearestNeighborOptions", {})
        )
    return writer.finish([pixel], outputs)


def pools(nodes: int, size: int) -> bytes:
    """Return MAX_POOL_2Ds of square images, each in windows as large as these."""
    writer = ModelWriter()
    image = writer.tensor("x", (1, size, size, 1))
    outputs = [writer.tensor("y", (1, size, size, 1)) for _ in range(nodes)]
    window = {"filterWidth": size, "filterHeight": size, "strideW": 1, "strideH": 1}
    for output in outputs:
        writer.node("MAX_POOL_2D", [image], [output], options_object("Pool2DOptions", window))
    return writer.finish([image], outputs)


def depthwise(size: int, window: int) -> bytes:
    """Return a DEPTHWISE_CONV_2D of a square image in square windows."""
    writer = ModelWriter()
    image, output = (writer.tensor(name, (1, size, size, 1)) for name in "xy")
    weights = writer.constant("w", np.ones((1, window, window, 1), np.float32))
    bias = writer.constant("b", np.zeros(1, np.float32))
    options = options_object("DepthwiseConv2DOptions", {"strideW": 1, "strideH": 1, "depthMultiplier": 1})
    writer.node("DEPTHWISE_CONV_2D", [image, weights, bias], [output], options)
    return writer.finish([image], [output])
