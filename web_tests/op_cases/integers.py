"""The float32 cases in all other types that both TFLite's own kernel and Chromium's WebNN support."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from web_tests.op_cases.case import Input, OpCase, Operand, Values, Weights

NUMBERS = ("int32", "int64")
BYTES = ("int8", "uint8")
ALL = (*NUMBERS, *BYTES, "bool")
VARIANTS = 3

# Without the types that the families yield themselves.
DTYPES = {
    "ABS": ("int32",),
    "NEG": NUMBERS,
    "SIGN": ("int32",),
    "ADD": NUMBERS,
    "SUB": NUMBERS,
    "MUL": NUMBERS,
    "POW": ("int32",),
    "SQUARED_DIFFERENCE": ("int32",),
    "MAXIMUM": (*NUMBERS, *BYTES),
    "MINIMUM": (*NUMBERS, *BYTES),
    "SUM": NUMBERS,
    "REDUCE_MAX": NUMBERS,
    "REDUCE_MIN": NUMBERS,
    "REDUCE_PROD": NUMBERS,
    "CUMSUM": NUMBERS,
    "EQUAL": (*NUMBERS, "bool"),
    "NOT_EQUAL": (*NUMBERS, "bool"),
    "GREATER": NUMBERS,
    "GREATER_EQUAL": NUMBERS,
    "LESS": NUMBERS,
    "LESS_EQUAL": NUMBERS,
    "SELECT": ALL,
    "SELECT_V2": ALL,
    "ARG_MAX": ("int32", *BYTES, "bool"),
    "ARG_MIN": ("int32", *BYTES, "bool"),
    "CAST": ALL,
    "RESHAPE": ALL,
    "SQUEEZE": ALL,
    "EXPAND_DIMS": ALL,
    "TRANSPOSE": ALL,
    "CONCATENATION": ALL,
    "SPLIT": (*NUMBERS, *BYTES),
    "SPLIT_V": (*NUMBERS, *BYTES),
    "PACK": (*NUMBERS, *BYTES),
    "UNPACK": ("int32", *BYTES, "bool"),
    "PAD": (*NUMBERS, "uint8", "bool"),
    "PADV2": (*NUMBERS, "uint8", "bool"),
    "MIRROR_PAD": (*NUMBERS, "uint8", "bool"),
    "SLICE": ALL,
    "STRIDED_SLICE": ALL,
    "REVERSE_V2": ALL,
    "DEPTH_TO_SPACE": (*NUMBERS, *BYTES),
    "SPACE_TO_DEPTH": (*NUMBERS, *BYTES),
    "SPACE_TO_BATCH_ND": (*NUMBERS, "uint8", "bool"),
    "BATCH_TO_SPACE_ND": ALL,
    "RESIZE_NEAREST_NEIGHBOR": ("int32", *BYTES, "bool"),
    "GATHER": ALL,
    "GATHER_ND": ALL,
    "TILE": (*NUMBERS, "uint8", "bool"),
    "BROADCAST_TO": ALL,
    "FILL": ALL,
    "STABLEHLO_SCATTER": ALL,
}


def cases(others: Sequence[OpCase]) -> Iterator[OpCase]:
    for op, dtypes in DTYPES.items():
        for case in [case for case in others if case.op == op and _is_convertible(case)][:VARIANTS]:
            for dtype in dtypes:
                yield _in_dtype(case, dtype)


def _is_convertible(case: OpCase) -> bool:
    operands = [operand for operand in case.operands if isinstance(operand, Input | Weights)]
    return (
        not case.cpu_reason
        and not case.option("fusedActivationFunction")
        and any(isinstance(operand, Input) and operand.dtype == "float32" for operand in operands)
        and not any(isinstance(operand, Weights) and operand.half for operand in operands)
    )


def _in_dtype(case: OpCase, dtype: str) -> OpCase:
    operands = tuple(_operand(case.op, operand, dtype) for operand in case.operands)
    output_dtype = dtype if case.output_dtype == "float32" and case.op != "CAST" else case.output_dtype
    return replace(case, name=f"{case.name}_{dtype}", operands=operands, output_dtype=output_dtype)


def _operand(op: str, operand: Operand, dtype: str) -> Operand:
    match operand:
        case Input(dtype="float32"):
            low, high = _range(op, operand, dtype)
            return replace(operand, low=low, high=high, dtype=dtype)
        case Weights():
            low, high = _range(op, operand, dtype)
            return replace(operand, low=low, high=high, dtype=dtype)
        case Values(values, "float32"):
            return Values(np.abs(np.asarray(values)).astype(np.int64), dtype)
    return operand


def _range(op: str, operand: Input | Weights, dtype: str) -> tuple[int, int]:
    if dtype == "bool":
        return 0, 2
    largest = 4 if op in ("POW", "REDUCE_PROD") else 9
    is_positive = operand.low > 0 or op == "POW"
    return (1 if is_positive else 0 if dtype == "uint8" else -largest), largest
