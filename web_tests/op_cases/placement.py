"""Ops that scatter elements to provided positions, and ops that compare each element with a list."""

from collections.abc import Iterator
from typing import Any

from web_tests.op_cases.case import Input, OpCase, Operand, Values

INTEGERS = ("int32", "int64", "int8", "uint8")


def cases() -> Iterator[OpCase]:
    yield from _scatter()
    yield from _stablehlo_scatter()
    yield from _sparse_to_dense()
    yield from _update_slice()
    yield from _one_hot()
    yield from _bucketize()
    yield from _diagonals()
    yield from _reverse_sequence()
    yield from _top_k()


def _data(shape: tuple[int, ...], dtype: str = "float32") -> Input:
    """Return an input whose range fits the dtype."""
    if dtype == "bool":
        return Input(shape, 0, 2, dtype)
    return Input(shape, 0 if dtype == "uint8" else -9, 9, dtype)


def _scatter() -> Iterator[OpCase]:
    def case(name: str, indices: Any, updates: Input, shape: list[int], **attributes: Any) -> OpCase:
        operands = (Values(indices), updates, Values(shape))
        dtype = updates.dtype
        return OpCase(name, "SCATTER_ND", operands, output_dtype=dtype, **attributes)

    for dtype in ("float32", *INTEGERS, "bool"):
        yield case(f"rows_{dtype}", [[3], [0]], _data((2, 5), dtype), [4, 5])
        yield case(f"elements_{dtype}", [[1, 2], [0, 0], [3, 4]], _data((3,), dtype), [4, 5])
        yield case(f"blocks_{dtype}", [[[1, 0]], [[0, 2]]], _data((2, 1, 2, 3), dtype), [2, 3, 2, 3])
    yield case("twice", [[1], [1]], _data((2, 5)), [4, 5], cpu_reason="adds up the rows of one position")


def _stablehlo_scatter() -> Iterator[OpCase]:
    def case(name: str, indices: Any, updates: Input, axes: list[int]) -> OpCase:
        operands = (Input((4, 5)), Values(indices), updates)
        options = {
            "insertedWindowDims": axes,
            "scatterDimsToOperandDims": axes,
            "updateWindowDims": [1] if axes == [0] else [],
            "indexVectorDim": 1,
            "updateComputationSubgraphIndex": 1,
        }
        return OpCase(name, "STABLEHLO_SCATTER", operands, options, overwrites=True)

    yield case("rows", [[3], [0]], Input((2, 5)), [0])
    yield case("elements", [[1, 2], [0, 0], [3, 4]], Input((3,)), [0, 1])


def _sparse_to_dense() -> Iterator[OpCase]:
    def case(name: str, indices: Any, shape: list[int], values: Input, default: Any) -> OpCase:
        operands = (Values(indices), Values(shape), values, Values(default, values.dtype))
        options = {"validateIndices": False}
        return OpCase(name, "SPARSE_TO_DENSE", operands, options, output_dtype=values.dtype)

    for dtype in ("float32", *INTEGERS):
        yield case(f"matrix_{dtype}", [[0, 1], [2, 3]], [3, 4], _data((2,), dtype), 7)
        yield case(f"one_value_{dtype}", [[2, 3]], [3, 4], _data((), dtype), 0)
        yield case(f"vector_{dtype}", [4, 1, 2], [6], _data((3,), dtype), 1)


def _update_slice() -> Iterator[OpCase]:
    def case(name: str, shape: tuple[int, ...], update: tuple[int, ...], start: Any, dtype: str) -> OpCase:
        operands = (_data(shape, dtype), _data(update, dtype), start)
        return OpCase(f"{name}_{dtype}", "DYNAMIC_UPDATE_SLICE", operands)

    for dtype in ("float32", "int32", "int64", "int8", "bool"):
        yield case("inner", (4, 5), (2, 3), Values([1, 2]), dtype)
        yield case("moved_back", (4, 5), (2, 3), Values([9, -4]), dtype)
        yield case("one_axis", (2, 6, 3), (2, 2, 3), Values([0, 3, 0], "int64"), dtype)
        yield case("entire", (4, 5), (4, 5), Values([0, 0]), dtype)
        yield case("run_time", (2, 6, 3), (2, 2, 3), Input((3,), -2, 7, "int32"), dtype)
        yield case("run_time_two_axes", (4, 5), (2, 3), Input((2,), -2, 7, "int32"), dtype)


def _one_hot() -> Iterator[OpCase]:
    def case(name: str, shape: tuple[int, ...], axis: int, dtype: str, index_dtype: str = "int32") -> OpCase:
        # Indices beyond the depth and below zero select nothing.
        on_off = (Values(1, dtype), Values(0, dtype)) if dtype == "bool" else (Values(5, dtype), Values(2, dtype))
        operands = (Input(shape, -1, 5, index_dtype), Values(4), *on_off)
        return OpCase(f"{name}_{dtype}", "ONE_HOT", operands, {"axis": axis}, output_dtype=dtype)

    for dtype in ("float32", *INTEGERS, "bool"):
        yield case("last", (2, 3), -1, dtype)
        yield case("first", (2, 3), 0, dtype)
        yield case("middle_of_int64", (2, 3, 2), 1, dtype, "int64")
    run_time = (Input((3,), 0, 5, "int32"), Values(4), Input(()), Input(()))
    yield OpCase("values_at_run_time", "ONE_HOT", run_time, {"axis": -1}, output_dtype="float32")


def _bucketize() -> Iterator[OpCase]:
    for dtype in ("float32", "int32", "int64"):
        for name, boundaries in {"one": [0.5], "some": [-3.0, -3.0, 0.0, 4.0], "wide": [-100.0, 100.0]}.items():
            operands = (_data((2, 3, 4), dtype),)
            options = {"boundaries": boundaries}
            yield OpCase(f"{name}_{dtype}", "BUCKETIZE", operands, options, output_dtype="int32")


def _diagonals() -> Iterator[OpCase]:
    for dtype in ("float32", *INTEGERS):
        for shape in ((3,), (2, 3), (2, 2, 4)):
            name = f"rank{len(shape)}_{dtype}"
            yield OpCase(name, "MATRIX_DIAG", (_data(shape, dtype),))
        for outer, rows, columns in (((), 3, 3), ((2,), 3, 4), ((2, 2), 4, 3)):
            name = f"{rows}x{columns}_{dtype}"
            operands = (_data((*outer, rows, columns), dtype), _data((*outer, min(rows, columns)), dtype))
            yield OpCase(name, "MATRIX_SET_DIAG", operands)


def _reverse_sequence() -> Iterator[OpCase]:
    for dtype in ("float32", "int32", "int64", "uint8"):
        for batch, axis, lengths in ((0, 1, [4, 0, 2]), (1, 0, [3, 1, 2, 0]), (2, 1, [1, 2, 4, 3, 0])):
            operands = (_data((3, 4, 5), dtype), Values(lengths, "int64" if batch == 1 else "int32"))
            options = {"seqDim": axis, "batchDim": batch}
            name = f"batch_{batch}_along_{axis}_{dtype}"
            yield OpCase(name, "REVERSE_SEQUENCE", operands, options)


def _top_k() -> Iterator[OpCase]:
    for shape in ((7,), (2, 5), (2, 3, 4)):
        operands = (_data(shape), Values(1))
        yield OpCase(f"one_of_rank{len(shape)}", "TOPK_V2", operands, output_dtypes=("float32", "int32"))
    largest: dict[str, tuple[Operand, int]] = {
        "two": (_data((2, 5)), 2),
        "all": (_data((7,)), 7),
        "of_rank3": (_data((2, 3, 8)), 4),
        "two_int32": (Input((4,), -9, 9, "int32"), 2),
        "equal_int32": (Input((3, 6), 0, 4, "int32"), 5),
        "all_int32": (Input((2, 2, 5), -3, 3, "int32"), 5),
    }
    for name, (data, k) in largest.items():
        dtypes = ("int32" if name.endswith("int32") else "float32", "int32")
        yield OpCase(name, "TOPK_V2", (data, Values(k)), output_dtypes=dtypes)
    many = (_data((2, 30)), Values(21))
    reason = "WebNN does not sort"
    yield OpCase("many", "TOPK_V2", many, output_dtypes=("float32", "int32"), cpu_reason=reason)
