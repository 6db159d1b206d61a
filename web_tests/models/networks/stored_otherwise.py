"""Networks whose tensors are not plain float32: the asymmetric uint8 of early TFLite, and sparse weights."""

from __future__ import annotations

import numpy as np

from web_tests.models.model_writer import Quantization, options_object
from web_tests.models.networks import kernels
from web_tests.models.networks.network_writer import MEAN_BEFORE_ACTIVATION, NO_ACTIVATION, TINY, NetworkWriter, Value
from web_tests.models.recipes import Array

HIGHEST_UINT8 = 255
# What TFLite's quantized SOFTMAX demands of its output.
SOFTMAX_QUANTIZATION = Quantization((1 / 256,), (0,))
# The part of the weights that is kept: few enough that a sparse kernel would be worth its while.
DENSITY = 0.2


class Uint8NetworkWriter(NetworkWriter):
    """Everything uint8 with one scale and one zero point a tensor, weights included, and int32 biases.

    That is how quantization-aware training stored networks in 2018; the converter of today never does.
    """

    def __init__(self, pictures: Array) -> None:
        self._weight_scales: dict[int, float] = {}
        super().__init__(pictures)

    def store_activation(self, name: str, samples: Array, like: Value | None = None) -> Value:
        """Add a uint8 tensor whose range is that of the samples."""
        quantization = like.quantization if like else _range_of(samples)
        index = self.model.tensor(name, (1, *samples.shape[1:]), "uint8", quantization)
        return Value(index, samples, quantization)

    def normalization(self, sums: Array, activation: int) -> tuple[Array, Array]:
        """Return one factor for all channels: with one scale, channels of unlike size would not fit."""
        axes = tuple(range(sums.ndim - 1))
        gain = np.full(sums.shape[-1], 1 / max(float(sums.std()), TINY), np.float32)
        mean = 0 if activation == NO_ACTIVATION else MEAN_BEFORE_ACTIVATION
        return gain, (mean - sums.mean(axis=axes) * gain).astype(np.float32)

    def store_weights(self, name: str, weights: Array) -> int:
        """Add the weights as uint8."""
        quantization = _range_of(weights)
        (scale,), (zero_point,) = quantization.scales, quantization.zero_points
        steps = np.clip(np.round(weights / scale) + zero_point, 0, HIGHEST_UINT8).astype(np.uint8)
        index = self.model.constant(name, steps, quantization)
        self._weight_scales[index] = scale
        return index

    def store_bias(self, name: str, bias: Array, source: Value, weights: int) -> int:
        """Add the bias as int32, in steps of the products that it is added to."""
        assert source.quantization
        scale = source.quantization.scales[0] * self._weight_scales[weights]
        return self.model.constant(name, np.round(bias / scale).astype(np.int32), Quantization((scale,)))

    def softmax(self, source: Value) -> Value:
        """Add a SOFTMAX, whose output has a scale of its own."""
        samples = kernels.softmax(source.samples)
        index = self.model.tensor("scores", (1, *samples.shape[1:]), "uint8", SOFTMAX_QUANTIZATION)
        self.model.node("SOFTMAX", [source.index], [index], options_object("SoftmaxOptions", {"beta": 1.0}))
        return Value(index, samples, SOFTMAX_QUANTIZATION)


class SparseNetworkWriter(NetworkWriter):
    """Float networks most of whose weights are zero and not stored; a DENSIFY node brings them back."""

    def random_weights(self, shape: tuple[int, ...]) -> Array:
        """Return weights most of which are zero; no filter is zero throughout."""
        weights = super().random_weights(shape)
        keep = self.random.random(shape) < DENSITY
        keep[(0,) * (len(shape) - 1)] = True  # one weight a channel of a depthwise filter
        keep[..., 0] = True
        result: Array = weights * keep
        return result

    def store_weights(self, name: str, weights: Array) -> int:
        """Add the weights that are not zero, and their DENSIFY."""
        return self.model.sparse_constant(name, weights)


def _range_of(values: Array) -> Quantization:
    """Return the asymmetric quantization in which 0 is exact."""
    low, high = min(float(values.min()), 0.0), max(float(values.max()), 0.0)
    scale = (high - low) / HIGHEST_UINT8
    return Quantization((scale,), (round(-low / scale),))
