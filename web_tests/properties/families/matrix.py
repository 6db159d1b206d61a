"""FULLY_CONNECTED and BATCH_MATMUL."""

import math
from dataclasses import replace

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from web_tests.models.model_writer import Quantization
from web_tests.properties.families.common import (
    ACTIVATIONS,
    REAL_KINDS,
    SEEDS,
    Shape,
    Strategy,
    broadcast_pair,
    near,
    operands,
    quantizations,
    shapes,
)
from web_tests.properties.families.convolution import data_of, weighted
from web_tests.properties.spec import Fill, NodeSpec, Operand, Result, Role

FACTOR_SCALES = (0.01, 0.0078125, 0.3, 1.0)
WEIGHT_ROLES: tuple[Role, ...] = ("constant", "constant", "input")


@st.composite
def fully_connected(draw: DrawFn) -> NodeSpec:
    """Draw a FULLY_CONNECTED: weights constant or provided at run time, rows flattened or kept."""
    form = draw(st.sampled_from(("float32", "int8", "uint8", "int16", "hybrid")))
    inputs, outputs = draw(st.integers(1, 40)), draw(st.integers(1, 20))
    layer = draw(weighted(form, (outputs, inputs), 0, inputs, outputs))
    keep = draw(st.booleans())
    rows = draw(shapes(0 if keep else 1, 3, 4, empty=keep))
    data = draw(data_of(layer, (*rows, inputs)))
    weights = layer.weights
    if form == "float32" and draw(st.integers(0, 3)) == 3:
        weights = Operand(weights.shape, weights.content)
    options = (
        ("keepNumDims", keep),
        ("fusedActivationFunction", draw(ACTIVATIONS)),
        ("asymmetricQuantizeInputs", form == "hybrid" and draw(st.booleans())),
    )
    bias = layer.bias
    if bias is not None and form == "float32" and draw(st.integers(0, 3)) == 3:
        bias = replace(bias, shape=draw(st.sampled_from(((outputs, 1), (1, outputs)))))
    parts = (data, weights, bias)
    return NodeSpec("FULLY_CONNECTED", parts, (layer.result,), options, layer.magnitude)


@st.composite
def batch_matmul(draw: DrawFn) -> NodeSpec:
    """Draw a BATCH_MATMUL with broadcast batches, either operand transposed, the right operand constant or not."""
    form = draw(st.sampled_from(("float32", "int8", "int16", "hybrid")))
    rows, inner, columns = (draw(st.integers(1, 9)) for _ in range(3))
    left_batch, right_batch = draw(broadcast_pair(draw(shapes(0, 3, 3, empty=form != "hybrid"))))
    adj_x, adj_y = draw(st.booleans()), draw(st.booleans())
    left: Shape = (*left_batch, inner, rows) if adj_x else (*left_batch, rows, inner)
    right: Shape = (*right_batch, columns, inner) if adj_y else (*right_batch, inner, columns)
    options = (
        ("adjX", adj_x),
        ("adjY", adj_y),
        ("asymmetricQuantizeInputs", form == "hybrid" and draw(st.booleans())),
    )
    if form == "float32":
        kinds = (draw(st.sampled_from(REAL_KINDS)),)
        parts = (draw(operands(left, kinds=kinds, constant=False)), draw(operands(right, kinds=kinds)))
        return _matmul(parts, Result(), options, 25.0 * inner)
    if form == "hybrid":
        scale = draw(st.sampled_from(FACTOR_SCALES))
        content, role = Fill("integer", -127, 128, draw(SEEDS)), draw(st.sampled_from(WEIGHT_ROLES))
        weights = Operand(right, content, "int8", Quantization((scale,)), role)
        data = draw(operands(left, kinds=("uniform",), constant=False))
        return _matmul((data, weights), Result(), options, 5 * 127 * scale * inner)
    one, other = (draw(quantizations(form, FACTOR_SCALES)) for _ in range(2))
    spread = 6000 if form == "int16" else 1
    result = draw(near(form, one.scales[0] * other.scales[0] * 60 * math.sqrt(inner) * spread))
    parts = (
        draw(operands(left, form, quantization=one, constant=False)),
        draw(operands(right, form, quantization=other)),
    )
    return _matmul(parts, Result(form, result), options, 0.0)


def _matmul(
    parts: tuple[Operand, Operand], result: Result, options: tuple[tuple[str, bool], ...], magnitude: float
) -> NodeSpec:
    return NodeSpec("BATCH_MATMUL", parts, (result,), options, magnitude)


STRATEGIES: dict[str, Strategy] = {"FULLY_CONNECTED": fully_connected(), "BATCH_MATMUL": batch_matmul()}
