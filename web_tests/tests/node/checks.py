"""Comparisons with native LiteRT on the CPU."""

from collections.abc import Sequence

import numpy as np

from web_tests.drivers.harness import CPU, LoadOptions, PageHarness
from web_tests.models.recipes import Array
from web_tests.references import native_litert


def assert_native_bits(
    harness: PageHarness, content: bytes, inputs: Sequence[Array], options: LoadOptions = CPU
) -> None:
    """Assert that a model's outputs have the type, the shape and the bits that TFLite's kernels compute natively."""
    found = harness.load(content, options).run(inputs)
    expected = native_litert.outputs_of(content, inputs, kernels="builtin")
    for one, other in zip(found, expected, strict=True):
        assert (one.dtype, one.shape) == (other.dtype, other.shape)
        np.testing.assert_array_equal(_bytes_of(one), _bytes_of(other))


def _bytes_of(array: Array) -> Array:
    return np.frombuffer(array.tobytes(), np.uint8)
