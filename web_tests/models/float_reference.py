"""The float reference of a model whose weights are integers and whose activations are float32: what WebNN computes.

Native LiteRT quantizes the activations of such a model in each run; of the reference it computes the real numbers.
"""

from typing import Any

import numpy as np
from ai_edge_litert import schema_py_generated as schema

from web_tests.models.model_file import packed, unpacked
from web_tests.models.recipes import Array

# Bits of an integer in a buffer. Those below 8 share bytes, the first one in the low bits.
BITS = {schema.TensorType.INT8: 8, schema.TensorType.INT4: 4, schema.TensorType.INT2: 2}


def float_reference(content: bytes) -> bytes:
    """Return the model with float32 in place of the integer weights of nodes with float32 results."""
    model = unpacked(content)
    for buffer in model.buffers:
        if buffer.size:  # behind the flatbuffer, in files that are written for more than 2 GB
            buffer.data = np.frombuffer(content, np.uint8, buffer.size, buffer.offset)
            buffer.offset = buffer.size = 0
    for graph in model.subgraphs:
        for index in sorted(_weights(model, graph)):
            tensor = graph.tensors[index]
            values = _real_values(model, graph, tensor)
            tensor.type, tensor.quantization = schema.TensorType.FLOAT32, None
            buffer = schema.BufferT()
            buffer.data = values.astype(np.float32).reshape(-1).view(np.uint8)
            tensor.buffer = len(model.buffers)
            model.buffers.append(buffer)
    return packed(model)


def _weights(model: Any, graph: Any) -> set[int]:
    """Return the indices of the constants that nodes with float32 results read as integers."""
    found: set[int] = set()
    for node in graph.operators:
        code = model.operatorCodes[node.opcodeIndex]
        if max(code.builtinCode, code.deprecatedBuiltinCode) == schema.BuiltinOperator.DEQUANTIZE:
            continue
        if graph.tensors[node.outputs[0]].type != schema.TensorType.FLOAT32:
            continue
        found |= {int(index) for index in node.inputs if index >= 0 and _is_weight(model, graph.tensors[index])}
    return found


def _is_weight(model: Any, tensor: Any) -> bool:
    is_scaled = tensor.quantization is not None and (
        tensor.quantization.scale is not None or tensor.quantization.details is not None
    )
    return tensor.type in BITS and is_scaled and model.buffers[tensor.buffer].data is not None


def _real_values(model: Any, graph: Any, tensor: Any) -> Array:
    quantization, shape = tensor.quantization, tuple(tensor.shape)
    integers = _integers(model.buffers[tensor.buffer].data, tensor.type)[: int(np.prod(shape))].reshape(shape)
    if quantization.detailsType == schema.QuantizationDetails.BlockwiseQuantization:
        scales = _constant(model, graph.tensors[quantization.details.scales])
        in_blocks: Array = integers * np.repeat(scales, quantization.details.blockSize, axis=-1)
        return in_blocks
    along = [1] * len(shape)
    if len(quantization.scale) > 1:
        along[quantization.quantizedDimension] = len(quantization.scale)
    scales = np.asarray(quantization.scale, np.float32).reshape(along)
    real: Array = (integers - np.asarray(quantization.zeroPoint).reshape(along)) * scales
    return real


def _integers(data: Array, kind: int) -> Array:
    bits = BITS[kind]
    count = 8 // bits
    full = np.asarray(data, np.uint8)[:, None] >> (np.arange(count, dtype=np.uint8) * bits)
    left = (full << (8 - bits)).astype(np.uint8).view(np.int8)
    return (left >> (8 - bits)).reshape(-1).astype(np.float32)


def _constant(model: Any, tensor: Any) -> Array:
    kind = {schema.TensorType.FLOAT16: np.float16, schema.TensorType.FLOAT32: np.float32}[tensor.type]
    data = np.asarray(model.buffers[tensor.buffer].data, np.uint8)
    return data.view(kind).astype(np.float32).reshape(tuple(tensor.shape))
