"""The probes of operators that work elementwise, along axes, or only move elements."""

from collections.abc import Callable, Iterator
from functools import partial

import numpy as np

from tools.probe.probes import Operand, Row, Rows, both_kinds, probe, shape_of, values_of
from web_tests.models.recipes import Array
from web_tests.polyfill_cases.case import Case, Constant, Input

MAX_RANK = 8

UNARY = (
    *("abs", "ceil", "clamp", "cos", "elu", "erf", "exp", "floor", "gelu", "hardSigmoid", "hardSwish", "identity"),
    *("isInfinite", "isNaN", "leakyRelu", "linear", "log", "logicalNot", "neg", "reciprocal", "relu", "roundEven"),
    *("sigmoid", "sign", "sin", "softplus", "softsign", "sqrt", "tan", "tanh"),
)
BINARY = (
    *("add", "div", "equal", "greater", "greaterOrEqual", "lesser", "lesserOrEqual", "logicalAnd", "logicalOr"),
    *("logicalXor", "max", "min", "mul", "notEqual", "pow", "prelu", "sub"),
)
REDUCTIONS = (
    *("reduceL1", "reduceL2", "reduceLogSum", "reduceLogSumExp", "reduceMax", "reduceMean", "reduceMin"),
    *("reduceProduct", "reduceSum", "reduceSumSquare"),
)

Maker = Callable[[str, Rows], Iterator[Case]]


def _operands(row: Row) -> Iterator[tuple[str, int, Array]]:
    """Yield data type, rank and values of each kind of operand."""
    for dtype in row.dtypes:
        for rank in row.ranks:
            yield dtype, rank, values_of(shape_of(rank), dtype)


def _unary(op: str, rows: Rows) -> Iterator[Case]:
    row = rows["input"] if "input" in rows else rows["a"]
    for dtype, rank, values in _operands(row):
        operand = Input(values)
        yield probe(op, f"{dtype} rank {rank}", operand)


def _binary(op: str, rows: Rows) -> Iterator[Case]:
    first, second = (rows["input"], rows["slope"]) if op == "prelu" else (rows["a"], rows["b"])
    for dtype in first.dtypes:
        for rank in first.ranks:
            a = values_of(shape_of(rank), dtype)
            for other in second.ranks:
                b = values_of(shape_of(other), dtype)
                if other < rank:
                    b = b.reshape(-1)[:1].reshape((1,) * other)  # broadcast
                if other > rank and (op == "prelu" or rank > 0):
                    continue
                about = f"{dtype} ranks {rank} and {other}"
                for name, operand in both_kinds(b):
                    yield probe(op, f"{about} ({name})", Input(a), operand)


def _arg(op: str, rows: Rows) -> Iterator[Case]:
    for dtype, output in ((d, o) for d in rows["input"].dtypes for o in rows["output"].dtypes):
        for rank in rows["input"].ranks:
            operand = Input(values_of(shape_of(rank), dtype))
            for axis in sorted({0, rank - 1}):
                about = f"{dtype} to {output} rank {rank} axis {axis}"
                for keep in (False, True):
                    yield probe(op, f"{about} keep {keep}", operand, axis, outputDataType=output, keepDimensions=keep)


def _cast(op: str, rows: Rows) -> Iterator[Case]:
    for dtype, output in ((d, o) for d in rows["input"].dtypes for o in rows["output"].dtypes):
        for rank in rows["input"].ranks:
            operand = Input(values_of(shape_of(rank), dtype))
            yield probe(op, f"{dtype} to {output} rank {rank}", operand, output)


def _concat(op: str, rows: Rows) -> Iterator[Case]:
    for dtype, rank, values in _operands(rows["inputs"]):
        for axis in sorted({0, rank - 1}):
            for name, operand in both_kinds(values):
                yield probe(op, f"{dtype} rank {rank} axis {axis} ({name})", [Input(values), operand], axis)


def _along_axis(op: str, rows: Rows, *, last_only: bool = False) -> Iterator[Case]:
    for dtype, rank, values in _operands(rows["input"]):
        if rank == 0:
            continue
        operand = Input(values)
        for axis in (rank - 1,) if last_only else sorted({0, rank - 1}):
            yield probe(op, f"{dtype} rank {rank} axis {axis}", operand, axis)


def _reduction(op: str, rows: Rows) -> Iterator[Case]:
    for dtype, rank, values in _operands(rows["input"]):
        operand = Input(values)
        yield probe(op, f"{dtype} rank {rank} all axes", operand)
        for axis in sorted({0, rank - 1}) if rank else ():
            for keep in (False, True):
                about = f"{dtype} rank {rank} axis {axis} keep {keep}"
                yield probe(op, about, operand, axes=[axis], keepDimensions=keep)


def _expand(op: str, rows: Rows) -> Iterator[Case]:
    for dtype in rows["input"].dtypes:
        for rank in rows["input"].ranks:
            for target in range(rank, max(rows["output"].ranks) + 1):
                values = values_of((1,) * rank, dtype)
                yield probe(op, f"{dtype} rank {rank} to {target}", Input(values), list(shape_of(target)))


def _reshape(op: str, rows: Rows) -> Iterator[Case]:
    for dtype in rows["input"].dtypes:
        for rank in rows["input"].ranks[1:]:
            for target in rows["output"].ranks[1:]:
                values = values_of(shape_of(rank), dtype)
                yield probe(op, f"{dtype} rank {rank} to {target}", Input(values), list(shape_of(target)))


def _pad(op: str, rows: Rows) -> Iterator[Case]:
    for dtype, rank, values in _operands(rows["input"]):
        operand = Input(values)
        for mode in ("constant", "edge", "reflection"):
            sizes = [0 if mode == "reflection" and size < 2 else 1 for size in shape_of(rank)]
            yield probe(op, f"{dtype} rank {rank} {mode}", operand, sizes, sizes, mode=mode)


def _slice(op: str, rows: Rows) -> Iterator[Case]:
    for dtype, rank, values in _operands(rows["input"]):
        shape = values.shape
        operand = Input(values)
        starts = [size - 1 for size in shape]
        yield probe(op, f"{dtype} rank {rank}", operand, starts, [1] * rank)
        yield probe(op, f"{dtype} rank {rank} strides", operand, [0] * rank, list(shape), strides=[2] * rank)


def _split(op: str, rows: Rows) -> Iterator[Case]:
    for dtype, rank, values in _operands(rows["input"]):
        operand = Input(values)
        yield probe(op, f"{dtype} rank {rank} equal", operand, 2, axis=rank - 1)
        last = shape_of(rank)[-1]
        yield probe(op, f"{dtype} rank {rank} sizes", operand, [1, last - 1], axis=rank - 1)


def _reverse(op: str, rows: Rows) -> Iterator[Case]:
    for dtype, rank, values in _operands(rows["input"]):
        operand = Input(values)
        yield probe(op, f"{dtype} rank {rank}", operand)
        if rank:
            yield probe(op, f"{dtype} rank {rank} last", operand, axes=[rank - 1])


def _tile(op: str, rows: Rows) -> Iterator[Case]:
    for dtype, rank, values in _operands(rows["input"]):
        yield probe(op, f"{dtype} rank {rank}", Input(values), [2] * rank)


def _transpose(op: str, rows: Rows) -> Iterator[Case]:
    for dtype, rank, values in _operands(rows["input"]):
        operand = Input(values)
        yield probe(op, f"{dtype} rank {rank}", operand)
        if rank > 2:
            order = [*range(1, rank), 0]
            yield probe(op, f"{dtype} rank {rank} rotated", operand, permutation=order)


def _triangular(op: str, rows: Rows) -> Iterator[Case]:
    for dtype, rank, values in _operands(rows["input"]):
        operand = Input(values)
        for upper in (False, True):
            yield probe(op, f"{dtype} rank {rank} upper {upper}", operand, upper=upper, diagonal=1)


def _where(op: str, rows: Rows) -> Iterator[Case]:
    for dtype, rank, values in _operands(rows["trueValue"]):
        for other in rows["condition"].ranks:
            shape = shape_of(other) if other <= rank else (1,) * other
            if other < rank:
                shape = (1,) * other
            condition = (np.arange(int(np.prod(shape))) % 2).reshape(shape).astype("uint8")
            for name, operand in both_kinds(condition):
                about = f"{dtype} rank {rank} condition rank {other} ({name})"
                yield probe(op, about, operand, Input(values), Constant(values[::-1] if rank else values))


def _linear_quantization(op: str, rows: Rows) -> Iterator[Case]:
    quantized, real = ("input", "output") if op == "dequantizeLinear" else ("output", "input")
    for dtype in rows[quantized].dtypes:
        for float_type in rows[real].dtypes:
            for rank in rows["input"].ranks:
                shape = shape_of(rank)
                x = Input(values_of(shape, dtype if op == "dequantizeLinear" else float_type))
                for kind, small in {"tensor": (1,) * rank, "channel": (1,) * (rank - 1) + shape[-1:]}.items():
                    if kind == "channel" and rank == 0:
                        continue
                    for name, scale in both_kinds(np.full(small, 0.5, float_type)):
                        zero_point: Operand = type(scale)(np.zeros(small, dtype))
                        about = f"{dtype} {float_type} rank {rank} per {kind} ({name})"
                        yield probe(op, about, x, scale, zero_point)


def _normalization(op: str, rows: Rows) -> Iterator[Case]:
    for dtype, rank, values in _operands(rows["input"]):
        shape = values.shape
        x = Input(values)
        yield probe(op, f"{dtype} rank {rank} plain", x)
        if rank == 0:
            continue
        vector = Constant(values_of(shape[-1:], dtype))
        yield probe(op, f"{dtype} rank {rank} scale", x, axes=[rank - 1], scale=vector, bias=vector)
        scale = Constant(values)
        axes = list(range(rank))
        yield probe(op, f"{dtype} rank {rank} all axes", x, axes=axes, scale=scale, bias=scale)


def _batch_normalization(op: str, rows: Rows) -> Iterator[Case]:
    for dtype in rows["input"].dtypes:
        for rank in rows["input"].ranks:
            shape = shape_of(rank)
            for name, vector in both_kinds(values_of(shape[-1:], dtype)):
                again = type(vector)(vector.values.copy())
                about = f"{dtype} rank {rank} ({name})"
                yield probe(op, about, Input(values_of(shape, dtype)), vector, again, axis=rank - 1)


def _matmul(op: str, rows: Rows) -> Iterator[Case]:
    for dtype in rows["a"].dtypes:
        for rank in rows["a"].ranks:
            for other in rows["b"].ranks:
                a: Array = values_of((2,) * rank, dtype)
                b: Array = values_of((2,) * other, dtype)
                for name, operand in both_kinds(b):
                    yield probe(op, f"{dtype} ranks {rank} and {other} ({name})", Input(a), operand)


MAKERS: dict[str, Maker] = {
    **dict.fromkeys(UNARY, _unary),
    **dict.fromkeys(BINARY, _binary),
    **dict.fromkeys(REDUCTIONS, _reduction),
    **dict.fromkeys(("argMax", "argMin"), _arg),
    **dict.fromkeys(("dequantizeLinear", "quantizeLinear"), _linear_quantization),
    "batchNormalization": _batch_normalization,
    "cast": _cast,
    "concat": _concat,
    "cumulativeSum": _along_axis,
    "expand": _expand,
    "layerNormalization": _normalization,
    "matmul": _matmul,
    "pad": _pad,
    "reshape": _reshape,
    "reverse": _reverse,
    "slice": _slice,
    "softmax": partial(_along_axis),
    "split": _split,
    "tile": _tile,
    "transpose": _transpose,
    "triangular": _triangular,
    "where": _where,
}
