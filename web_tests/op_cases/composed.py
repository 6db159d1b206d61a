"""Ops that become several WebNN operators, comparisons and logic, and products of matrices."""

from collections.abc import Iterator

from web_tests.op_cases.case import Again, Input, OpCase, Operand, Values, Weights

SHAPE = (2, 4, 3, 5)
COMPARISONS = ("EQUAL", "NOT_EQUAL", "GREATER", "GREATER_EQUAL", "LESS", "LESS_EQUAL")


def cases() -> Iterator[OpCase]:
    yield from _logic()
    yield from _arithmetic()
    yield from _normalization()
    yield from _space()
    yield from _matrices()


def _logic() -> Iterator[OpCase]:
    for op in COMPARISONS:
        yield OpCase("same_shape", op, (Input(SHAPE), Input(SHAPE)), output_dtype="bool")
        yield OpCase("int32", op, (Input(SHAPE, 0, 3, "int32"), Values(1)), output_dtype="bool")
        yield OpCase("itself", op, (Input(SHAPE), Again(0)), output_dtype="bool")
        yield OpCase("row", op, (Input(SHAPE), Input((5,))), output_dtype="bool")
        deep = (Input((2, 3, 1, 2, 4), 0, 2, "int32"), Input((2, 3, 1, 2, 4), 0, 2, "int32"))
        yield OpCase("rank5", op, deep, output_dtype="bool")
        both = (Input((2, 1, 1, 2, 4), 0, 2, "int32"), Input((1, 3, 1, 2, 1), 0, 2, "int32"))
        yield OpCase("rank5_broadcast", op, both, output_dtype="bool")
    truth = Input(SHAPE, 0, 2, "bool")
    row = Input((5,), 0, 2, "bool")
    for op in ("LOGICAL_AND", "LOGICAL_OR"):
        yield OpCase("same_shape", op, (truth, truth))
        yield OpCase("broadcast", op, (truth, row))
        yield OpCase("with_itself", op, (row, Again(0)))
    for shape in ((), (7,), SHAPE):
        operands = (Input(shape, 0, 2, "bool"),)
        yield OpCase(f"rank{len(shape)}", "LOGICAL_NOT", operands)
    vectors = (row, Input((5,)), Input((5,)))
    yield OpCase("rank1", "SELECT", vectors, output_dtype="float32")
    yield OpCase("same_shape", "SELECT", (truth, Input(SHAPE), Input(SHAPE)), output_dtype="float32")
    rows = (Input((2,), 0, 2, "bool"), Input(SHAPE), Input(SHAPE))
    yield OpCase("rows", "SELECT", rows, output_dtype="float32")
    broadcast = (Input((4, 1, 1), 0, 2, "bool"), Input(SHAPE), Weights(()))
    yield OpCase("broadcast", "SELECT_V2", broadcast, output_dtype="float32")
    grid = (Input((2, 3), 0, 2, "bool"), Input((2, 3)), Input((2, 3)))
    yield OpCase("same_shape", "SELECT_V2", grid, output_dtype="float32")
    scalar = (Input((), 0, 2, "bool"), Input((2, 3)), Input((3,)))
    yield OpCase("scalar", "SELECT_V2", scalar, output_dtype="float32")
    for op in ("REDUCE_ANY", "REDUCE_ALL"):
        for name, axes in {"last": [2], "two": [0, -1], "all": [0, 1, 2]}.items():
            reduced = (Input((3, 4, 2), 0, 2, "bool"), Values(axes))
            yield OpCase(name, op, reduced, {"keepDims": name == "two"})


def _arithmetic() -> Iterator[OpCase]:
    yield OpCase("square_root", "POW", (Input(SHAPE, 0.1, 4), Values(0.5, "float32")))
    yield OpCase("same_shape", "POW", (Input(SHAPE, 0.1, 4), Input(SHAPE)))
    yield OpCase("squares", "POW", (Input(SHAPE, 0.1, 4), Values(2, "float32")))
    others: dict[str, Operand] = {"same_shape": Input(SHAPE), "row": Input((5,)), "constant": Weights((3, 1))}
    for name, other in others.items():
        yield OpCase(name, "SQUARED_DIFFERENCE", (Input(SHAPE), other))
    for name, axes in {"axes_1_2": [1, 2], "last": [-1], "all": [0, 1, 2, 3]}.items():
        factors = (Input(SHAPE, 0.5, 1.5), Values(axes))
        yield OpCase(name, "REDUCE_PROD", factors, {"keepDims": name == "axes_1_2"})
    yield OpCase("to_int32", "CAST", (Input(SHAPE, -9, 9),), output_dtype="int32")
    yield OpCase("to_int64", "CAST", (Input((7,), -9, 9),), output_dtype="int64")
    yield OpCase("from_int32", "CAST", (Input(SHAPE, -9, 9, "int32"),), output_dtype="float32")
    yield OpCase("to_bool", "CAST", (Input(SHAPE, -2, 2, "int32"),), output_dtype="bool")
    yield OpCase("float_to_bool", "CAST", (Input(SHAPE, -2, 2),), output_dtype="bool")
    yield OpCase("from_bool", "CAST", (Input(SHAPE, 0, 2, "bool"),), output_dtype="float32")


def _normalization() -> Iterator[OpCase]:
    for shape in ((1, 10), (7,), SHAPE):
        name = "x".join(map(str, shape))
        yield OpCase(name, "L2_NORMALIZATION", (Input(shape),))
        yield OpCase(name, "LOG_SOFTMAX", (Input(shape, -5, 5),))
    for radius, bias, beta in ((2, 1.0, 0.75), (0, 2.0, 0.5), (9, 0.5, 1.0)):
        options = {"radius": radius, "bias": bias, "alpha": 0.3, "beta": beta}
        images = (Input((1, 3, 4, 7)),)
        yield OpCase(f"radius_{radius}", "LOCAL_RESPONSE_NORMALIZATION", images, options)


def _space() -> Iterator[OpCase]:
    for block, shape in ((2, (1, 4, 6, 3)), (3, (2, 3, 6, 1)), (1, (1, 2, 2, 2))):
        yield OpCase(f"block_{block}", "SPACE_TO_DEPTH", (Input(shape),), {"blockSize": block})
    padded = (Input((1, 5, 6, 3)), Values([2, 3]), Values([[1, 2], [0, 3]]))
    yield OpCase("padded", "SPACE_TO_BATCH_ND", padded)
    for name, full, blocks in (("plain", Input((1, 4, 6, 3)), [2, 3]), ("rank3", Input((2, 6, 5)), [3])):
        operands = (full, Values(blocks), Values([[0, 0]] * len(blocks)))
        yield OpCase(name, "SPACE_TO_BATCH_ND", operands)
    row = (Input((6, 2, 5)), Values([3]), Values([[1, 0]]))
    yield OpCase("rank3", "BATCH_TO_SPACE_ND", row)
    cropped = (Input((12, 3, 2, 3)), Values([2, 3]), Values([[1, 0], [0, 2]]))
    yield OpCase("cropped", "BATCH_TO_SPACE_ND", cropped)
    yield OpCase(
        "plain",
        "BATCH_TO_SPACE_ND",
        (Input((4, 3, 2, 3)), Values([2, 2]), Values([[0, 0], [0, 0]])),
    )


def _matrices() -> Iterator[OpCase]:
    for x in (False, True):
        for y in (False, True):
            a = Input((2, 5, 3) if x else (2, 3, 5))
            options = {"adjX": x, "adjY": y}
            name = f"adj_{x}_{y}".lower()
            yield OpCase(name, "BATCH_MATMUL", (a, Input((2, 4, 5) if y else (2, 5, 4))), options)
            weights = Weights((4, 5) if y else (5, 4))
            yield OpCase(f"{name}_weights", "BATCH_MATMUL", (a, weights), options)
