"""Small models for these tests."""

import numpy as np
from ai_edge_litert import schema_py_generated as schema

from web_tests.models import handmade
from web_tests.models.model_file import packed, unpacked
from web_tests.models.model_writer import ModelWriter, Quantization


def per_channel() -> bytes:
    """Return an int8 convolution with a scale for each channel."""
    writer = ModelWriter()
    image = writer.tensor("image", (1, 4, 4, 2), "int8", Quantization((0.5,), (3,)))
    filters = np.arange(12, dtype=np.int8).reshape(3, 1, 1, 4)[..., :2].copy()
    weights = writer.constant("weights", filters, Quantization((0.1, 0.2, 0.3)))
    bias = writer.constant("bias", np.zeros(3, np.int32), Quantization((0.05, 0.1, 0.15)))
    result = writer.tensor("result", (1, 4, 4, 3), "int8", Quantization((1.0,), (-1,)))
    window = {"padding": 0, "strideH": 1, "strideW": 1}
    writer.node("CONV_2D", [image, weights, bias], [result], window, version=3)
    return writer.finish([image], [result], signature="serving_default")


def in_blocks() -> bytes:
    """Return a FULLY_CONNECTED node over 64 floats, its four-bit weights quantized in blocks of 32."""
    units, block_size = 64, 32
    model = unpacked(handmade.dense_stack(1, units))
    graph = model.subgraphs[0]
    weights = next(tensor for tensor in graph.tensors if list(tensor.shape) == [units, units])
    weights.type = schema.TensorType.INT4
    model.buffers[weights.buffer].data = np.arange(units * units // 2).astype(np.uint8)
    scales = schema.TensorT()
    scales.name, scales.type, scales.shape = "scales", schema.TensorType.FLOAT16, [units, units // block_size]
    scales.buffer = len(model.buffers)
    model.buffers.append(schema.BufferT())
    model.buffers[-1].data = np.linspace(0.01, 0.02, 2 * units).astype(np.float16).view(np.uint8)
    graph.tensors.append(scales)
    quantization = weights.quantization = schema.QuantizationParametersT()
    quantization.detailsType = schema.QuantizationDetails.BlockwiseQuantization
    details = quantization.details = schema.BlockwiseQuantizationT()
    details.scales, details.zeroPoints, details.blockSize = len(graph.tensors) - 1, -1, block_size
    return packed(model)


def remembering() -> bytes:
    """Return y = x + the sum of the earlier inputs, kept in a variable tensor."""
    writer = ModelWriter()
    x = writer.tensor("x", (1, 4))
    weights = writer.constant("weights", np.eye(4, dtype=np.float32))
    recurrent = writer.constant("recurrent", np.eye(4, dtype=np.float32))
    bias = writer.constant("bias", np.zeros(4, np.float32))
    state, y = writer.variable("state", (1, 4)), writer.tensor("y", (1, 4))
    writer.node("RNN", [x, weights, recurrent, bias, state], [y])
    return writer.finish([x], [y])


def open_batch() -> bytes:
    """Return y = sin(x) + x over [-1, 3] with a signature; the batch is variable, 1 in the file."""
    writer = ModelWriter()
    x, sine, y = (writer.tensor(name, (1, 3)) for name in ("x", "sine", "y"))
    writer.node("SIN", [x], [sine])
    writer.node("ADD", [sine, x], [y])
    model = unpacked(writer.finish([x], [y], signature="serving_default"))
    for tensor in model.subgraphs[0].tensors:
        tensor.shapeSignature = [-1, 3]
    return packed(model)


def identity(dtype: str, shape: tuple[int, ...], type_name: str = "") -> bytes:
    """Return y = reshape(x), of any type; `type_name` is a type that the writer lacks."""
    writer = ModelWriter()
    x, y = writer.tensor("x", shape, dtype), writer.tensor("y", shape, dtype)
    target = writer.constant("shape", np.array(shape, np.int32))
    writer.node("RESHAPE", [x, target], [y])
    content = writer.finish([x], [y])
    if not type_name:
        return content
    model = unpacked(content)
    for tensor in model.subgraphs[0].tensors[:2]:
        tensor.type = getattr(schema.TensorType, type_name)
    return packed(model)
