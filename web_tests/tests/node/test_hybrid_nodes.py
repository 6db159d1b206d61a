"""A node with float activations and int8 weights agrees with native LiteRT, except for the last bit of its bias."""

import numpy as np
import pytest

from web_tests.drivers.harness import LoadOptions, PageHarness
from web_tests.models.hybrid_nodes import HYBRID_NODES, HybridNode
from web_tests.models.model_writer import Quantization
from web_tests.models.one_node import one_node
from web_tests.references import native_litert
from web_tests.references.comparison import assert_close

# An activation on another step would differ by 1e-3 or more.
ONE_ROUNDING = 2e-7


@pytest.mark.parametrize("variant", ["simd", pytest.param("relaxed-simd", marks=pytest.mark.needs("variants"))])
@pytest.mark.parametrize("node", HYBRID_NODES, ids=lambda node: node.name)
def test_a_hybrid_node_equals_native_litert(harness: PageHarness, node: HybridNode, variant: str) -> None:
    options = LoadOptions(webnn=False, extra={"variant": variant})
    found = harness.load(node.model(), options).run([node.input()])
    assert_close(found, native_litert.outputs_of(node.model(), [node.input()]), ONE_ROUNDING)


@pytest.mark.parametrize("is_asymmetric", [False, True])
def test_tflites_kernel_rounds_as_native(harness: PageHarness, is_asymmetric: bool) -> None:
    """The float below a half is rounded up by NEON's functions, and down by TFLite's portable ones."""
    below = np.nextafter(np.float32(0.5), np.float32(0))
    x = np.array([[127, -128 if is_asymmetric else -127, *[below] * 14]], np.float32)
    weights = np.eye(16, dtype=np.int8)
    options = {"asymmetricQuantizeInputs": is_asymmetric}
    inputs = [((1, 16), "float32"), (weights, Quantization((1.0,), (0,)))]
    content = one_node("FULLY_CONNECTED", inputs, ((1, 16), "float32"), options)
    (found,) = harness.load(content, LoadOptions(webnn=False, extra={"enableXnnpackDelegate": False})).run([x])
    (expected,) = native_litert.outputs_of(content, [x], kernels="builtin")
    np.testing.assert_array_equal(found, expected)
    assert found[0, 2] == 1
