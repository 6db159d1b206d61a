"""Ops whose result TFLite computes before the model runs, and compressed constants."""

from collections.abc import Iterator

from web_tests.models.op_options import DEFAULTS, Options
from web_tests.op_cases.case import Input, OpCase, Values, Weights


def cases() -> Iterator[OpCase]:
    for shape in ((3,), (2, 5), (1, 2, 3, 4)):
        rank = len(shape)
        yield _folded(f"rank{rank}", "SHAPE", (Input(shape),), (rank,), {"outType": 2})
        yield _folded(f"rank{rank}", "RANK", (Input(shape),), ())
    for name, limits, count in (("up", (0, 5, 1), 5), ("by_3", (2, 12, 3), 4), ("down", (4, -4, -2), 4)):
        for dtype in ("int32", "int64", "float32"):
            operands = tuple(Values(limit, dtype) for limit in limits)
            yield _folded(f"{name}_{dtype}", "RANGE", operands, (count,), dtype=dtype)
    for name, shapes in {"rows": ([2, 1], [3]), "scalar": ([], [4, 5]), "same": ([2, 3], [2, 3])}.items():
        for dtype in ("int32", "int64"):
            rank = max(map(len, shapes))
            operands = tuple(Values(shape, dtype) for shape in shapes)
            yield _folded(f"{name}_{dtype}", "BROADCAST_ARGS", operands, (rank,), dtype=dtype)
    for shape in ((4, 6), (1, 8), (7, 3)):
        name = "x".join(map(str, shape))
        layer = (Input((2, shape[1])), Weights(shape, sparse=True), Weights(shape[:1]))
        yield OpCase(f"sparse_{name}", "FULLY_CONNECTED", layer)
    layer = (Input((1, 5, 4, 6)), Weights((3, 2, 2, 6), sparse=True), Weights((3,)))
    yield OpCase("sparse_rank4", "CONV_2D", layer, {"strideH": 1, "strideW": 1})


def _folded(
    name: str,
    op: str,
    operands: tuple[Input | Values, ...],
    shape: tuple[int, ...],
    options: Options = DEFAULTS,
    *,
    dtype: str = "int32",
) -> OpCase:
    return OpCase(name, op, operands, options, output_shape=shape, output_dtype=dtype, added_to_input=True)
