"""Networks with tensors other than dense float32: the asymmetric uint8 of early TFLite, and sparse weights."""

import numpy as np

from web_tests.models.model_writer import Quantization
from web_tests.models.networks import kernels
from web_tests.models.networks.network_writer import MEAN_BEFORE_ACTIVATION, NO_ACTIVATION, TINY, NetworkWriter, Value
from web_tests.models.recipes import Array

HIGHEST_UINT8 = 255
# TFLite's quantized SOFTMAX requires this of its output.
SOFTMAX_QUANTIZATION = Quantization((1 / 256,), (0,))
# Fraction of the weights that is kept: few enough for a sparse kernel to pay off.
DENSITY = 0.2


class Uint8NetworkWriter(NetworkWriter):
    """All tensors uint8 with one scale and one zero point each, weights included; int32 biases.

    Quantization-aware training stored networks that way in 2018; today's converter never does.
    """

    def __init__(self, images: Array) -> None:
        self._weight_scales: dict[int, float] = {}
        super().__init__(images)

    def store_activation(self, name: str, samples: Array, like: Value | None = None) -> Value:
        """Add a uint8 tensor with the range of the samples."""
        quantization = like.quantization if like else _range_of(samples)
        index = self.model.tensor(name, (1, *samples.shape[1:]), "uint8", quantization)
        return Value(index, samples, quantization)

    def normalization(self, sums: Array, activation: int) -> tuple[Array, Array]:
        """Return one factor for all channels: one scale does not fit channels of different magnitudes."""
        axes = tuple(range(sums.ndim - 1))
        gain = np.full(sums.shape[-1], 1 / max(float(sums.std()), TINY), np.float32)
        mean = 0 if activation == NO_ACTIVATION else MEAN_BEFORE_ACTIVATION
        return gain, (mean - sums.mean(axis=axes) * gain).astype(np.float32)

    def store_weights(self, name: str, weights: Array) -> int:
        quantization = _range_of(weights)
        (scale,), (zero_point,) = quantization.scales, quantization.zero_points
        steps = np.clip(np.round(weights / scale) + zero_point, 0, HIGHEST_UINT8).astype(np.uint8)
        index = self.model.constant(name, steps, quantization)
        self._weight_scales[index] = scale
        return index

    def store_bias(self, name: str, bias: Array, source: Value, weights: int) -> int:
        """Add the bias as int32, in steps of the products' scale."""
        assert source.quantization
        scale = source.quantization.scales[0] * self._weight_scales[weights]
        return self.model.constant(name, np.round(bias / scale).astype(np.int32), Quantization((scale,)))

    def softmax(self, source: Value) -> Value:
        """Add a SOFTMAX, whose output has its own scale."""
        samples = kernels.softmax(source.samples)
        index = self.model.tensor("scores", (1, *samples.shape[1:]), "uint8", SOFTMAX_QUANTIZATION)
        self.model.node("SOFTMAX", [source.index], [index], {"beta": 1.0})
        return Value(index, samples, SOFTMAX_QUANTIZATION)


class SparseNetworkWriter(NetworkWriter):
    """Float networks with mostly zero weights, which are not stored; a DENSIFY node restores them."""

    def random_weights(self, shape: tuple[int, ...]) -> Array:
        """Return weights most of which are zero; every filter has a non-zero one."""
        weights = super().random_weights(shape)
        keep = self.random.random(shape) < DENSITY
        keep[(0,) * (len(shape) - 1)] = True  # one weight per channel of a depthwise filter
        keep[..., 0] = True
        result: Array = weights * keep
        return result

    def store_weights(self, name: str, weights: Array) -> int:
        """Add the non-zero weights and their DENSIFY."""
        return self.model.sparse_constant(name, weights)


def _range_of(values: Array) -> Quantization:
    """Return the asymmetric quantization with an exact 0."""
    low, high = min(float(values.min()), 0.0), max(float(values.max()), 0.0)
    scale = (high - low) / HIGHEST_UINT8
    return Quantization((scale,), (round(-low / scale),))
