"""Ops that pick, repeat, stack and search elements."""

from collections.abc import Iterator

import numpy as np

from web_tests.op_cases.case import Input, OpCase, Operand, Values, Weights

SHAPE = (2, 4, 3, 5)


def cases() -> Iterator[OpCase]:
    yield from _gather()
    yield from _search()
    yield from _repetition()
    yield from _stacking()
    for exclusive in (False, True):
        for reverse in (False, True):
            options = {"exclusive": exclusive, "reverse": reverse}
            name = f"exclusive_{exclusive}_reverse_{reverse}".lower()
            yield OpCase(name, "CUMSUM", (Input(SHAPE), Values(1)), options)
    yield OpCase("two", "REVERSE_V2", (Input(SHAPE), Values([1, 2])))
    yield OpCase("last", "REVERSE_V2", (Input(SHAPE), Values([3])))
    yield OpCase("from_the_end", "REVERSE_V2", (Input(SHAPE), Values([-3])))


def _gather() -> Iterator[OpCase]:
    for axis in (0, 1, -1):
        operands = (Input(SHAPE), Values([1, 0, 1]))
        yield OpCase(f"axis_{axis}", "GATHER", operands, {"axis": axis, "batchDims": 0})
    yield OpCase("matrix", "GATHER", (Input(SHAPE), Values([[1, 0], [3, 2]])), {"axis": 1})
    yield OpCase("scalar", "GATHER", (Input(SHAPE), Values(2)), {"axis": 1})
    for batch_dims, axis, shape in ((1, 1, (2, 2)), (1, 2, (2, 3)), (2, 3, (2, 4, 2)), (-1, 1, (2, 3))):
        for kind in ("constant", "run_time"):
            constant = Values(np.random.default_rng(axis).integers(0, 3, shape))
            batched = (Input(SHAPE), constant if kind == "constant" else Input(shape, 0, 3, "int32"))
            options = {"axis": axis, "batchDims": batch_dims}
            yield OpCase(f"batch_{batch_dims}_axis_{axis}_{kind}", "GATHER", batched, options)
    yield OpCase("rows", "GATHER_ND", (Input(SHAPE), Values([[1, 0], [0, 3]])))
    yield OpCase("elements", "GATHER_ND", (Input((3, 4)), Values([[1, 0], [2, 3], [0, 2]])))
    yield OpCase("at_run_time", "GATHER_ND", (Input((3, 4)), Input((2, 2), 0, 3, "int32")))
    ids = Input((3,), 0, 6, "int32")
    for name, table in {"vectors": (6, 4), "matrices": (6, 2, 3)}.items():
        yield OpCase(name, "EMBEDDING_LOOKUP", (ids, Weights(table)), output_dtype="float32")
    yield OpCase("at_run_time", "EMBEDDING_LOOKUP", (ids, Input((6, 4))), output_dtype="float32")
    for dtype, high in {"int32": 9, "int64": 9, "bool": 2}.items():
        tables: dict[str, Operand] = {
            "vectors": Weights((6, 4), 0, high, dtype=dtype),
            "matrices": Weights((6, 2, 3), 0, high, dtype=dtype),
            "at_run_time": Input((6, 4), 0, high, dtype),
        }
        for name, rows in tables.items():
            yield OpCase(f"{name}_{dtype}", "EMBEDDING_LOOKUP", (ids, rows), output_dtype=dtype)
    yield from _many_axes_of_indices()


def _many_axes_of_indices() -> Iterator[OpCase]:
    """Yield cases that crash Chromium 147's GPU process unless they are changed (docs/reference/browser-bugs.md)."""
    for rank, shape in {5: (1, 1, 2, 1, 3), 6: (1, 2, 1, 1, 1, 2), 7: (1, 1, 1, 1, 1, 2, 2)}.items():
        constant = Values(np.random.default_rng(rank).integers(0, 4, shape))
        kinds: dict[str, Operand] = {"constant": constant, "run_time": Input(shape, 0, 4, "int32")}
        for kind, indices in kinds.items():
            name = f"indices_rank{rank}_{kind}"
            yield OpCase(name, "GATHER", (Input((3, 4)), indices), {"axis": 1})
        pairs = (*shape[:-1], 2)
        constant = Values(np.random.default_rng(rank).integers(0, 4, pairs))
        kinds = {"constant": constant, "run_time": Input(pairs, 0, 4, "int32")}
        for kind, indices in kinds.items():
            yield OpCase(f"indices_rank{rank}_{kind}", "GATHER_ND", (Input((4, 4)), indices))
    masks = Values(np.random.default_rng(8).integers(0, 4, (1, 1, 1, 8, 2)))
    yield OpCase("attention_mask", "GATHER_ND", (Input((4, 4, 3)), masks))
    batched = Input((2, 1, 1, 1, 3), 0, 4, "int32")
    yield OpCase("batch_1_indices_rank5", "GATHER", (Input((2, 4)), batched), {"axis": 1, "batchDims": 1})


def _search() -> Iterator[OpCase]:
    for op in ("ARG_MAX", "ARG_MIN"):
        for axis in (0, 2, -1):
            operands = (Input(SHAPE), Values(axis))
            yield OpCase(f"axis_{axis}", op, operands, {"outputType": 2}, output_dtype="int32")
        yield OpCase("int64", op, (Input(SHAPE), Values(1)), {"outputType": 4}, output_dtype="int64")


def _repetition() -> Iterator[OpCase]:
    for name, shape, multiples in (("all_axes", (2, 3, 1), [2, 1, 3]), ("row", (3,), [4]), ("once", (2, 3), [1, 1])):
        yield OpCase(name, "TILE", (Input(shape), Values(multiples)))
    targets = {"rows": (Input((3, 1)), [2, 3, 4]), "scalar": (Input(()), [2, 3]), "same": (Input((2, 3)), [2, 3])}
    for name, (small, target) in targets.items():
        yield OpCase(name, "BROADCAST_TO", (small, Values(target)), version=2)
    for target in ([2, 3], [7], [1, 2, 3, 4]):
        yield OpCase(f"rank{len(target)}", "FILL", (Values(target), Input(())))


def _stacking() -> Iterator[OpCase]:
    for axis in (0, 1, -1):
        options = {"axis": axis, "valuesCount": 3}
        yield OpCase(f"axis_{axis}", "PACK", (Input((4, 5)), Input((4, 5)), Input((4, 5))), options)
        yield OpCase(f"axis_{axis}", "UNPACK", (Input((3, 3, 3)),), {"num": 3, "axis": axis}, outputs=3)
    yield OpCase("rows", "SPLIT_V", (Input((5, 3)), Values([1, 4]), Values(0)), {"numSplits": 2}, outputs=2)
    operands = (Input((2, 9)), Values([2, 3, 4]), Values(1))
    yield OpCase("uneven", "SPLIT_V", operands, {"numSplits": 3}, outputs=3)
    yield OpCase("remainder", "SPLIT_V", (Input((2, 9)), Values([2, -1]), Values(-1)), {"numSplits": 2}, outputs=2)
