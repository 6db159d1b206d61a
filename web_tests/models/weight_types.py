"""One layer for each op with constant weights, type of weights and kind of scales, and its arithmetic."""

import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np

from web_tests.models.model_writer import NO_TENSOR, ModelWriter, Quantization
from web_tests.models.recipes import SEED, Array

WeightType = Literal["float32", "float16", "int8", "int4", "int2"]
Scales = Literal["none", "tensor", "channel", "block"]
Activations = Literal["float32", "int8", "int16"]
_LIMITS: dict[WeightType, tuple[int, int]] = {"int8": (-127, 128), "int4": (-7, 8), "int2": (-1, 2)}
_BLOCK = 32
# Of the weights: output channels, and the axis that has them.
_SHAPES: dict[str, tuple[tuple[int, ...], int]] = {
    "FULLY_CONNECTED": ((8, 64), 0),
    "CONV_2D": ((8, 1, 1, 64), 0),
    "DEPTHWISE_CONV_2D": ((1, 3, 3, 64), 3),
    "TRANSPOSE_CONV": ((8, 1, 1, 64), 0),
    "BATCH_MATMUL": ((64, 8), 1),
    "EMBEDDING_LOOKUP": ((8, 64), 0),
}
_INPUTS: dict[str, tuple[int, ...]] = {
    "FULLY_CONNECTED": (3, 64),
    "CONV_2D": (1, 3, 3, 64),
    "DEPTHWISE_CONV_2D": (1, 3, 3, 64),
    "TRANSPOSE_CONV": (1, 3, 3, 64),
    "BATCH_MATMUL": (3, 64),
}
_STRIDES = {"padding": 0, "strideW": 1, "strideH": 1}
_OPTIONS: dict[str, dict[str, int]] = {
    "CONV_2D": {**_STRIDES, "dilationWFactor": 1, "dilationHFactor": 1},
    "DEPTHWISE_CONV_2D": {**_STRIDES, "depthMultiplier": 1, "dilationWFactor": 1, "dilationHFactor": 1},
    "TRANSPOSE_CONV": _STRIDES,
}
_VERSIONS = {"FULLY_CONNECTED": 12, "CONV_2D": 8, "DEPTHWISE_CONV_2D": 7, "TRANSPOSE_CONV": 5, "BATCH_MATMUL": 4,
             "EMBEDDING_LOOKUP": 4}  # fmt: skip


@dataclass(frozen=True)
class WeightCase:
    """A layer; `dequantized` puts a DEQUANTIZE node between the weights and the layer.

    Each of a CONV_2D's `groups` of filters reads a part of the channels.
    """

    op: str
    type: WeightType
    scales: Scales
    dequantized: bool = False
    sparse: bool = False
    activations: Activations = "float32"
    groups: int = 1

    @property
    def name(self) -> str:
        ends = ["dequantized"] * self.dequantized + ["sparse"] * self.sparse + ["grouped"] * (self.groups > 1)
        ends += [self.activations] if self.activations != "float32" else []
        return "-".join([self.op, self.type, self.scales, *ends])

    def input(self) -> Array:
        if self.op == "EMBEDDING_LOOKUP":
            return np.array([5, 0, 7], np.int32)
        if self.activations != "float32":
            (scale,), (zero_point,) = self._input_quantization.scales, self._input_quantization.zero_points
            integers = np.round(_random(1).uniform(-1, 1, _INPUTS[self.op]) / scale) + zero_point
            return integers.astype(self.activations)
        return _random(1).uniform(-1, 1, _INPUTS[self.op]).astype(np.float32)

    def real(self, output: Array) -> Array:
        """Return what an output means."""
        if self.activations == "float32":
            return output
        (scale,), (zero_point,) = self._output_quantization.scales, self._output_quantization.zero_points
        return (output.astype(float) - zero_point) * scale

    @property
    def _input_quantization(self) -> Quantization:
        return Quantization((0.01,), (7,)) if self.activations == "int8" else Quantization((2**-14,))

    @property
    def _output_quantization(self) -> Quantization:
        largest = float(np.abs(self.expected()).max())
        return Quantization((largest / 120,), (-3,)) if self.activations == "int8" else Quantization((largest / 2**14,))

    def model(self) -> bytes:
        writer = ModelWriter()
        data = self.input()
        is_quantized = self.activations != "float32"
        x = writer.tensor("x", data.shape, str(data.dtype), self._input_quantization if is_quantized else None)
        weights = self._weights(writer)
        expected = self.expected()
        y = writer.tensor("y", expected.shape, self.activations, self._output_quantization if is_quantized else None)
        operands = {
            "TRANSPOSE_CONV": [writer.constant("shape", np.array(expected.shape, np.int32)), weights, x],
            "FULLY_CONNECTED": [x, weights, NO_TENSOR],
        }
        bias = [self._bias(writer, expected.shape[-1])] if "CONV_2D" in self.op else []
        inputs, options = operands.get(self.op, [x, weights, *bias]), _OPTIONS.get(self.op, {})
        writer.node(self.op, inputs, [y], options, version=_VERSIONS[self.op])
        return writer.finish([x], [y])

    def expected(self) -> Array:
        """Return the result of float64 arithmetic."""
        w, x = self._meaning(), self._reals()
        match self.op:
            case "FULLY_CONNECTED":
                return x @ w.T
            case "BATCH_MATMUL":
                return x @ w
            case "EMBEDDING_LOOKUP":
                return w[self.input()]
            case "DEPTHWISE_CONV_2D":
                padded = np.pad(x, ((0, 0), (1, 1), (1, 1), (0, 0)))
                rows = [[(padded[0, r : r + 3, c : c + 3] * w[0]).sum((0, 1)) for c in range(3)] for r in range(3)]
                return np.array([rows])
            case _:
                parts = zip(np.split(x, self.groups, -1), np.split(w[:, 0, 0], self.groups), strict=True)
                return np.concatenate([channels @ filters.T for channels, filters in parts], -1)

    def _bias(self, writer: ModelWriter, channels: int) -> int:
        if self.activations == "float32":
            return writer.constant("bias", np.zeros(channels, np.float32))
        scales = self._scale_values().ravel() if self.scales == "channel" else np.full(1, self._scale_values().flat[0])
        quantization = Quantization(tuple(float(scale) * self._input_quantization.scales[0] for scale in scales))
        dtype = np.int32 if self.activations == "int8" else np.int64
        return writer.constant("bias", np.zeros(channels, dtype), quantization)

    def _reals(self) -> Array:
        if self.activations == "float32" or self.op == "EMBEDDING_LOOKUP":
            return self.input().astype(float)
        (scale,), (zero_point,) = self._input_quantization.scales, self._input_quantization.zero_points
        return (self.input().astype(float) - zero_point) * scale

    @property
    def _shape(self) -> tuple[int, ...]:
        *outer, columns = _SHAPES[self.op][0]
        return (*outer, columns // self.groups)

    def _integers(self) -> Array:
        shape = self._shape
        values = _random(2).integers(*_LIMITS[self.type], shape)
        return (values * (_random(3).random(shape) < 0.3) if self.sparse else values).astype(np.int8)

    def _scale_values(self) -> Array:
        """Return the scales, in a shape that broadcasts to the weights'."""
        shape, axis = self._shape, _SHAPES[self.op][1]
        counts = [1] * len(shape)
        if self.scales == "channel":
            counts[axis] = shape[axis]
        if self.scales == "block":
            counts = [*shape[:-1], shape[-1] // _BLOCK]
        return _random(4).uniform(0.02, 0.08, counts).astype(np.float16).astype(np.float32)

    def _meaning(self) -> Array:
        if self.type in ("float32", "float16"):
            return self._floats().astype(float)
        scales = self._scale_values().astype(float)
        meaning: Array = self._integers() * (np.repeat(scales, _BLOCK, -1) if self.scales == "block" else scales)
        return meaning

    def _floats(self) -> Array:
        shape = self._shape
        values = _random(2).uniform(-1, 1, shape)
        kept = values * (_random(3).random(shape) < 0.3) if self.sparse else values
        return kept.astype(np.float16 if self.type == "float16" else np.float32)

    def _weights(self, writer: ModelWriter) -> int:
        if self.type == "float16":
            return writer.half_constant("w", self._floats())
        add = writer.sparse_constant if self.sparse else writer.constant
        if self.type == "float32":
            return add("w", self._floats())
        scales, values = self._scale_values(), self._integers()
        axis = _SHAPES[self.op][1] if self.scales == "channel" else 0
        quantization = Quantization(tuple(map(float, scales.ravel())), axis=axis)
        if self.scales == "block":
            stored = (writer.int4_blocks if self.type == "int4" else writer.int2_blocks)("w", values, scales)
        else:
            stored = {"int8": add, "int4": writer.int4_constant, "int2": writer.int2_constant}[self.type](
                "w", values, quantization
            )
        if not self.dequantized:
            return stored
        floats = writer.tensor("floats", values.shape)
        writer.node("DEQUANTIZE", [stored], [floats], version=6)
        return floats


def weight_cases() -> Iterator[WeightCase]:
    """Yield all combinations that a file can have."""
    for op in _SHAPES:
        yield WeightCase(op, "float32", "none")
        yield WeightCase(op, "float16", "none")
        yield WeightCase(op, "float32", "none", sparse=True)
        yield WeightCase(op, "int8", "tensor", sparse=True)
        types: tuple[WeightType, ...] = ("int8", "int4", "int2")
        kinds: tuple[Scales, ...] = ("tensor", "channel", "block")
        for type_, scales, dequantized in itertools.product(types, kinds, (False, True)):
            if scales != "block" or (
                type_ != "int8" and op in ("FULLY_CONNECTED", "EMBEDDING_LOOKUP") and not dequantized
            ):
                yield WeightCase(op, type_, scales, dequantized)
                # TFLite ignores these scales of BATCH_MATMUL, and so does this project: test_modern_networks.py.
                is_ignored = (op, scales) == ("BATCH_MATMUL", "channel")
                if op in _INPUTS and not dequantized and not is_ignored:
                    yield WeightCase(op, type_, scales, activations="int8")
                    yield WeightCase(op, type_, scales, activations="int16")
                if op == "CONV_2D":
                    yield WeightCase(op, type_, scales, dequantized, groups=2)
                    if not dequantized:
                        yield WeightCase(op, type_, scales, activations="int8", groups=2)
                        yield WeightCase(op, type_, scales, activations="int16", groups=2)


def _random(number: int) -> np.random.Generator:
    return np.random.default_rng([SEED, number])
