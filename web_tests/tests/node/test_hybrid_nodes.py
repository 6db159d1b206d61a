"""A node with float activations and int8 weights answers like native LiteRT, except for the last bit of its bias."""

import numpy as np
import pytest

from web_tests.drivers.harness import LoadOptions, PageHarness
from web_tests.models.hybrid_nodes import HYBRID_NODES, HybridNode
from web_tests.references import native_litert

# An activation on another step would differ by 1e-3 or more.
ONE_ROUNDING = 2e-7


@pytest.mark.parametrize("variant", ["simd", pytest.param("relaxed-simd", marks=pytest.mark.needs("variants"))])
@pytest.mark.parametrize("node", HYBRID_NODES, ids=lambda node: node.name)
def test_one_node(harness: PageHarness, node: HybridNode, variant: str) -> None:
    options = LoadOptions(webnn=False, extra={"variant": variant})
    (found,) = harness.load(node.model(), options).run([node.input()])
    (expected,) = native_litert.outputs_of(node.model(), [node.input()])
    np.testing.assert_allclose(found, expected, rtol=0, atol=ONE_ROUNDING * np.ptp(expected))
