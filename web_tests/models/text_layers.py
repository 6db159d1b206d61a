"""Layers of small networks for text, with seeded weights: float32, or int8."""

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from web_tests.models.model_writer import ModelWriter, Quantization
from web_tests.models.op_options import DEFAULTS, Options
from web_tests.models.recipes import SEED, Array

WIDTH = 8
WORD_LENGTH = 12
# Scales of the int8 models' scores, and of their logits of a position.
SCORE_STEP = 1 / 256
LOGIT_STEP = 1 / 16
# The first versions of these ops that know int8.
INT8_VERSIONS = {"GATHER": 2, "ADD": 2, "TANH": 2, "MUL": 2, "MEAN": 2, "FULLY_CONNECTED": 4, "SOFTMAX": 2}


class TextLayers:
    """Writes layers with seeded weights.

    Quantized, the ids and biases are int32 and all others int8, as converters write full integer models.
    """

    def __init__(self, vocabulary: int, classes: int, *, quantized: bool) -> None:
        self.writer = ModelWriter()
        self._random = np.random.default_rng(SEED)
        self._vocabulary = vocabulary
        self._classes = classes
        self._quantized = quantized
        # The scale of each int8 tensor.
        self._scales: dict[int, float] = {}
        self.finish: Callable[..., bytes] = self.writer.finish

    def weights(self, name: str, *shape: int, spread: float = 1) -> int:
        values = self._random.normal(0, spread, shape).astype(np.float32)
        if not self._quantized:
            return self.writer.constant(name, values)
        scale = float(np.abs(values).max()) / 127
        return self._integers(name, values, scale, np.int8)

    def bias(self, name: str, length: int, values: int, weights: int) -> int:
        """Return the bias of a fully connected layer, whose scale is the product of its operands'."""
        bias = self._random.normal(0, 1, length).astype(np.float32)
        if not self._quantized:
            return self.writer.constant(name, bias)
        return self._integers(name, bias, self._scales[values] * self._scales[weights], np.int32)

    def input(self, name: str, length: int) -> int:
        return self.writer.tensor(name, (1, length), "int32")

    def layer(
        self,
        op: str,
        inputs: Sequence[int],
        name: str,
        shape: Sequence[int],
        options: Options = DEFAULTS,
        *,
        scale: float | None = None,
        zero_point: int = 0,
    ) -> int:
        """Return a layer's output; quantized, it has the scale of the first input by default."""
        if self._quantized:
            scale = scale or self._scales[inputs[0]]
            output = self.writer.tensor(name, tuple(shape), "int8", Quantization((scale,), (zero_point,)))
            self._scales[output] = scale
        else:
            output = self.writer.tensor(name, tuple(shape))
        self.writer.node(op, list(inputs), [output], options, version=self._version(op))
        return output

    def embedded(self, ids: int, name: str = "words", rows: int | None = None, length: int = WORD_LENGTH) -> int:
        table = self.weights(f"{name}_table", rows or self._vocabulary, WIDTH)
        return self.layer("GATHER", [table, ids], name, (1, length, WIDTH))

    def encoded(self, inputs: Mapping[str, int], length: int) -> int:
        """Return a vector for each position, [1, length, WIDTH], 0 where the mask is."""
        pieces = self.embedded(inputs["ids"], "pieces", length=length)
        segments = self.embedded(inputs["segment_ids"], "segments", 2, length)
        shape = (1, length, WIDTH)
        both = self.layer("ADD", [pieces, segments], "both", shape, scale=1 / 20)
        positioned = self.layer("ADD", [both, self.weights("places", *shape)], "placed", shape, scale=1 / 20)
        column = self.mask_column(inputs["mask"], length)
        bounded = self.layer("TANH", [positioned], "bounded", shape, scale=1 / 128)
        return self.layer("MUL", [bounded, column], "encoded", shape)

    def mask_column(self, mask: int, length: int) -> int:
        """Return a mask, int32 [1, length], as [1, length, 1] in the type of the activations."""
        column = self.writer.tensor("mask_float", (1, length))
        self.writer.node("CAST", [mask], [column])
        if self._quantized:
            column = self.layer("QUANTIZE", [column], "mask_steps", (1, length), scale=1 / 127)
        axis = self.writer.constant("mask_shape", np.array([1, length, 1], dtype=np.int32))
        options = {"newShape": [1, length, 1]}
        return self.layer("RESHAPE", [column, axis], "mask_column", (1, length, 1), options)

    def mean(self, values: int) -> int:
        axis = self.writer.constant("places_axis", np.array([1], dtype=np.int32))
        options = {"keepDims": False}
        return self.layer("MEAN", [values, axis], "mean", (1, WIDTH), options, scale=1 / 64)

    def scores(self, values: int) -> int:
        # The mean of many vectors is small: large weights keep the scores distinct.
        weights = self.weights("classes", self._classes, WIDTH, spread=8)
        bias = self.bias("class_bias", self._classes, values, weights)
        shape = (1, self._classes)
        logits = self.layer("FULLY_CONNECTED", [values, weights, bias], "logits", shape, scale=1 / 8)
        softmax = {"beta": 1.0}
        return self.layer("SOFTMAX", [logits], "probability", shape, softmax, scale=SCORE_STEP, zero_point=-128)

    def logits(self, values: int, name: str, length: int) -> int:
        """Return f32[1, length]: what BertQuestionAnswerer reads, of quantized models, too."""
        rows = self.writer.constant(f"{name}_rows", np.array([length, WIDTH], dtype=np.int32))
        options = {"newShape": [length, WIDTH]}
        flat = self.layer("RESHAPE", [values, rows], f"{name}_flat", (length, WIDTH), options)
        weights = self.weights(f"{name}_weights", 1, WIDTH)
        bias = self.bias(f"{name}_bias", 1, flat, weights)
        inputs, shape = [flat, weights, bias], (length, 1)
        column = self.layer("FULLY_CONNECTED", inputs, f"{name}_column", shape, scale=LOGIT_STEP)
        row = self.writer.constant(f"{name}_row", np.array([1, length], dtype=np.int32))
        back = {"newShape": [1, length]}
        if not self._quantized:
            return self.layer("RESHAPE", [column, row], name, (1, length), back)
        steps = self.layer("RESHAPE", [column, row], f"{name}_steps", (1, length), back)
        output = self.writer.tensor(name, (1, length))
        self.writer.node("DEQUANTIZE", [steps], [output], version=2)
        return output

    def _integers(self, name: str, values: Array, scale: float, dtype: type) -> int:
        steps: Array = np.round(values / np.float32(scale)).astype(dtype)
        index = self.writer.constant(name, steps, Quantization((scale,)))
        self._scales[index] = scale
        return index

    def _version(self, op: str) -> int:
        return INT8_VERSIONS.get(op, 1) if self._quantized else 1
