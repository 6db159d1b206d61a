"""Functions of two elements that broadcast: arithmetic, comparison, logic, selection."""

from dataclasses import dataclass

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from web_tests.properties.families.common import (
    ACTIVATIONS,
    ANY_KINDS,
    MOVED_KINDS,
    NUMBERS,
    QUANTIZED,
    SCALES,
    Shape,
    Strategy,
    broadcast_pair,
    near,
    operands,
    quantizations,
    same,
    shapes,
)
from web_tests.properties.spec import NodeSpec, Operand, Options, Result

REAL = ("float32",)
BYTES = ("int8", "uint8")
FACTOR_SCALES = (0.0078125, 0.0234567, 0.117, 0.3, 1.0)


@dataclass(frozen=True)
class Binary:
    """How to draw a function.

    Attributes:
        dtypes: of its operands.
        fused: whether it has fused activations.
        copies: both operands and the result have one quantization.
        divides: the second operand is not zero.
        broadcast_rank: the maximum rank that TFLite's kernel broadcasts; 0 if it broadcasts nothing. Two elements of
            the same shape have any rank.
        result: the result's type, if it differs from the operands'.
    """

    dtypes: tuple[str, ...]
    fused: bool = False
    copies: bool = False
    divides: bool = False
    broadcast_rank: int = 4
    result: str = ""


ARITHMETIC = {
    "ADD": Binary((*REAL, *NUMBERS, *QUANTIZED), fused=True, broadcast_rank=6),
    "SUB": Binary((*REAL, *NUMBERS, *QUANTIZED), fused=True, broadcast_rank=6),
    "MUL": Binary((*REAL, *NUMBERS, *QUANTIZED), fused=True, broadcast_rank=6),
    "DIV": Binary((*REAL, "int32", *BYTES), fused=True, divides=True, broadcast_rank=5),
    "MAXIMUM": Binary((*REAL, *NUMBERS, *QUANTIZED), copies=True, broadcast_rank=5),
    "MINIMUM": Binary((*REAL, *NUMBERS, *QUANTIZED), copies=True, broadcast_rank=5),
    "POW": Binary((*REAL, "int32")),
    "SQUARED_DIFFERENCE": Binary((*REAL, "int32", "int8")),
    "FLOOR_DIV": Binary((*REAL, "int32"), divides=True),
    "FLOOR_MOD": Binary((*REAL, *NUMBERS), divides=True),
    "ATAN2": Binary(REAL, broadcast_rank=0),
    "BITWISE_XOR": Binary(("int8", "uint8", "int16", "int32")),
    "STABLEHLO_ADD": Binary((*REAL, *NUMBERS), broadcast_rank=0),
    "STABLEHLO_MULTIPLY": Binary((*REAL, *NUMBERS), broadcast_rank=0),
    "STABLEHLO_MAXIMUM": Binary((*REAL, *NUMBERS), broadcast_rank=0),
    "STABLEHLO_MINIMUM": Binary((*REAL, *NUMBERS), broadcast_rank=0),
}
# These types are generated only without scale and zero point.
NEVER_QUANTIZED = ("BITWISE_XOR",)
COMPARED = (*REAL, *NUMBERS, *BYTES)
LOGIC = {
    "EQUAL": Binary((*COMPARED, "bool"), result="bool"),
    "NOT_EQUAL": Binary((*COMPARED, "bool"), result="bool"),
    "GREATER": Binary(COMPARED, result="bool"),
    "GREATER_EQUAL": Binary(COMPARED, result="bool"),
    "LESS": Binary(COMPARED, result="bool"),
    "LESS_EQUAL": Binary(COMPARED, result="bool"),
    "LOGICAL_AND": Binary(("bool",)),
    "LOGICAL_OR": Binary(("bool",)),
}


@st.composite
def binary(draw: DrawFn, op: str, function: Binary) -> NodeSpec:
    dtype = draw(st.sampled_from(function.dtypes))
    shape = draw(shapes())
    broadcasts = len(shape) <= function.broadcast_rank
    one_shape, other_shape = draw(broadcast_pair(shape)) if broadcasts else (shape, shape)
    options: Options = (("fusedActivationFunction", draw(ACTIVATIONS)),) if function.fused and dtype != "int64" else ()
    if op in ("ADD", "SUB"):
        options += (("potScaleInt16", False),)
    first_is_constant = draw(st.integers(0, 7)) == 7
    is_constant = not first_is_constant and draw(st.booleans())
    if dtype in QUANTIZED and op not in NEVER_QUANTIZED:
        return _quantized(
            draw, op, function, dtype, (one_shape, other_shape), (first_is_constant, is_constant), options
        )
    low, high = _range(op, dtype)
    one = draw(operands(one_shape, dtype, low=low, high=high, kinds=ANY_KINDS, constant=first_is_constant))
    if function.divides:
        other = draw(operands(other_shape, dtype, low=1, high=9, constant=is_constant))
        if draw(st.booleans()):
            other = _negative(other)
    else:
        other = draw(operands(other_shape, dtype, low=low, high=high, kinds=ANY_KINDS, constant=is_constant))
    return NodeSpec(op, (one, other), (Result(function.result or dtype),), options, 20.0)


def _quantized(
    draw: DrawFn,
    op: str,
    function: Binary,
    dtype: str,
    sizes: tuple[Shape, Shape],
    constants: tuple[bool, bool],
    options: Options,
) -> NodeSpec:
    scales = [scale / 256 for scale in FACTOR_SCALES] if dtype == "int16" else FACTOR_SCALES
    if function.result:
        scales = [scale for scale in SCALES if scale < 1]  # native LiteRT's comparisons abort on others
    first = draw(quantizations(dtype, scales))
    second = first if function.copies else draw(quantizations(dtype, scales))
    one = draw(operands(sizes[0], dtype, quantization=first, constant=constants[0]))
    other = draw(operands(sizes[1], dtype, quantization=second, constant=constants[1]))
    if function.divides:
        # A divisor is never zero.
        values = [value + (value == second.zero_points[0]) for value in other.values().reshape(-1).tolist()]
        limit = 127 if dtype == "int8" else 255
        content = tuple(min(value, limit) if value <= limit else second.zero_points[0] - 1 for value in values)
        other = Operand(other.shape, content, dtype, second, other.role)
    if function.result:
        return NodeSpec(op, (one, other), (Result(function.result),), options)
    spread = 256 if dtype == "int16" else 1
    typical = {
        "MUL": first.scales[0] * second.scales[0] * 60 * spread,
        "SQUARED_DIFFERENCE": max(first.scales[0], second.scales[0]) ** 2 * 60,
        "DIV": first.scales[0] / second.scales[0] / 30,
    }
    result = first if function.copies else draw(near(dtype, typical.get(op, first.scales[0]) * spread))
    return NodeSpec(op, (one, other), (Result(dtype, result),), options)


def _range(op: str, dtype: str) -> tuple[float, float]:
    if op == "POW":
        return (0, 4) if dtype == "int32" else (0.1, 4)
    if dtype == "float32":
        return -4, 5
    return -99, 100


def _negative(operand: Operand) -> Operand:
    values = tuple((-operand.values()).reshape(-1).tolist())
    return Operand(operand.shape, values, operand.dtype, operand.quantization, operand.role)


@st.composite
def select(draw: DrawFn, op: str) -> NodeSpec:
    """Draw a SELECT, whose condition has the data's shape or selects rows, or a SELECT_V2, which broadcasts."""
    dtype = draw(st.sampled_from((*REAL, *NUMBERS, *QUANTIZED, "bool")))
    quantization = draw(quantizations(dtype)) if dtype in QUANTIZED else None
    shape = draw(shapes(0, 4))
    if op == "SELECT":
        is_row = len(shape) > 1 and draw(st.booleans())
        condition, one, other = shape[:1] if is_row else shape, shape, shape
    else:
        condition, one = draw(broadcast_pair(shape))
        _, other = draw(broadcast_pair(shape))
    kinds = MOVED_KINDS
    parts = (
        draw(operands(condition, "bool", constant=False)),
        draw(operands(one, dtype, quantization=quantization, kinds=kinds)),
        draw(operands(other, dtype, quantization=quantization, kinds=kinds)),
    )
    return NodeSpec(op, parts, (Result(dtype, quantization),))


@st.composite
def add_n(draw: DrawFn) -> NodeSpec:
    shape, dtype = draw(shapes()), draw(st.sampled_from((*REAL, "int32")))
    parts = tuple(draw(operands(shape, dtype, constant=False)) for _ in range(draw(st.integers(2, 5))))
    return NodeSpec("ADD_N", parts, (same(parts[0]),), (), 20.0)


BINARY: dict[str, Strategy] = {
    **{op: binary(op, function) for op, function in ARITHMETIC.items()},
    "ADD_N": add_n(),
}
LOGICAL: dict[str, Strategy] = {
    **{op: binary(op, function) for op, function in LOGIC.items()},
    "SELECT": select("SELECT"),
    "SELECT_V2": select("SELECT_V2"),
}
STRATEGIES = BINARY | LOGICAL
