"""Writes networks layer by layer, with seeded weights that keep every layer active on real images.

With unscaled random initialisation, activations vanish or explode, or the output hardly depends on the
image. So the writer computes each layer on a few images, and scales its weights so that every
channel has mean 0 and variance 1 over them, like batch normalization folded into trained weights.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from web_tests.models.model_writer import ModelWriter, Quantization
from web_tests.models.networks import kernels
from web_tests.models.op_options import DEFAULTS, Options
from web_tests.models.recipes import SEED, Array

SAME = 0
NO_ACTIVATION = 0
RELU = 1
RELU6 = 3
# Spread of a classifier's logits: softmax then prefers some classes and excludes none.
LOGITS_SPREAD = 2.0
TINY = 1e-6
# One standard deviation: five of six values pass a ReLU unchanged. If it cut off more, a deep random network would be
# chaotic, and its quantized form would compute something else.
MEAN_BEFORE_ACTIVATION = 1.0
# Depthwise filters blur, like most filters of trained networks; random ones would amplify quantization noise.
SMOOTHING = 1.0
# Converters use this key for a model's only signature.
SIGNATURE = "serving_default"


@dataclass(frozen=True)
class Value:
    """A tensor of the network: its index in the model, and its values for the calibration images."""

    index: int
    samples: Array
    quantization: Quantization | None = None


class NetworkWriter:
    """Float networks. A subclass can store activations, weights and biases differently (see stored_otherwise.py)."""

    def __init__(self, images: Array) -> None:
        """Start a network; `images` is [count, height, width, channels]."""
        self.model = ModelWriter()
        self.random = np.random.default_rng(SEED)
        self._layers = 0
        self.input = self.store_activation("input", images)

    def finish(self, *outputs: Value) -> bytes:
        """Return the .tflite file; the quantizer calibrates its signature."""
        return self.model.finish([self.input.index], [value.index for value in outputs], signature=SIGNATURE)

    def store_activation(self, name: str, samples: Array, like: Value | None = None) -> Value:
        """Add the tensor for a layer's results; a quantized one is quantized like `like`."""
        del like
        return Value(self.model.tensor(name, (1, *samples.shape[1:])), samples)

    def random_weights(self, shape: tuple[int, ...]) -> Array:
        """Return weights before they are normalized."""
        return self.random.standard_normal(shape, dtype=np.float32)

    def normalization(self, sums: Array, activation: int) -> tuple[Array, Array]:
        """Return factor and summand, per channel, that lead to variance 1 over images and positions."""
        axes = tuple(range(sums.ndim - 1))
        gain = 1 / np.maximum(sums.std(axis=axes), TINY)
        mean = 0 if activation == NO_ACTIVATION else MEAN_BEFORE_ACTIVATION
        return gain.astype(np.float32), (mean - sums.mean(axis=axes) * gain).astype(np.float32)

    def store_weights(self, name: str, weights: Array) -> int:
        """Add a layer's weights and return the tensor that the layer reads."""
        return self.model.constant(name, weights)

    def store_bias(self, name: str, bias: Array, source: Value, weights: int) -> int:
        """Add the bias of a layer that multiplies `source` with `weights`."""
        del source, weights  # the scale of a quantized bias follows from these
        return self.model.constant(name, bias)

    def conv_2d(
        self, source: Value, channels: int, *, size: int = 1, stride: int = 1, activation: int = NO_ACTIVATION
    ) -> Value:
        """Add a CONV_2D."""
        filters = self.random_weights((channels, size, size, source.samples.shape[-1]))
        sums = kernels.conv_2d(source.samples, filters, stride)
        gain, bias = self.normalization(sums, activation)
        options = {"padding": SAME, "strideH": stride, "strideW": stride, "fusedActivationFunction": activation}
        return self._weighted_layer(
            "CONV_2D",
            (source, filters * gain[:, None, None, None], bias),
            _activated(sums * gain + bias, activation),
            options,
        )

    def depthwise_conv_2d(
        self, source: Value, *, size: int = 3, stride: int = 1, activation: int = NO_ACTIVATION
    ) -> Value:
        """Add a DEPTHWISE_CONV_2D with one filter per channel."""
        filters = self.random_weights((1, size, size, source.samples.shape[-1])) + SMOOTHING
        sums = kernels.depthwise_conv_2d(source.samples, filters, stride)
        gain, bias = self.normalization(sums, activation)
        options = {
            "padding": SAME,
            "strideH": stride,
            "strideW": stride,
            "depthMultiplier": 1,
            "fusedActivationFunction": activation,
        }
        return self._weighted_layer(
            "DEPTHWISE_CONV_2D",
            (source, filters * gain, bias),
            _activated(sums * gain + bias, activation),
            options,
        )

    def logits(self, source: Value, classes: int) -> Value:
        """Add a FULLY_CONNECTED whose outputs differ from image to image."""
        weights = self.random_weights((classes, source.samples.shape[-1]))
        sums = source.samples @ weights.T
        means = sums.mean(axis=0)
        gain = np.float32(LOGITS_SPREAD / max(float((sums - means).std()), TINY))
        bias = (-means * gain).astype(np.float32)
        return self._weighted_layer(
            "FULLY_CONNECTED",
            (source, weights * gain, bias),
            sums * gain + bias,
            {},
        )

    def add(self, first: Value, second: Value) -> Value:
        """Add an ADD of two tensors of the same shape."""
        return self.layer("ADD", [first, second], first.samples + second.samples, {})

    def mean(self, source: Value) -> Value:
        """Add the MEAN over height and width."""
        axes = self.model.constant(self._name("axes"), np.array([1, 2], dtype=np.int32))
        options = {"keepDims": False}
        return self.layer("MEAN", [source, axes], source.samples.mean(axis=(1, 2)), options)

    def softmax(self, source: Value) -> Value:
        """Add a SOFTMAX over the last dimension."""
        options = {"beta": 1.0}
        return self.layer("SOFTMAX", [source], kernels.softmax(source.samples), options)

    def layer(
        self,
        op: str,
        inputs: Sequence[Value | int],
        samples: Array,
        options: Options = DEFAULTS,
        *,
        like: Value | None = None,
    ) -> Value:
        """Add a node of any op.

        Args:
            op: the builtin's name.
            inputs: tensors of the network, and indices of constants.
            samples: the node's results for the images.
            options: those that differ from the schema's defaults.
            like: the input whose quantization the op passes on, for ops that only move values.
        """
        output = self.store_activation(self._name(op.lower()), samples.astype(np.float32), like)
        indices = [source.index if isinstance(source, Value) else source for source in inputs]
        self.model.node(op, indices, [output.index], options)
        return output

    def _weighted_layer(
        self, op: str, operands: tuple[Value, Array, Array], samples: Array, options: Options = DEFAULTS
    ) -> Value:
        source, weights, bias = operands
        name = self._name("weights")
        stored = self.store_weights(name, weights)
        stored_bias = self.store_bias(f"{name}_bias", bias, source, stored)
        return self.layer(op, [source, stored, stored_bias], samples, options)

    def _name(self, what: str) -> str:
        """Return a unique name for a tensor: the quantizer identifies tensors by name."""
        self._layers += 1
        return f"{what}_{self._layers}"


def _activated(values: Array, activation: int) -> Array:
    if activation == NO_ACTIVATION:
        return values
    return np.clip(values, 0, 6 if activation == RELU6 else None)
