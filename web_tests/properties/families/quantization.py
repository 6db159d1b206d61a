"""QUANTIZE, DEQUANTIZE, FAKE_QUANT and CAST."""

import numpy as np
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from web_tests.models.model_writer import Quantization
from web_tests.properties.families.common import (
    ANY_KINDS,
    NUMBERS,
    QUANTIZED,
    SCALES,
    SEEDS,
    Strategy,
    full_range,
    operands,
    quantizations,
    shapes,
)
from web_tests.properties.spec import Fill, NodeSpec, Operand, Result

CASTS = ("float32", *NUMBERS, *QUANTIZED, "bool")


@st.composite
def quantize(draw: DrawFn) -> NodeSpec:
    """Draw a QUANTIZE of real numbers, or from one scale to another."""
    shape = draw(shapes())
    target = draw(st.sampled_from(QUANTIZED))
    result = draw(quantizations(target))
    if draw(st.booleans()):
        scale = result.scales[0]
        reach = scale * (40000 if target == "int16" else 300)
        data = Operand(shape, Fill("uniform", -reach, reach, draw(SEEDS)))
        return NodeSpec("QUANTIZE", (data,), (Result(target, result),))
    source = draw(st.sampled_from(QUANTIZED))
    factors = (1.0, 0.5, 2.0, 0.37, 1.9, 0.0039, 33.0)
    scale = result.scales[0] * draw(st.sampled_from(factors))
    if source == "int16" and target != "int16":
        scale /= 256
    provided = Quantization((float(np.float32(scale)),), draw(quantizations(source)).zero_points)
    data = Operand(shape, full_range(source, draw(SEEDS)), source, provided)
    return NodeSpec("QUANTIZE", (data,), (Result(target, result),))


@st.composite
def dequantize(draw: DrawFn) -> NodeSpec:
    """Draw a DEQUANTIZE of integers or float16, per tensor or per channel."""
    shape = draw(shapes())
    dtype = draw(st.sampled_from((*QUANTIZED, "float16")))
    if dtype == "float16":
        data = draw(operands(shape, dtype, constant=False))
        return NodeSpec("DEQUANTIZE", (data,))
    quantization = draw(quantizations(dtype))
    if dtype == "int8" and shape and 0 not in shape and draw(st.booleans()):
        axis = draw(st.integers(0, len(shape) - 1))
        scales = tuple(draw(st.sampled_from(SCALES)) for _ in range(shape[axis]))
        quantization = Quantization(scales, (0,), axis)
    data = draw(operands(shape, dtype, quantization=quantization))
    return NodeSpec("DEQUANTIZE", (data,))


@st.composite
def fake_quant(draw: DrawFn) -> NodeSpec:
    low, high = draw(st.sampled_from(((-6.0, 6.0), (0.0, 4.0), (-3.0, 9.0), (-1.0, 0.5), (0.5, 4.0))))
    options = (("min", low), ("max", high), ("numBits", draw(st.sampled_from((8, 4, 16)))), ("narrowRange", False))
    data = draw(operands(draw(shapes()), low=-10, high=11, kinds=ANY_KINDS, constant=False))
    return NodeSpec("FAKE_QUANT", (data,), (Result(),), options)


@st.composite
def cast(draw: DrawFn) -> NodeSpec:
    """Draw a CAST, of floats and integers that may be beyond the other type."""
    source, target = draw(st.sampled_from(CASTS)), draw(st.sampled_from(CASTS))
    reach = draw(st.sampled_from((120, 1000, 2**31 - 1, 2**40)))
    shape = draw(shapes())
    if source == "float32":
        data = draw(operands(shape, low=-reach, high=reach, kinds=ANY_KINDS, constant=False))
    else:
        largest = min(reach, int(np.iinfo(source).max)) if source != "bool" else 2
        data = Operand(
            shape, Fill("integer", 0 if source in ("uint8", "bool") else -largest, largest, draw(SEEDS)), source
        )
    return NodeSpec("CAST", (data,), (Result(target),))


STRATEGIES: dict[str, Strategy] = {
    "QUANTIZE": quantize(),
    "DEQUANTIZE": dequantize(),
    "FAKE_QUANT": fake_quant(),
    "CAST": cast(),
}
