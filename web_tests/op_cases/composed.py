"""Ops that are several WebNN operators, comparisons and logic, and products of matrices."""

from __future__ import annotations

from collections.abc import Iterator

from web_tests.op_cases.case import Again, Input, OpCase, Values, Weights

SHAPE = (2, 4, 3, 5)
COMPARISONS = {
    "EQUAL": "EqualOptions",
    "NOT_EQUAL": "NotEqualOptions",
    "GREATER": "GreaterOptions",
    "GREATER_EQUAL": "GreaterEqualOptions",
    "LESS": "LessOptions",
    "LESS_EQUAL": "LessEqualOptions",
}


def cases() -> Iterator[OpCase]:
    """Yield this family's cases."""
    yield from _logic()
    yield from _arithmetic()
    yield from _normalization()
    yield from _space()
    yield from _matrices()


def _logic() -> Iterator[OpCase]:
    for op, options_class in COMPARISONS.items():
        yield OpCase("same_shape", op, (Input(SHAPE), Input(SHAPE)), options_class, output_dtype="bool")
        yield OpCase("int32", op, (Input(SHAPE, 0, 3, "int32"), Values(1)), options_class, output_dtype="bool")
        yield OpCase("itself", op, (Input(SHAPE), Again(0)), options_class, output_dtype="bool")
    truth = Input(SHAPE, 0, 2, "bool")
    yield OpCase("same_shape", "LOGICAL_AND", (truth, truth), "LogicalAndOptions")
    yield OpCase("same_shape", "LOGICAL_OR", (truth, truth), "LogicalOrOptions")
    yield OpCase("rank4", "LOGICAL_NOT", (truth,), "LogicalNotOptions")
    yield OpCase("same_shape", "SELECT", (truth, Input(SHAPE), Input(SHAPE)), "SelectOptions", output_dtype="float32")
    rows = (Input((2,), 0, 2, "bool"), Input(SHAPE), Input(SHAPE))
    yield OpCase("rows", "SELECT", rows, "SelectOptions", output_dtype="float32")
    broadcast = (Input((4, 1, 1), 0, 2, "bool"), Input(SHAPE), Weights(()))
    yield OpCase("broadcast", "SELECT_V2", broadcast, "SelectV2Options", output_dtype="float32")
    for op in ("REDUCE_ANY", "REDUCE_ALL"):
        operands = (Input((3, 4, 2), 0, 2, "bool"), Values([2]))
        yield OpCase("last", op, operands, "ReducerOptions", {"keepDims": False})


def _arithmetic() -> Iterator[OpCase]:
    yield OpCase("square_root", "POW", (Input(SHAPE, 0.1, 4), Values(0.5, "float32")), "PowOptions")
    yield OpCase("same_shape", "POW", (Input(SHAPE, 0.1, 4), Input(SHAPE)), "PowOptions")
    yield OpCase("same_shape", "SQUARED_DIFFERENCE", (Input(SHAPE), Input(SHAPE)), "SquaredDifferenceOptions")
    yield OpCase(
        "axes_1_2", "REDUCE_PROD", (Input(SHAPE, 0.5, 1.5), Values([1, 2])), "ReducerOptions", {"keepDims": True}
    )
    yield OpCase("to_int32", "CAST", (Input(SHAPE, -9, 9),), "CastOptions", output_dtype="int32")
    yield OpCase("from_int32", "CAST", (Input(SHAPE, -9, 9, "int32"),), "CastOptions", output_dtype="float32")
    yield OpCase("from_bool", "CAST", (Input(SHAPE, 0, 2, "bool"),), "CastOptions", output_dtype="float32")


def _normalization() -> Iterator[OpCase]:
    for shape in ((1, 10), SHAPE):
        name = "x".join(map(str, shape))
        yield OpCase(name, "L2_NORMALIZATION", (Input(shape),), "L2NormOptions")
        yield OpCase(name, "LOG_SOFTMAX", (Input(shape, -5, 5),), "LogSoftmaxOptions")
    options = {"radius": 2, "bias": 1.0, "alpha": 0.3, "beta": 0.75}
    yield OpCase(
        "radius_2", "LOCAL_RESPONSE_NORMALIZATION", (Input((1, 3, 4, 7)),), "LocalResponseNormalizationOptions", options
    )


def _space() -> Iterator[OpCase]:
    yield OpCase("block_2", "SPACE_TO_DEPTH", (Input((1, 4, 6, 3)),), "SpaceToDepthOptions", {"blockSize": 2})
    padded = (Input((1, 5, 6, 3)), Values([2, 3]), Values([[1, 2], [0, 3]]))
    yield OpCase("padded", "SPACE_TO_BATCH_ND", padded, "SpaceToBatchNDOptions")
    cropped = (Input((12, 3, 2, 3)), Values([2, 3]), Values([[1, 0], [0, 2]]))
    yield OpCase("cropped", "BATCH_TO_SPACE_ND", cropped, "BatchToSpaceNDOptions")
    yield OpCase(
        "plain",
        "BATCH_TO_SPACE_ND",
        (Input((4, 3, 2, 3)), Values([2, 2]), Values([[0, 0], [0, 0]])),
        "BatchToSpaceNDOptions",
    )


def _matrices() -> Iterator[OpCase]:
    for x in (False, True):
        for y in (False, True):
            a = Input((2, 5, 3) if x else (2, 3, 5))
            options = {"adjX": x, "adjY": y}
            name = f"adj_{x}_{y}".lower()
            yield OpCase(name, "BATCH_MATMUL", (a, Input((2, 4, 5) if y else (2, 5, 4))), "BatchMatMulOptions", options)
            weights = Weights((4, 5) if y else (5, 4))
            yield OpCase(f"{name}_weights", "BATCH_MATMUL", (a, weights), "BatchMatMulOptions", options)
