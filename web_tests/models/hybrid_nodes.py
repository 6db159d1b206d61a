"""Nodes with float activations and int8 weights, each alone: the kernel quantizes the same way on every machine.

In a network, a difference in the last bit of a float sometimes moves an activation to the next of its 256 steps, and
the network's outputs with it. That is chance; the output of a single node is not.
"""

from dataclasses import dataclass

import numpy as np

from web_tests.models.model_writer import Quantization
from web_tests.models.one_node import one_node
from web_tests.models.op_options import Options
from web_tests.models.recipes import SEED, Array


@dataclass(frozen=True)
class HybridNode:
    """A node of one run-time input.

    Attributes:
        name: unique.
        op: the builtin's name.
        shape: of the input.
        weights: shape of the int8 weights.
        output: shape of the output.
        axis: of the weights' scales; None for one scale.
        bias: number of float summands; 0 for none.
        options: class and values of the op's options.
        version: of the op.
    """

    name: str
    op: str
    shape: tuple[int, ...]
    weights: tuple[int, ...]
    output: tuple[int, ...]
    axis: int | None
    bias: int
    options: Options
    version: int

    def model(self) -> bytes:
        random = np.random.default_rng(SEED)
        count = 1 if self.axis is None else self.weights[self.axis]
        scales = Quantization(tuple(random.uniform(0.001, 0.02, count).tolist()), (0,), self.axis or 0)
        steps = random.integers(-127, 128, self.weights).astype(np.int8)
        bias = [(random.uniform(-1, 1, self.bias).astype(np.float32),)] if self.bias else []
        inputs = [(self.shape,), (steps, scales), *bias]
        return one_node(self.op, inputs, (self.output,), self.options, version=self.version)

    def input(self) -> Array:
        return np.random.default_rng(SEED + 1).normal(0, 1, self.shape).astype(np.float32)


def _connected(name: str, shape: tuple[int, ...], units: int, axis: int | None, bias: int = 1) -> HybridNode:
    options = {"keepNumDims": True, "asymmetricQuantizeInputs": True}
    weights, output = (units, shape[-1]), (*shape[:-1], units)
    row = options
    return HybridNode(name, "FULLY_CONNECTED", shape, weights, output, axis, units * bias, row, 9)


def _convolved(name: str, shape: tuple[int, ...], window: int, channels: int, axis: int | None) -> HybridNode:
    weights, output = (channels, window, window, shape[3]), (*shape[:3], channels)
    options = {"strideH": 1, "strideW": 1}
    return HybridNode(name, "CONV_2D", shape, weights, output, axis, channels, options, 5)


def _multiplied(name: str, left: tuple[int, ...], right: tuple[int, ...], *, transposed: bool) -> HybridNode:
    options = {"adjY": transposed, "asymmetricQuantizeInputs": True}
    output = (*left[:-1], right[-2] if transposed else right[-1])
    return HybridNode(name, "BATCH_MATMUL", left, right, output, None, 0, options, 4)


HYBRID_NODES = (
    _connected("connected", (8, 64), 32, 0),
    _connected("connected_one_row", (1, 64), 32, 0),
    _connected("connected_one_scale", (8, 64), 32, None),
    _connected("connected_sequence", (1, 128, 384), 96, 0),
    _connected("connected_without_bias", (2, 5, 64), 32, 0, bias=0),
    _convolved("convolved_1x1", (1, 16, 16, 24), 1, 40, 0),
    _convolved("convolved_3x3", (2, 9, 8, 24), 3, 40, 0),
    _convolved("convolved_one_scale", (1, 16, 16, 24), 1, 40, None),
    _multiplied("multiplied", (2, 5, 32), (2, 32, 7), transposed=False),
    _multiplied("multiplied_transposed", (2, 5, 32), (2, 7, 32), transposed=True),
)
