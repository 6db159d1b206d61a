"""A model as ONNX, for onnxruntime-web: published by its authors, else converted from the .tflite file.

A conversion keeps the file's weights. Quantized operators become DequantizeLinear, operator, QuantizeLinear, as
from ONNX Runtime's own quantizer. Feature maps are NCHW, as in ONNX; inputs stay NHWC.
"""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import onnx
from ai_edge_litert import schema_py_generated as schema
from onnx import TensorProto, helper, numpy_helper

from support.errors import BuildError
from web_tests.models import package_assets
from web_tests.models.model_writer import NO_TENSOR
from web_tests.models.recipes import Array

OPSET = 19
IR_VERSION = 10  # the version that onnxruntime-web reads
# Models of models.toml whose authors publish both forms.
PUBLISHED = {
    "oww_alexa": "alexa_v0.1.onnx",
    "oww_embedding": "embedding_model.onnx",
    "basic_pitch_nmp": "nmp.onnx",
}

TYPES = {0: TensorProto.FLOAT, 2: TensorProto.INT32, 3: TensorProto.UINT8, 9: TensorProto.INT8}
DTYPES: dict[int, Any] = {0: np.float32, 2: np.int32, 3: np.uint8, 9: np.int8}
# Lowest and highest value of TFLite's fused activations.
ACTIVATIONS = {0: (None, None), 1: (0.0, None), 3: (0.0, 6.0)}
TO_NCHW, TO_NHWC = (0, 3, 1, 2), (0, 2, 3, 1)


class NoOnnxError(BuildError):
    """A model has no ONNX form."""


def onnx_of(name: str, content: bytes) -> bytes:
    """Return the ONNX form of a model.

    Raises:
        NoOnnxError: none is published, and a node has no conversion.
    """
    if name in PUBLISHED:
        row = package_assets.table()["programs"][PUBLISHED[name]]
        return _of_one(package_assets.fetch(package_assets.member_of(row)).read_bytes())
    return _Writer(content).write()


def _of_one(content: bytes) -> bytes:
    """Fix the batch and the other open dimensions of a model at 1: WebNN needs static shapes."""
    model = onnx.load_model_from_string(content)
    for tensor in (*model.graph.input, *model.graph.output):
        for dimension in tensor.type.tensor_type.shape.dim:
            if dimension.dim_param:
                dimension.dim_value = 1
    return bytes(model.SerializeToString())


class _Writer:
    """Converts one model. A tensor's name in ONNX is t and its index; `t5_f` is t5 as floats."""

    def __init__(self, content: bytes) -> None:
        self._file = content
        self._model = schema.ModelT.InitFromPackedBuf(content, 0)
        self._graph = self._model.subgraphs[0]
        self._nodes: list[Any] = []
        self._constants: dict[str, Any] = {}
        self._lowerings: dict[int, Callable[[Any], None]] = {
            schema.BuiltinOperator.CONV_2D: self._convolution,
            schema.BuiltinOperator.DEPTHWISE_CONV_2D: self._convolution,
            schema.BuiltinOperator.FULLY_CONNECTED: self._fully_connected,
            schema.BuiltinOperator.ADD: self._add,
            schema.BuiltinOperator.MEAN: self._mean,
            schema.BuiltinOperator.SOFTMAX: self._softmax,
            schema.BuiltinOperator.QUANTIZE: self._requantize,
            schema.BuiltinOperator.DEQUANTIZE: self._requantize,
        }

    def write(self) -> bytes:
        if len(self._model.subgraphs) != 1:
            raise NoOnnxError("models of several subgraphs have no conversion to ONNX")
        inputs = [self._port(index, f"t{index}_in") for index in self._graph.inputs]
        for index in self._graph.inputs:
            self._transposed(f"t{index}_in", f"t{index}", index, TO_NCHW)
        for node in self._graph.operators:
            self._lower(node)
        for index in self._graph.outputs:
            self._transposed(f"t{index}", f"t{index}_out", index, TO_NHWC)
        outputs = [self._port(index, f"t{index}_out") for index in self._graph.outputs]
        graph = helper.make_graph(self._nodes, "model", inputs, outputs, list(self._constants.values()))
        opsets = [helper.make_opsetid("", OPSET)]
        model = helper.make_model(graph, opset_imports=opsets, ir_version=IR_VERSION)
        onnx.checker.check_model(model)
        return bytes(model.SerializeToString())

    def _lower(self, node: Any) -> None:
        code = self._model.operatorCodes[node.opcodeIndex]
        builtin = max(code.deprecatedBuiltinCode, code.builtinCode)
        if builtin not in self._lowerings:
            names = {value: name for name, value in vars(schema.BuiltinOperator).items()}
            raise NoOnnxError(f"{names.get(builtin, builtin)} has no conversion to ONNX")
        self._lowerings[builtin](node)

    def _port(self, index: int, name: str) -> Any:
        tensor = self._tensor(index)
        return helper.make_tensor_value_info(name, TYPES[tensor.type], [int(size) for size in tensor.shape])

    def _tensor(self, index: int) -> Any:
        tensor = self._graph.tensors[index]
        if tensor.type not in TYPES:
            raise NoOnnxError(f"the type of tensor {index} has no conversion to ONNX")
        return tensor

    def _transposed(self, source: str, result: str, index: int, order: Sequence[int]) -> None:
        if len(self._tensor(index).shape) == len(order):
            self._node("Transpose", [source], result, perm=list(order))
        else:
            self._node("Identity", [source], result)

    def _node(self, op: str, inputs: Sequence[str], output: str, **attributes: Any) -> None:
        self._nodes.append(helper.make_node(op, list(inputs), [output], **attributes))

    def _constant(self, name: str, values: Array) -> str:
        self._constants[name] = numpy_helper.from_array(np.ascontiguousarray(values), name)
        return name

    def _content(self, index: int) -> Array:
        tensor = self._tensor(index)
        buffer = self._model.buffers[tensor.buffer]
        # Some converters put constants behind the flatbuffer.
        data = self._file[buffer.offset : buffer.offset + buffer.size] if buffer.data is None else bytes(buffer.data)
        if not data:
            raise NoOnnxError(f"tensor {index} is not constant, as ONNX requires")
        return np.frombuffer(data, DTYPES[tensor.type]).reshape(tensor.shape)

    def _scales(self, index: int, dtype: Any, prefix: str) -> tuple[str, str]:
        parameters = self._tensor(index).quantization
        scales = np.array(parameters.scale, np.float32)
        points = np.array(parameters.zeroPoint, dtype)
        if len(scales) == 1:
            scales, points = scales.reshape(()), points.reshape(())
        return self._constant(f"{prefix}_scale", scales), self._constant(f"{prefix}_zero_point", points)

    def _float(self, index: int) -> str:
        """Return the name of an activation as floats."""
        name = f"t{index}"
        tensor = self._tensor(index)
        if tensor.type == schema.TensorType.FLOAT32:
            return name
        scale, point = self._scales(index, DTYPES[tensor.type], f"{name}_{len(self._nodes)}")
        self._node("DequantizeLinear", [name, scale, point], result := f"{name}_f{len(self._nodes)}")
        return result

    def _weights(self, index: int, order: Sequence[int], axis: int) -> str:
        """Return the name of a constant as floats, its dimensions in the provided order; scales are along `axis`."""
        name = f"t{index}"
        values = self._content(index).transpose(order)
        tensor = self._tensor(index)
        self._constant(name, values)
        if tensor.type == schema.TensorType.FLOAT32:
            return name
        scale, point = self._scales(index, DTYPES[tensor.type], name)
        self._node("DequantizeLinear", [name, scale, point], f"{name}_f", axis=axis)
        return f"{name}_f"

    def _finish(self, result: str, index: int, activation: int = 0) -> None:
        """Name an operator's result after its activation; quantize it if its tensor is quantized."""
        if activation not in ACTIVATIONS:
            raise NoOnnxError(f"the fused activation {activation} has no conversion to ONNX")
        tensor, name = self._tensor(index), f"t{index}"
        low, high = ACTIVATIONS[activation]
        quantized = tensor.type != schema.TensorType.FLOAT32
        # If the type's range ends with the activation's, quantization clips the same values.
        if low is not None and not (quantized and _ends_with(tensor, low, high)):
            bounds = [self._constant(f"{name}_low", np.array(low, np.float32))]
            bounds += [self._constant(f"{name}_high", np.array(high, np.float32))] if high is not None else []
            self._node("Clip", [result, *bounds], f"{name}_clipped")
            result = f"{name}_clipped"
        if quantized:
            scale, point = self._scales(index, DTYPES[tensor.type], f"{name}_q")
            self._node("QuantizeLinear", [result, scale, point], name)
        else:
            self._node("Identity", [result], name)

    def _convolution(self, node: Any) -> None:
        options = node.builtinOptions
        depthwise = isinstance(options, schema.DepthwiseConv2DOptionsT)
        source, filters, output = node.inputs[0], node.inputs[1], node.outputs[0]
        if depthwise and options.depthMultiplier != 1:
            raise NoOnnxError("a depth multiplier has no conversion to ONNX")
        # TFLite: [out, height, width, in], depthwise [1, height, width, out]; ONNX: [out, in / groups, height, width].
        order = (3, 0, 1, 2) if depthwise else (0, 3, 1, 2)
        sizes = self._tensor(filters).shape[1:3]
        images = self._tensor(source).shape
        strides, dilations = (
            [options.strideH, options.strideW],
            [options.dilationHFactor, options.dilationWFactor],
        )
        inputs = [self._float(source), self._weights(filters, order, 0), *self._bias(node)]
        pads = _same_pads(images[1:3], sizes, strides, dilations) if options.padding == schema.Padding.SAME else [0] * 4
        groups = images[3] if depthwise else 1
        attributes = {"strides": strides, "dilations": dilations, "pads": pads, "group": int(groups)}
        self._node("Conv", inputs, f"t{output}_raw", **attributes)
        self._finish(f"t{output}_raw", output, options.fusedActivationFunction)

    def _bias(self, node: Any) -> list[str]:
        has_bias = len(node.inputs) > 2 and node.inputs[2] != NO_TENSOR
        return [self._weights(node.inputs[2], (0,), 0)] if has_bias else []

    def _fully_connected(self, node: Any) -> None:
        source, weights, output = node.inputs[0], node.inputs[1], node.outputs[0]
        inputs = [self._float(source), self._weights(weights, (0, 1), 0), *self._bias(node)]
        self._node("Gemm", inputs, f"t{output}_raw", transB=1)
        self._finish(f"t{output}_raw", output, node.builtinOptions.fusedActivationFunction)

    def _add(self, node: Any) -> None:
        output = node.outputs[0]
        if list(self._tensor(node.inputs[0]).shape) != list(self._tensor(node.inputs[1]).shape):
            raise NoOnnxError("ADD of different shapes has no conversion to ONNX")
        self._node("Add", [self._float(index) for index in node.inputs], f"t{output}_raw")
        self._finish(f"t{output}_raw", output, node.builtinOptions.fusedActivationFunction)

    def _mean(self, node: Any) -> None:
        output = node.outputs[0]
        axes = sorted(self._content(node.inputs[1]).ravel().tolist())
        if axes != [1, 2] or len(self._tensor(node.inputs[0]).shape) != 4 or node.builtinOptions.keepDims:
            raise NoOnnxError("MEAN of anything but height and width has no conversion to ONNX")
        spatial = self._constant("height_and_width", np.array([2, 3], np.int64))
        self._node("ReduceMean", [self._float(node.inputs[0]), spatial], f"t{output}_raw", keepdims=0)
        self._finish(f"t{output}_raw", output)

    def _softmax(self, node: Any) -> None:
        output = node.outputs[0]
        if len(self._tensor(output).shape) != 2 or node.builtinOptions.beta != 1:
            raise NoOnnxError("SOFTMAX of anything but rows has no conversion to ONNX")
        self._node("Softmax", [self._float(node.inputs[0])], f"t{output}_raw", axis=1)
        self._finish(f"t{output}_raw", output)

    def _requantize(self, node: Any) -> None:
        self._finish(self._float(node.inputs[0]), node.outputs[0])


def _ends_with(tensor: Any, low: float, high: float | None) -> bool:
    """Return whether a tensor's integers represent only values within an activation's range."""
    limits = np.iinfo(DTYPES[tensor.type])
    scale, point = tensor.quantization.scale[0], tensor.quantization.zeroPoint[0]
    lowest, highest = ((limit - point) * scale for limit in (limits.min, limits.max))
    return lowest >= low - scale / 2 and (high is None or highest <= high + scale / 2)


def _same_pads(
    images: Sequence[int], filters: Sequence[int], strides: Sequence[int], dilations: Sequence[int]
) -> list[int]:
    """Return TFLite's SAME padding: top, left, bottom, right."""
    totals = []
    for size, window, stride, dilation in zip(images, filters, strides, dilations, strict=True):
        reach = (window - 1) * dilation + 1
        totals.append(int(max((-(-size // stride) - 1) * stride + reach - size, 0)))
    return [total // 2 for total in totals] + [total - total // 2 for total in totals]
