"""Networks whose scales kernels ignore: Chromium 147's around float32 nodes, TFLite's in products of integers."""

import numpy as np

from web_tests.models.model_writer import Quantization
from web_tests.models.networks.graph import Graph, Tensor

SHAPE = (2, 12, 32)
# The output's scale is three times the input's, so no quotient is halfway between two integers.
INPUT, OUTPUT = Quantization((0.0625,), (3,)), Quantization((0.1875,), (-7,))


def extremes() -> bytes:
    """Return the largest and smallest elements of int8[2,12,32] over axis 1, as DEQUANTIZE, REDUCE_* and QUANTIZE."""
    graph, x, floats = _dequantized()
    axis = graph.constant(np.array([1], np.int32))
    options = {"keepDims": False}
    results = [graph.op(op, [floats, axis], (2, 32), options) for op in ("REDUCE_MAX", "REDUCE_MIN")]
    return graph.finish([x], [_quantized(graph, result) for result in results])


def parts() -> bytes:
    """Return parts of int8[2,12,32], as DEQUANTIZE, an op that moves values, and QUANTIZE of each result."""
    graph, x, floats = _dequantized()

    def ints(*values: int) -> Tensor:
        return graph.constant(np.array(values, np.int32))

    middle = graph.op("SLICE", [floats, ints(0, 3, 0), ints(2, 5, 32)], (2, 5, 32))
    strides = [floats, ints(0, 0, 1), ints(2, 12, 32), ints(1, 2, 3)]
    every_other = graph.op("STRIDED_SLICE", strides, (2, 6, 11))
    turned = graph.op("TRANSPOSE", [floats, ints(2, 0, 1)], (32, 2, 12))
    halves = [Tensor(graph.writer.tensor(name, (2, 6, 32)), (2, 6, 32)) for name in ("first", "second")]
    inputs = [ints(1).index, floats.index]
    graph.writer.node("SPLIT", inputs, [half.index for half in halves], {"numSplits": 2})
    return graph.finish([x], [_quantized(graph, part) for part in (middle, every_other, turned, *halves)])


def columns() -> bytes:
    """Return the product of int8[1,3,4] and weights with a scale for each column: TFLite ignores these scales."""
    graph = Graph()
    x = Tensor(graph.writer.tensor("input", (1, 3, 4), "int8", INPUT), (1, 3, 4), "int8")
    values = np.arange(-10, 10, dtype=np.int8).reshape(1, 5, 4)
    scales = Quantization((0.01, 0.02, 0.03, 0.04, 0.05), (0,), axis=1)
    weights = Tensor(graph.writer.constant("weights", values, scales), (1, 5, 4), "int8")
    result = Tensor(graph.writer.tensor("result", (1, 3, 5), "int8", OUTPUT), (1, 3, 5), "int8")
    options = {"adjY": True}
    graph.writer.node("BATCH_MATMUL", [x.index, weights.index], [result.index], options, version=2)
    return graph.finish([x], [result])


def _dequantized() -> tuple[Graph, Tensor, Tensor]:
    graph = Graph()
    x = Tensor(graph.writer.tensor("input", SHAPE, "int8", INPUT), SHAPE, "int8")
    return graph, x, graph.unary("DEQUANTIZE", x, dtype="float32")


def _quantized(graph: Graph, x: Tensor) -> Tensor:
    result = Tensor(graph.writer.tensor(f"int8_{x.index}", x.shape, "int8", OUTPUT), x.shape, "int8")
    graph.writer.node("QUANTIZE", [x.index], [result.index])
    return result
