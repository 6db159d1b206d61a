"""Reductions, and the search for the largest element."""

import math

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from web_tests.properties.families.common import (
    ANY_KINDS,
    NUMBERS,
    QUANTIZED,
    Strategy,
    axes,
    constant,
    near,
    operands,
    parameters,
    quantizations,
    shapes,
    some_axes,
)
from web_tests.properties.spec import NodeSpec, Result

REAL = ("float32",)
BYTES = ("int8", "uint8")
DTYPES = {
    "MEAN": (*REAL, *NUMBERS, *QUANTIZED),
    "SUM": (*REAL, *NUMBERS, *BYTES),
    "REDUCE_PROD": (*REAL, *NUMBERS, "int8"),
    "REDUCE_MAX": (*REAL, *NUMBERS, *QUANTIZED),
    "REDUCE_MIN": (*REAL, *NUMBERS, *QUANTIZED),
    "REDUCE_ANY": ("bool",),
    "REDUCE_ALL": ("bool",),
}


@st.composite
def reduction(draw: DrawFn, op: str) -> NodeSpec:
    """Draw a reduction over axes, provided as a list or as one number."""
    dtype = draw(st.sampled_from(DTYPES[op]))
    # On empty inputs, native LiteRT's quantized reductions return uninitialized memory.
    shape = draw(shapes(0, 5, 5, empty=dtype not in QUANTIZED))
    chosen = draw(some_axes(len(shape)))
    axis = draw(parameters(chosen[0] if len(chosen) == 1 and draw(st.booleans()) else chosen))
    options = (("keepDims", draw(st.booleans())),)
    count = math.prod(shape[each] for each in chosen)
    if dtype not in QUANTIZED:
        low, high = (-2, 3) if op == "REDUCE_PROD" else (-9, 10)
        data = draw(operands(shape, dtype, low=low, high=high, constant=False))
        magnitude = 10.0 * max(count, 1) if op == "SUM" else 10.0
        return NodeSpec(op, (data, axis), (Result(dtype),), options, magnitude)
    scales = (1.0, 0.5, 0.011) if op == "REDUCE_PROD" else (0.0078125, 0.117, 1.7)
    quantization = draw(quantizations(dtype, scales))
    data = draw(operands(shape, dtype, quantization=quantization, constant=False))
    result = quantization
    if op in ("MEAN", "SUM", "REDUCE_PROD"):
        spread = math.sqrt(max(count, 1)) if op == "SUM" else 256 if dtype == "int16" else 1
        result = draw(near(dtype, quantization.scales[0] * spread))
    return NodeSpec(op, (data, axis), (Result(dtype, result),), options)


@st.composite
def arg(draw: DrawFn, op: str) -> NodeSpec:
    dtype = draw(st.sampled_from((*REAL, *BYTES, "int32", "bool")))
    quantization = draw(quantizations(dtype)) if dtype in BYTES else None
    shape = draw(shapes(1, 5, 6, empty=False))
    data = draw(operands(shape, dtype, quantization=quantization, low=-9, high=10, kinds=ANY_KINDS, constant=False))
    index = draw(st.sampled_from(NUMBERS))
    parts = (data, draw(parameters(draw(axes(len(shape))), draw(st.sampled_from(NUMBERS)))))
    return NodeSpec(op, parts, (Result(index),), (("outputType", 2 if index == "int32" else 4),))


@st.composite
def top_k(draw: DrawFn) -> NodeSpec:
    dtype = draw(st.sampled_from((*REAL, *NUMBERS, *BYTES)))
    quantization = draw(quantizations(dtype)) if dtype in BYTES else None
    shape = draw(shapes(1, 4, 6, empty=False))
    data = draw(operands(shape, dtype, quantization=quantization, low=-9, high=10, kinds=ANY_KINDS, constant=False))
    parts = (data, constant(draw(st.integers(0, shape[-1]))))
    return NodeSpec("TOPK_V2", parts, (Result(dtype, quantization), Result("int32")))


STRATEGIES: dict[str, Strategy] = {
    **{op: reduction(op) for op in DTYPES},
    "ARG_MAX": arg("ARG_MAX"),
    "ARG_MIN": arg("ARG_MIN"),
    "TOPK_V2": top_k(),
}
