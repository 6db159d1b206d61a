"""Networks of float32 nodes between integers of different scales, which Chromium 147 takes for int8 kernels."""

import numpy as np

from web_tests.models.model_writer import Quantization, options_object
from web_tests.models.networks.graph import Graph, Tensor

SHAPE = (2, 12, 32)
# The output's scale is three times the input's, so no quotient is halfway between two integers.
INPUT, OUTPUT = Quantization((0.0625,), (3,)), Quantization((0.1875,), (-7,))


def extremes() -> bytes:
    """Return the largest and smallest elements of int8[2,12,32] over axis 1, as DEQUANTIZE, REDUCE_* and QUANTIZE."""
    graph = Graph()
    x = Tensor(graph.writer.tensor("input", SHAPE, "int8", INPUT), SHAPE, "int8")
    floats = graph.unary("DEQUANTIZE", x, dtype="float32")
    axis = graph.constant(np.array([1], np.int32))
    results = []
    for op in ("REDUCE_MAX", "REDUCE_MIN"):
        extreme = graph.op(op, [floats, axis], (2, 32), options_object("ReducerOptions", {"keepDims": False}))
        result = Tensor(graph.writer.tensor(f"{op.lower()}_int8", (2, 32), "int8", OUTPUT), (2, 32), "int8")
        graph.writer.node("QUANTIZE", [extreme.index], [result.index], options_object("QuantizeOptions", {}))
        results.append(result)
    return graph.finish([x], results)
