"""Functions of one element, and activations."""

from dataclasses import dataclass

import numpy as np
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from web_tests.models.model_writer import Quantization
from web_tests.properties.families.common import (
    ANY_KINDS,
    NUMBERS,
    REAL_KINDS,
    SCALES,
    Strategy,
    constant,
    near,
    operands,
    quantizations,
    shapes,
)
from web_tests.properties.spec import NodeSpec, Operand, Options, Result

REAL = ("float32",)
BYTES = ("int8", "uint8")
# Scales whose integers cover a function's interesting arguments.
ARGUMENT_SCALES = (0.0078125, 0.0234567, 0.0627, 0.117, 0.3)


@dataclass(frozen=True)
class Unary:
    """How to draw a function.

    Attributes:
        dtypes: of input and output.
        low: the smallest argument.
        high: the largest argument.
        fixed: the output's scale and zero point in TFLite's specification, for int8; int16 has 1/32768.
        positive: quantized arguments are unsigned.
        magnitude: of the terms that a float result sums.
    """

    dtypes: tuple[str, ...] = REAL
    low: float = -9
    high: float = 10
    fixed: tuple[float, int] | None = None
    positive: bool = False
    magnitude: float = 0.0


FUNCTIONS = {
    "ABS": Unary((*REAL, "int8", "int16", "int32")),
    "CEIL": Unary(),
    "COS": Unary(),
    "EXP": Unary((*REAL, "int8", "int16")),
    "FLOOR": Unary(),
    "LOG": Unary((*REAL, "int8"), -9, 99),
    "NEG": Unary((*REAL, *NUMBERS)),
    "ROUND": Unary(),
    "RSQRT": Unary((*REAL, "int8", "int16"), 0, 99, positive=True),
    "SIGN": Unary((*REAL, "int32")),
    "SIN": Unary(),
    "SQRT": Unary((*REAL, "int8", "int16"), 0, 99, positive=True),
    "SQUARE": Unary(),
    "ZEROS_LIKE": Unary((*REAL, *NUMBERS)),
    "LOGICAL_NOT": Unary(("bool",)),
}
ACTIVATIONS = {
    "ELU": Unary((*REAL, "int8")),
    # x / 2 + x / 2 * erf(x / sqrt(2)): the terms cancel out below 0.
    "GELU": Unary((*REAL, *BYTES), magnitude=5.0),
    "HARD_SWISH": Unary((*REAL, *BYTES)),
    "LEAKY_RELU": Unary((*REAL, *BYTES, "int16")),
    "LOGISTIC": Unary((*REAL, *BYTES, "int16"), fixed=(1 / 256, -128)),
    "RELU": Unary((*REAL, *BYTES, "int16")),
    "RELU6": Unary((*REAL, *BYTES, "int16")),
    "RELU_0_TO_1": Unary((*REAL, *BYTES)),
    "RELU_N1_TO_1": Unary((*REAL, *BYTES)),
    "TANH": Unary((*REAL, *BYTES, "int16"), fixed=(1 / 128, 0)),
}


def fixed_quantization(dtype: str, fixed: tuple[float, int]) -> Quantization:
    """Return the fixed quantization of TFLite's specification for an output."""
    if dtype == "int16":
        return Quantization((1 / 32768,), (0,))
    return Quantization((fixed[0],), (fixed[1] + (128 if dtype == "uint8" else 0),))


@st.composite
def unary(draw: DrawFn, op: str, function: Unary) -> NodeSpec:
    dtype = draw(st.sampled_from(function.dtypes))
    shape = draw(shapes())
    options = _options(op, draw)
    if dtype not in (*BYTES, "int16"):
        data = draw(operands(shape, dtype, low=function.low, high=function.high, kinds=ANY_KINDS, constant=False))
        return NodeSpec(op, (data,), (Result(dtype),), options, function.magnitude)
    scales = [scale / 256 for scale in ARGUMENT_SCALES] if dtype == "int16" else ARGUMENT_SCALES
    quantization = draw(quantizations(dtype, scales))
    if function.positive:
        quantization = Quantization(quantization.scales, (0 if dtype == "int16" else int(np.iinfo(dtype).min),))
    data = draw(operands(shape, dtype, quantization=quantization, constant=False))
    if function.positive and dtype == "int16":
        values = np.abs(data.values().astype(np.int32)).clip(1, 32767)
        data = Operand(shape, tuple(values.reshape(-1).tolist()), dtype, quantization)
    if function.fixed:
        result = fixed_quantization(dtype, function.fixed)
    elif op in ("EXP", "LOG", "RSQRT"):
        result = draw(quantizations(dtype, SCALES))
    else:
        result = draw(near(dtype, quantization.scales[0] * (256 if dtype == "int16" else 1)))
    return NodeSpec(op, (data,), (Result(dtype, result),), options)


def _options(op: str, draw: DrawFn) -> Options:
    if op == "LEAKY_RELU":
        return (("alpha", draw(st.sampled_from((0.1, 0.0, 1.5, -0.3, 0.01)))),)
    if op == "GELU":
        return (("approximate", draw(st.booleans())),)
    return ()


@st.composite
def prelu(draw: DrawFn) -> NodeSpec:
    """Draw a PRELU; its slopes broadcast to the data."""
    dtype = draw(st.sampled_from(("float32", "int8", "uint8")))
    shape = draw(shapes(1, 4))
    slopes = tuple(size if draw(st.booleans()) else 1 for size in shape[draw(st.integers(0, len(shape) - 1)) :])
    if dtype == "float32":
        parts = (draw(operands(shape, constant=False)), draw(operands(slopes, low=-2, high=3, constant=True)))
        return NodeSpec("PRELU", parts)
    quantization, slope = draw(quantizations(dtype, ARGUMENT_SCALES)), draw(quantizations(dtype, (0.0078125, 0.011)))
    parts = (
        draw(operands(shape, dtype, quantization=quantization, constant=False)),
        draw(operands(slopes, dtype, quantization=slope, constant=True)),
    )
    return NodeSpec("PRELU", parts, (Result(dtype, draw(near(dtype, quantization.scales[0]))),))


@st.composite
def shape_of(draw: DrawFn, op: str) -> NodeSpec:
    """Draw a SHAPE or RANK. Python cannot read an empty shape of native LiteRT."""
    data = draw(operands(draw(shapes(1)), constant=False))
    if op == "RANK":
        return NodeSpec(op, (data,), (Result("int32"),))
    dtype = draw(st.sampled_from(NUMBERS))
    return NodeSpec(op, (data,), (Result(dtype),), (("outType", 2 if dtype == "int32" else 4),))


@st.composite
def softmax(draw: DrawFn, op: str) -> NodeSpec:
    dtypes = {"SOFTMAX": ("float32", "int8", "uint8", "int16"), "LOG_SOFTMAX": ("float32", "int8", "uint8")}
    dtype = draw(st.sampled_from(dtypes.get(op, ("float32", "int8", "uint8"))))
    # Native LiteRT crashes on empty rows.
    shape = (*draw(shapes(0, 3, 9)), draw(st.integers(1, 9)))
    chosen: Options = (("beta", draw(st.sampled_from((1.0, 0.5, 2.0)))),) if op == "SOFTMAX" else ()
    if dtype == "float32":
        kinds = ANY_KINDS if op == "SOFTMAX" else REAL_KINDS
        data = draw(operands(shape, low=-20, high=20, kinds=kinds, constant=False))
        return NodeSpec(op, (data,), (Result(),), chosen)
    scales = [scale / 256 for scale in ARGUMENT_SCALES] if dtype == "int16" else ARGUMENT_SCALES
    data = draw(operands(shape, dtype, quantization=draw(quantizations(dtype, scales)), constant=False))
    result = fixed_quantization(dtype, FIXED[op])
    return NodeSpec(op, (data,), (Result(dtype, result),), chosen)


FIXED = {"SOFTMAX": (1 / 256, -128), "LOG_SOFTMAX": (16 / 256, 127), "L2_NORMALIZATION": (1 / 128, 0)}


@st.composite
def local_response(draw: DrawFn) -> NodeSpec:
    options = (
        ("radius", draw(st.integers(0, 9))),
        ("bias", draw(st.sampled_from((1.0, 0.5, 2.0)))),
        ("alpha", draw(st.sampled_from((1.0, 0.3, 1e-4)))),
        ("beta", draw(st.sampled_from((0.75, 0.5, 1.0)))),
    )
    data = draw(operands(draw(shapes(4, 4)), constant=False))
    return NodeSpec("LOCAL_RESPONSE_NORMALIZATION", (data,), (Result(),), options)


@st.composite
def cumulative_sum(draw: DrawFn) -> NodeSpec:
    shape = draw(shapes(1, 4))
    axis = draw(st.integers(-len(shape), len(shape) - 1))
    dtype = draw(st.sampled_from((*REAL, *NUMBERS)))
    options = (("exclusive", draw(st.booleans())), ("reverse", draw(st.booleans())))
    parts = (draw(operands(shape, dtype, constant=False)), constant(axis))
    return NodeSpec("CUMSUM", parts, (Result(dtype),), options, 50.0)


UNARY: dict[str, Strategy] = {
    **{op: unary(op, function) for op, function in FUNCTIONS.items()},
    "SHAPE": shape_of("SHAPE"),
    "RANK": shape_of("RANK"),
    "CUMSUM": cumulative_sum(),
}
ACTIVATION: dict[str, Strategy] = {
    **{op: unary(op, function) for op, function in ACTIVATIONS.items()},
    "PRELU": prelu(),
    **{op: softmax(op) for op in FIXED},
    "LOCAL_RESPONSE_NORMALIZATION": local_response(),
}
STRATEGIES = UNARY | ACTIVATION
