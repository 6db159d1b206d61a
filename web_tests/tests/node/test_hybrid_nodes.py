"""A node with float activations and int8 weights answers like native LiteRT, except for the last bit of its bias."""

from __future__ import annotations

import numpy as np
import pytest

from js.bundle import built_variants
from web_tests.drivers.harness import LoadOptions, PageHarness
from web_tests.models.hybrid_nodes import HYBRID_NODES, HybridNode
from web_tests.references import native_litert

# An activation on another step would differ by 1e-3 or more.
ONE_ROUNDING = 2e-7


@pytest.mark.parametrize("variant", ["simd", "relaxed-simd"])
@pytest.mark.parametrize("node", HYBRID_NODES, ids=lambda node: node.name)
def test_one_node(harness: PageHarness, node: HybridNode, variant: str) -> None:
    if variant not in built_variants():
        pytest.skip(f"{variant} is not built (python3 build.py build --variant all)")
    options = LoadOptions(webnn=False, extra={"variant": variant})
    (found,) = harness.load(node.model(), options).run([node.input()])
    (expected,) = native_litert.outputs_of(node.model(), [node.input()])
    np.testing.assert_allclose(found, expected, rtol=0, atol=ONE_ROUNDING * np.ptp(expected))
