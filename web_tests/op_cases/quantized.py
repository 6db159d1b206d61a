"""The float32 cases as quantized nodes that TFLite's own integer kernels support."""

import dataclasses
from collections.abc import Iterator, Sequence

from web_tests.op_cases.case import Input, OpCase, Weights
from web_tests.op_cases.quantized_case import FROM_INPUT, FROM_RANGE, OutputRule, QuantizedCase

INT8 = ("int8",)
BYTES = ("int8", "uint8")
ALL = ("int8", "uint8", "int16")
VARIANTS = 3

# Fixed by TFLite's quantization specification: scale and zero point for int8.
PROBABILITY = (1 / 256, -128)
SIGNED_UNIT = (1 / 128, 0)
LOGARITHM = (16 / 256, 127)

# Computing ops: types, and the output's quantization.
COMPUTED: dict[str, tuple[tuple[str, ...], OutputRule]] = {
    "CONV_2D": (ALL, FROM_RANGE),
    "DEPTHWISE_CONV_2D": (ALL, FROM_RANGE),
    "TRANSPOSE_CONV": (ALL, FROM_RANGE),
    "FULLY_CONNECTED": (ALL, FROM_RANGE),
    "AVERAGE_POOL_2D": (ALL, FROM_INPUT),
    "MAX_POOL_2D": (ALL, FROM_INPUT),
    "ADD": (ALL, FROM_RANGE),
    "SUB": (ALL, FROM_RANGE),
    "MUL": (ALL, FROM_RANGE),
    "SQUARED_DIFFERENCE": (INT8, FROM_RANGE),
    "LOGISTIC": (BYTES, PROBABILITY),
    "TANH": (BYTES, SIGNED_UNIT),
    "RELU": (ALL, FROM_RANGE),
    "RELU6": (ALL, FROM_RANGE),
    "RELU_N1_TO_1": (BYTES, FROM_RANGE),
    "LEAKY_RELU": (ALL, FROM_RANGE),
    "PRELU": (BYTES, FROM_RANGE),
    "HARD_SWISH": (BYTES, FROM_RANGE),
    "ELU": (INT8, FROM_RANGE),
    "GELU": (BYTES, FROM_RANGE),
    "EXP": (("int8", "int16"), FROM_RANGE),
    "LOG": (("int8", "int16"), FROM_RANGE),
    "RSQRT": (("int8", "int16"), FROM_RANGE),
    "SQRT": (INT8, FROM_RANGE),
    "DIV": (BYTES, FROM_RANGE),
    "REDUCE_PROD": (INT8, FROM_RANGE),
    "RELU_0_TO_1": (BYTES, FROM_RANGE),
    "ABS": (("int8", "int16"), FROM_RANGE),
    "SOFTMAX": (BYTES, PROBABILITY),
    "LOG_SOFTMAX": (INT8, LOGARITHM),
    "L2_NORMALIZATION": (BYTES, SIGNED_UNIT),
    "MEAN": (ALL, FROM_RANGE),
    "SUM": (BYTES, FROM_RANGE),
    "ARG_MAX": (BYTES, FROM_RANGE),
    "ARG_MIN": (BYTES, FROM_RANGE),
    "EQUAL": (BYTES, FROM_RANGE),
    "NOT_EQUAL": (BYTES, FROM_RANGE),
    "GREATER": (BYTES, FROM_RANGE),
    "GREATER_EQUAL": (BYTES, FROM_RANGE),
    "LESS": (BYTES, FROM_RANGE),
    "LESS_EQUAL": (BYTES, FROM_RANGE),
    "CONCATENATION": (ALL, FROM_INPUT),
    "BATCH_MATMUL": (INT8, FROM_RANGE),
}

# Moving ops: the output has the input's scale and zero point.
COPIED: dict[str, tuple[str, ...]] = {
    "MAXIMUM": ALL,
    "MINIMUM": ALL,
    "REDUCE_MAX": BYTES,
    "REDUCE_MIN": BYTES,
    "RESHAPE": ALL,
    "SQUEEZE": ALL,
    "EXPAND_DIMS": BYTES,
    "TRANSPOSE": ALL,
    "SPLIT": ALL,
    "SPLIT_V": ALL,
    "PACK": BYTES,
    "UNPACK": BYTES,
    "PAD": ALL,
    "PADV2": BYTES,
    "MIRROR_PAD": BYTES,
    "SLICE": ALL,
    "STRIDED_SLICE": ALL,
    "REVERSE_V2": BYTES,
    "DEPTH_TO_SPACE": BYTES,
    "SPACE_TO_DEPTH": BYTES,
    "SPACE_TO_BATCH_ND": BYTES,
    "BATCH_TO_SPACE_ND": BYTES,
    "RESIZE_BILINEAR": ALL,
    "RESIZE_NEAREST_NEIGHBOR": ALL,
    "GATHER": BYTES,
    "GATHER_ND": BYTES,
    "FILL": INT8,
    "REVERSE_SEQUENCE": ("uint8",),
    "DYNAMIC_UPDATE_SLICE": INT8,
    "SPARSE_TO_DENSE": BYTES,
    "MATRIX_SET_DIAG": BYTES,
    "TOPK_V2": BYTES,
    "DILATE": BYTES,
    "STABLEHLO_PAD": BYTES,
    "STABLEHLO_MAXIMUM": BYTES,
    "STABLEHLO_MINIMUM": BYTES,
    "TILE": BYTES,
    "BROADCAST_TO": BYTES,
    "SELECT": BYTES,
    "SELECT_V2": BYTES,
}

# Weights that TFLite reads as another type: op, activations, weights, and as what.
WRONGLY_READ = (
    ("CONV_2D", "int16", "int16", "int8"),
    ("CONV_2D", "uint8", "int8", "uint8"),
    ("DEPTHWISE_CONV_2D", "int16", "uint8", "int8"),
    ("FULLY_CONNECTED", "int8", "uint8", "int8"),
    ("FULLY_CONNECTED", "uint8", "int8", "uint8"),
)

# Layers with an activation, and scales and zero points of their outputs, that do not imply it.
BEYOND_THE_TYPE = {
    ("CONV_2D", "fused_relu6"): (0.1, -128),
    ("CONV_2D", "fused_relu"): (0.05, -20),
    ("FULLY_CONNECTED", "fused_relu"): (0.05, -120),
    ("ADD", "fused_relu"): (0.1, -20),
}


def cases(others: Sequence[OpCase]) -> Iterator[OpCase]:
    """Yield some of each op's float32 cases in its quantized types, then QUANTIZE and DEQUANTIZE."""
    for op, (dtypes, rule) in COMPUTED.items():
        yield from _quantized_cases(op, dtypes, rule, others)
    for op, dtypes in COPIED.items():
        yield from _quantized_cases(op, dtypes, FROM_INPUT, others)
    yield from _activations_beyond_the_type(others)
    yield from _wrongly_read(others)
    # TFLite rounds what it compares to multiples of 1/256.
    small = (Input((2, 4, 3, 5), -0.01, 0.01), Input((5,), -0.01, 0.02))
    for dtype in BYTES:
        name = f"small_{dtype}"
        yield QuantizedCase(name, "EQUAL", small, output_dtype="bool", activations=dtype)
        yield QuantizedCase(name, "GREATER_EQUAL", small, output_dtype="bool", activations=dtype)
    for shape in ((7,), (2, 5), (1, 4, 3, 2)):
        for dtype in ALL:
            name, data = f"rank{len(shape)}_{dtype}", Input(shape, -3, 5)
            yield QuantizedCase(f"to_{name}", "QUANTIZE", (data,), activations=dtype, ends="output")
            yield QuantizedCase(f"from_{name}", "DEQUANTIZE", (data,), activations=dtype, ends="input")


def _quantized_cases(op: str, dtypes: tuple[str, ...], rule: OutputRule, others: Sequence[OpCase]) -> Iterator[OpCase]:
    candidates = [case for case in others if case.op == op and _is_convertible(case)]
    fused = [case for case in candidates if case.option("fusedActivationFunction")]
    unfused = [case for case in candidates if case not in fused]
    always = [
        case for case in unfused if case.name.startswith(("left_over", "taps", "grouped", "depthwise", "multiplier"))
    ]
    # The last fused activation is RELU6, the usual choice in quantized models.
    for case in [*unfused[: VARIANTS - len(fused[-1:])], *fused[-1:], *always]:
        for dtype in dtypes:
            fields = {field.name: getattr(case, field.name) for field in dataclasses.fields(OpCase)}
            fields["name"] = f"{case.name}_quantized_{dtype}"
            yield QuantizedCase(**fields, activations=dtype, output_rule=rule)


def _activations_beyond_the_type(others: Sequence[OpCase]) -> Iterator[OpCase]:
    """Yield layers whose integers can stand for less than 0, or more than 6: they do not imply the activation."""
    for case in others:
        if (case.op, case.name) in BEYOND_THE_TYPE:
            fields = {field.name: getattr(case, field.name) for field in dataclasses.fields(OpCase)}
            fields["name"] = f"{case.name}_wide_int8"
            yield QuantizedCase(**fields, activations="int8", output_rule=BEYOND_THE_TYPE[case.op, case.name])


def _wrongly_read(others: Sequence[OpCase]) -> Iterator[OpCase]:
    """Return products of weights that TFLite reads as another type: only its kernels compute its numbers."""
    for op, activations, filter_dtype, read in WRONGLY_READ:
        case = next(case for case in others if case.op == op and _is_convertible(case))
        fields = {field.name: getattr(case, field.name) for field in dataclasses.fields(OpCase)}
        fields["name"] = f"{activations}_by_{filter_dtype}"
        fields["cpu_reason"] = f"with {activations.upper()} activations TFLite reads it as {read.upper()}"
        yield QuantizedCase(**fields, activations=activations, filter_dtype=filter_dtype)


def _is_convertible(case: OpCase) -> bool:
    weights = [operand for operand in case.operands if isinstance(operand, Weights)]
    inputs = [operand for operand in case.operands if isinstance(operand, Input)]
    return (
        not case.cpu_reason
        and any(operand.dtype == "float32" for operand in inputs)
        and not any(operand.half or operand.sparse or operand.dtype != "float32" for operand in weights)
    )
