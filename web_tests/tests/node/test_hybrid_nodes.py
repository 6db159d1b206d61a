"""A node with float activations and int8 weights agrees with native LiteRT, except for the last bit of its bias.

In a network, a difference in the last bit of a float sometimes moves an activation to the next of its 256 steps, and
the network's outputs with it. That is chance; the output of a single node is not.
"""

import numpy as np
import pytest

from web_tests.drivers.harness import KERNELS, LoadOptions, PageHarness
from web_tests.models.model_writer import Quantization
from web_tests.models.one_node import one_node
from web_tests.models.recipes import SEED
from web_tests.op_cases import case_id
from web_tests.op_cases.case import Input, OpCase, Weights
from web_tests.references import native_litert
from web_tests.references.comparison import assert_close

# An activation on another step would differ by 1e-3 or more.
ONE_ROUNDING = 2e-7


def _weights(shape: tuple[int, ...], scales: int) -> Weights:
    """Return int8 weights with this number of scales along their first axis."""
    values = np.random.default_rng(SEED).uniform(0.001, 0.02, scales)
    return Weights(shape, -127, 128, dtype="int8", quantization=Quantization(tuple(values.tolist())))


def _connected(name: str, shape: tuple[int, ...], units: int, *, scales: int = 0, bias: bool = True) -> OpCase:
    operands = (Input(shape), _weights((units, shape[-1]), scales or units), Weights((units,)) if bias else None)
    options = {"keepNumDims": True, "asymmetricQuantizeInputs": True}
    return OpCase(name, "FULLY_CONNECTED", operands, options, version=9)


def _convolved(name: str, shape: tuple[int, ...], window: int, *, scales: int = 40) -> OpCase:
    operands = (Input(shape), _weights((40, window, window, shape[3]), scales), Weights((40,)))
    return OpCase(name, "CONV_2D", operands, {"strideH": 1, "strideW": 1}, version=5)


def _multiplied(name: str, right: tuple[int, ...], *, transposed: bool) -> OpCase:
    options = {"adjY": transposed, "asymmetricQuantizeInputs": True}
    return OpCase(name, "BATCH_MATMUL", (Input((2, 5, 32)), _weights(right, 1)), options, version=4)


NODES = (
    _connected("hybrid", (8, 64), 32),
    _connected("hybrid_one_row", (1, 64), 32),
    _connected("hybrid_one_scale", (8, 64), 32, scales=1),
    _connected("hybrid_sequence", (1, 128, 384), 96),
    _connected("hybrid_without_bias", (2, 5, 64), 32, bias=False),
    _convolved("hybrid_1x1", (1, 16, 16, 24), 1),
    _convolved("hybrid_3x3", (2, 9, 8, 24), 3),
    _convolved("hybrid_one_scale", (1, 16, 16, 24), 1, scales=1),
    _multiplied("hybrid", (2, 32, 7), transposed=False),
    _multiplied("hybrid_transposed", (2, 7, 32), transposed=True),
)


@pytest.mark.parametrize("variant", ["simd", pytest.param("relaxed-simd", marks=pytest.mark.needs("variants"))])
@pytest.mark.parametrize("node", NODES, ids=case_id)
def test_a_hybrid_node_equals_native_litert(harness: PageHarness, node: OpCase, variant: str) -> None:
    found = harness.load(node.model(), LoadOptions(webnn=False, extra={"variant": variant})).run(node.inputs())
    assert_close(found, native_litert.outputs_of(node.model(), node.inputs()), ONE_ROUNDING)


@pytest.mark.parametrize("is_asymmetric", [False, True])
def test_tflites_kernel_rounds_as_native(harness: PageHarness, is_asymmetric: bool) -> None:
    """The float below a half is rounded up by NEON's functions, and down by TFLite's portable ones."""
    below = np.nextafter(np.float32(0.5), np.float32(0))
    x = np.array([[127, -128 if is_asymmetric else -127, *[below] * 14]], np.float32)
    weights = np.eye(16, dtype=np.int8)
    options = {"asymmetricQuantizeInputs": is_asymmetric}
    inputs = [((1, 16), "float32"), (weights, Quantization((1.0,), (0,)))]
    content = one_node("FULLY_CONNECTED", inputs, ((1, 16), "float32"), options)
    (found,) = harness.load(content, KERNELS).run([x])
    (expected,) = native_litert.outputs_of(content, [x], kernels="builtin")
    np.testing.assert_array_equal(found, expected)
    assert found[0, 2] == 1
