"""A float32 case as a quantized node: every float tensor becomes integers with a scale and a zero point."""

import dataclasses
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np

from web_tests.models.model_writer import ModelWriter, Quantization
from web_tests.models.recipes import Array
from web_tests.op_cases.case import Input, OpCase, Operand, Values, Weights
from web_tests.references import native_litert

FROM_RANGE: Literal["range"] = "range"
FROM_INPUT: Literal["input"] = "input"
# The output's quantization: by the range of the float results, like the inputs, or fixed by TFLite's specification
# (scale and zero point for int8).
OutputRule = Literal["range", "input"] | tuple[float, int]

# Indices of an op's weights and bias, and the weights' axis of output channels.
WEIGHTED = {
    "CONV_2D": (1, 2, 0),
    "DEPTHWISE_CONV_2D": (1, 2, 3),
    "TRANSPOSE_CONV": (1, 3, 0),
    "FULLY_CONNECTED": (1, 2, 0),
}
# Types of activations, for each type that goes with int8 weights.
BIAS_DTYPES = {"int8": "int32", "uint8": "int32", "int16": "int64"}


@dataclass(frozen=True)
class QuantizedCase(OpCase):
    """An op case whose float tensors are quantized.

    Attributes:
        activations: the type of inputs and outputs. With int8 and int16, weights are int8, per channel.
        output_rule: the output's quantization.
        ends: the quantized ends: QUANTIZE and DEQUANTIZE have one.
        filter_dtype: the weights', if not those; they are per tensor.
    """

    activations: str = "int8"
    output_rule: OutputRule = FROM_RANGE
    ends: Literal["both", "input", "output"] = "both"
    filter_dtype: str = ""

    @property
    def dtype(self) -> str:
        return self.activations

    def inputs(self) -> list[Array]:
        floats = super().inputs()
        if self.ends == "output":
            return floats
        provided = [operand for operand in self.operands if isinstance(operand, Input)]
        return [
            quantize(array, self._of(operand), self.activations) if operand.dtype == "float32" else array
            for operand, array in zip(provided, floats, strict=True)
        ]

    def _add(self, writer: ModelWriter, index: int, operand: Operand, tensors: list[int]) -> int:
        filter_index, bias_index, axis = WEIGHTED.get(self.op, (-1, -1, 0))
        match operand:
            case Input(shape, dtype="float32") if self.ends != "output":
                return writer.tensor(f"input_{index}", shape, self.activations, self._of(operand))
            case Weights() if index == bias_index:
                return self._add_bias(writer, operand, index)
            case Weights() if index == filter_index:
                dtype, scales = self._filter(operand, index, axis)
                content = quantize(self._floats(operand, index), scales, dtype)
                return writer.constant(f"constant_{index}", content, scales)
            case Weights() | Values(dtype="float32"):
                quantization = self._of(operand)
                content = quantize(self._floats(operand, index), quantization, self.activations)
                return writer.constant(f"constant_{index}", content, quantization)
        return super()._add(writer, index, operand, tensors)

    def _add_output(self, writer: ModelWriter, index: int, shape: tuple[int, ...], dtype: str) -> int:
        if dtype != "float32" or self.ends == "input":
            return super()._add_output(writer, index, shape, dtype)
        return writer.tensor(f"output_{index}", shape, self.activations, self._of_output(index))

    def _floats(self, operand: Weights | Values, index: int) -> Array:
        if isinstance(operand, Values):
            return np.asarray(operand.values, dtype=np.float32)
        return self._content(operand, index)

    def _of(self, operand: Input | Weights | Values) -> Quantization:
        """Return an activation's quantization: by its own range, or by that of all if the op copies."""
        sharing = [operand]
        if self.output_rule == FROM_INPUT:
            sharing = [each for each in self.operands if isinstance(each, Input | Weights | Values) and _is_float(each)]
        ranges = [_range(each) for each in sharing]
        return by_range(min(low for low, _ in ranges), max(high for _, high in ranges), self.activations)

    def _of_output(self, index: int) -> Quantization:
        if isinstance(self.output_rule, tuple):
            scale, zero_point = self.output_rule
            return Quantization((scale,), (zero_point + (128 if self.activations == "uint8" else 0),))
        if self.output_rule == FROM_INPUT:
            return self._of(next(each for each in self.operands if isinstance(each, Input) and each.dtype == "float32"))
        result = self._float_results[index]
        return by_range(float(result.min()), float(result.max()), self.activations)

    @cached_property
    def _float_results(self) -> list[Array]:
        """The float node's results."""
        names = {field.name for field in dataclasses.fields(OpCase)}
        float_case = OpCase(**{name: getattr(self, name) for name in names})
        if self.op == "QUANTIZE":
            return float_case.inputs()
        return native_litert.run_native(float_case.model(), float_case.inputs(), kernels="builtin")

    def _filter(self, operand: Weights, index: int, axis: int) -> tuple[str, Quantization]:
        dtype = self.filter_dtype or ("uint8" if self.activations == "uint8" else "int8")
        if self.filter_dtype or self.activations == "uint8":
            return dtype, by_range(operand.low, operand.high, dtype)
        content = np.abs(self._content(operand, index))
        largest = content.max(axis=tuple(other for other in range(content.ndim) if other != axis))
        return dtype, Quantization(tuple((largest / 127).tolist()), (0,), axis)

    def _add_bias(self, writer: ModelWriter, operand: Weights, index: int) -> int:
        filter_index, _, axis = WEIGHTED[self.op]
        weights = self.operands[filter_index]
        assert isinstance(weights, Weights)
        _, scales = self._filter(weights, filter_index, axis)
        activation = self._of(next(each for each in self.operands if isinstance(each, Input)))
        quantization = Quantization(tuple(activation.scales[0] * scale for scale in scales.scales), (0,), 0)
        content = quantize(self._content(operand, index), quantization, BIAS_DTYPES[self.activations])
        return writer.constant(f"constant_{index}", content, quantization)


def by_range(low: float, high: float, dtype: str) -> Quantization:
    """Return scale and zero point for a range extended to 0."""
    low, high = min(low, 0.0), max(high, 0.0)
    if dtype == "int16":
        return Quantization((max(-low, high, 1e-3) / 32767,), (0,))
    scale = float(np.float32(max(high - low, 1e-3) / 255))
    return Quantization((scale,), (round(np.iinfo(dtype).min - low / scale),))


def quantize(content: Array, quantization: Quantization, dtype: str) -> Array:
    """Return the integers nearest to real numbers."""
    shape = [1] * content.ndim
    if len(quantization.scales) > 1:
        shape[quantization.axis] = len(quantization.scales)
    scales = np.reshape(quantization.scales, shape)
    limits = np.iinfo(dtype)
    integers = np.rint(content / scales) + quantization.zero_points[0]
    clipped: Array = np.clip(integers, limits.min, limits.max).astype(dtype)
    return clipped


def _is_float(operand: Input | Weights | Values) -> bool:
    return operand.dtype == "float32"


def _range(operand: Input | Weights | Values) -> tuple[float, float]:
    if isinstance(operand, Values):
        values = np.asarray(operand.values, dtype=np.float64)
        return float(values.min()), float(values.max())
    return operand.low, operand.high
