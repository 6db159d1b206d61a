"""Values outside of the domain: negative, infinite, NaN, beyond a type; indices before the start and past the end."""

from collections.abc import Iterator, Mapping
from typing import Any

from web_tests.models.model_writer import Quantization
from web_tests.op_cases.case import Input, OpCase, Operand, Provided, Values, Weights

INF, NAN = float("inf"), float("nan")
SPECIAL = [NAN, INF, -INF, 0.0, -0.0, 1e-40, -1e-40, 3e38, -3e38, 0.5, -2.5, 1.0]
# Beyond each integer type, and next to the ends of int8 and int32.
FLOATS = [NAN, INF, -INF, 0.9, -0.9, 127.4, 127.6, -128.6, 300, -300, 2**31, -(2**31), 3e9, -3e9, 5e9, 1e19, -1e19]
# An int8 logarithm; of three zero points, the first makes half of the arguments negative.
LOGARITHM = Quantization((0.05,), (10,))


def cases() -> Iterator[OpCase]:
    yield from _functions()
    yield from _largest()
    yield from _overflows()
    yield from _casts()
    yield from _comparisons()
    yield from _softmax()
    yield from _indices()
    yield from _slices()
    yield from _padding()
    yield from _transposed_convolutions()


def _functions() -> Iterator[OpCase]:
    for op in ("ABS", "CEIL", "FLOOR", "NEG", "ROUND", "SQUARE", "RELU", "RELU6", "RELU_N1_TO_1", "LOGISTIC", "TANH"):
        yield OpCase("special", op, (Provided(SPECIAL),))
    # docs/explanation/delegate.md: Chromium treats denormal numbers as 0 here; its roots of the largest ones are wrong.
    for op in ("SIGN", "LOG"):
        yield OpCase(
            "special", op, (Provided([x for x in SPECIAL if abs(x) != 1e-40]),), version=2 if op == "SIGN" else 1
        )
    for op in ("RSQRT", "SQRT"):
        yield OpCase("special", op, (Provided([x for x in SPECIAL if abs(x) not in (1e-40, 3e38, INF)]),))
    integers = [-128, -100, -1, 0, 1, 50, 127]
    for name, zero_point in {"negative": 0, "positive": -128, "mixed": 20}.items():
        provided = Provided(integers, "int8", Quantization((0.1,), (zero_point,)))
        yield OpCase(f"{name}_int8", "LOG", (provided,), output_dtype="int8", output_quantization=LOGARITHM, version=2)
    for op in ("RSQRT", "SQRT"):
        provided = Provided([1, 50, 127], "int8", Quantization((0.1,), (0,)))
        reason = "TFLite reports roots of negative numbers"
        yield OpCase(
            "signed_int8",
            op,
            (provided,),
            output_dtype="int8",
            output_quantization=LOGARITHM,
            version=2,
            cpu_reason=reason,
        )


def _largest() -> Iterator[OpCase]:
    rows = [[NAN, 1, -INF, 3, 2], [NAN] * 5, [-INF, NAN, -INF, NAN, 2], [INF, 3e38, NAN, -3e38, INF]]
    for k in (1, 2, 5):
        yield OpCase(f"{k}_among_nan", "TOPK_V2", (Provided(rows), Values(k)), output_dtypes=("float32", "int32"))
    numbers = Provided([x for x in SPECIAL if abs(x) != 1e-40])
    for name, low, high in (("around_zero", -6.0, 6.0), ("positive", 0.5, 4.0)):
        yield OpCase(f"special_{name}", "FAKE_QUANT", (numbers,), {"min": low, "max": high, "numBits": 8})


def _overflows() -> Iterator[OpCase]:
    """Yield integers that wrap around, and those that a float of as many bits does not hold."""
    for dtype, bits in (("int32", 32), ("int64", 64)):
        top = 2 ** (bits - 1)
        ends = [top - 1, -top, top - 1, -top, top - 65, 3, -7]
        others = [1, -1, top - 1, -top, 63, top // 2, top // 3]
        for op in ("ADD", "SUB", "MUL", *(("SQUARED_DIFFERENCE",) if bits == 32 else ())):
            yield OpCase(f"overflow_{dtype}", op, (Provided(ends, dtype), Provided(others, dtype)))
        for op in ("NEG", "ABS") if bits == 32 else ("NEG",):
            yield OpCase(f"overflow_{dtype}", op, (Provided(ends, dtype),))
        for op in ("MAXIMUM", "MINIMUM", "GREATER"):
            neighbours = (
                Provided([top - 1, top - 2, -top, 1 - top], dtype),
                Provided([top - 2, top - 1, 1 - top, -top], dtype),
            )
            yield OpCase(f"neighbours_{dtype}", op, neighbours, output_dtype="bool" if op == "GREATER" else dtype)
        for op in ("SUM", "REDUCE_PROD", "CUMSUM"):
            yield OpCase(
                f"overflow_{dtype}", op, (Provided([ends, others], dtype), Values([1] if op != "CUMSUM" else 1))
            )
    # Not beyond int32: TFLite then converts a double that does not fit, to what the processor has for it.
    powers = (Provided([7, -7, 46340, 2, -2, 3, 0], "int32"), Provided([11, 11, 2, 30, 31, 19, 0], "int32"))
    yield OpCase("large_int32", "POW", powers)


def _casts() -> Iterator[OpCase]:
    for dtype in ("int8", "uint8", "int32", "int64", "bool"):
        yield OpCase(f"beyond_{dtype}", "CAST", (Provided(FLOATS),), output_dtype=dtype, version=6)
    wide = Provided([2**40 + 5, -(2**40), 2**31, 2**53 + 1, -1], "int64")
    for dtype in ("int32", "float32", "bool"):
        yield OpCase(f"int64_to_{dtype}", "CAST", (wide,), output_dtype=dtype, version=6)


def _comparisons() -> Iterator[OpCase]:
    pairs = (Provided([NAN, 1, NAN, INF, -INF, 2]), Provided([2, NAN, NAN, NAN, 1, -INF]))
    for op in ("MAXIMUM", "MINIMUM"):
        yield OpCase("nan", op, pairs)
        yield OpCase("nan", f"STABLEHLO_{op}", pairs)
        for first, second in ((NAN, 3), (3, NAN)):  # engines swap the operands of a single element
            yield OpCase(f"scalars_{first}_{second}", f"STABLEHLO_{op}", (Provided(first), Provided(second)))
    for op in ("EQUAL", "NOT_EQUAL", "GREATER", "LESS_EQUAL"):
        yield OpCase("nan", op, pairs, output_dtype="bool")
    rows = Provided([[NAN, 1, 2], [1, NAN, 2], [1, 2, NAN], [NAN, NAN, NAN], [3, NAN, 1], [-INF, -INF, -3e38]])
    long_row = Provided([[NAN, *range(18), NAN, 7, NAN, 17]])
    for op in ("ARG_MAX", "ARG_MIN"):
        for name, provided, axis in (
            ("nan", rows, 1),
            ("nan_in_columns", rows, 0),
            ("nan_in_a_long_row", long_row, -1),
        ):
            operands = (provided, Values(axis))
            yield OpCase(name, op, operands, {"outputType": 2}, output_dtype="int32")


def _softmax() -> Iterator[OpCase]:
    rows = Provided([[3e38, 1, 2], [-3e38, 1, 2], [-3e38, -3e38, 3e38], [1e-40, 0, -0.0]])
    for beta in (0.5, 1.0, 2.0):
        yield OpCase(f"huge_beta_{beta}", "SOFTMAX", (rows,), {"beta": beta})


SCATTER = {"insertedWindowDims": [0, 1], "scatterDimsToOperandDims": [0, 1], "indexVectorDim": 1}


def _indices() -> Iterator[OpCase]:
    # The last update of a position wins; those outside have no effect.
    positions = [[0, 1], [1, -1], [-1, 2], [2, 4], [3, 0], [2, 3], [0, 1]]
    for dtype, far in {"int32": [], "int64": [[2**32, 0], [1, 2**32 + 1], [-(2**33), 0]]}.items():
        indices = Provided([*positions, *far], dtype)
        updates = Provided([float(number) for number in range(1, len(positions) + len(far) + 1)])
        options = {**SCATTER, "updateWindowDims": [], "updateComputationSubgraphIndex": 1}
        operands: tuple[Operand, ...] = (Provided([[0.5] * 4] * 3), indices, updates)
        yield OpCase(f"outside_{dtype}", "STABLEHLO_SCATTER", operands, options, overwrites=True)
    for start in (2**32, -(2**40), 2**31, 4, -1):
        for kind in (Provided, Values):
            operands = (Provided([0.0] * 5), Provided([1.0, 2.0]), kind([start], "int64"))
            name = f"{start}_{kind.__name__.lower()}"
            yield OpCase(name, "DYNAMIC_UPDATE_SLICE", operands, version=2)
    # TFLite's kernel uses the lowest 32 bits.
    for dtype, wide in {"int32": [], "int64": [2**32, 2**32 + 1, -(2**33)]}.items():
        operands = (
            Provided([0, 1, -1, 3, 4, *wide], dtype),
            Values(3),
            Values(5.0, "float32"),
            Values(-1.0, "float32"),
        )
        yield OpCase(f"outside_{dtype}", "ONE_HOT", operands, {"axis": -1}, output_dtype="float32")


def _slices() -> Iterator[OpCase]:
    """Yield slices by lengths, and of single elements counted from either end."""
    slices: Mapping[str, tuple[list[int], list[int], list[int], dict[str, Any]]] = {
        "length_from_the_end": ([-2], [2], [1], {"offset": True}),
        "length_from_a_mask": ([1], [2], [1], {"offset": True, "beginMask": 1}),
        "length_with_steps": ([0], [5], [2], {"offset": True}),
        "last_element": ([-1], [0], [1], {"shrinkAxisMask": 1}),
        "first_element_by_mask": ([3], [0], [1], {"shrinkAxisMask": 1, "beginMask": 1}),
        "before_the_start": ([-7], [3], [1], {}),
        "backwards_from_far_beyond": ([9], [-9], [-2], {}),
    }
    for name, (begin, end, strides, options) in slices.items():
        operands = (Provided([0.0, 1.0, 2.0, 3.0, 4.0]), Values(begin), Values(end), Values(strides))
        yield OpCase(name, "STRIDED_SLICE", operands, options, version=8)


def _padding() -> Iterator[OpCase]:
    for value, reason in {2**40: "the fill value must be", -(2**31): "the fill value must be", 2**30: ""}.items():
        operands = (Provided([1, 2, 3], "int64"), Values([[1, 2]]), Values([value], "int64"))
        yield OpCase(f"value_{value}", "PADV2", operands, version=2, cpu_reason=reason)


def _transposed_convolutions() -> Iterator[OpCase]:
    """Yield filters of one row or column, smaller than the stride, with and without left-over rows of the output."""
    for height, width, strides, rows, columns in (
        (1, 2, (2, 1), 7, 4),
        (1, 2, (2, 1), 8, 4),
        (1, 1, (2, 2), 7, 7),
        (2, 1, (1, 3), 4, 10),
    ):
        for padding in (0, 1):
            full = ((4 - 1) * strides[0] + height, (4 - 1) * strides[1] + width)
            size = (rows, columns) if padding == 0 else full
            if padding == 1 and rows == 8:
                continue  # the same as of 7 rows
            operands = (Values([1, *size, 1]), Weights((1, height, width, 2)), Input((1, 4, 4, 2)))
            options = {"padding": padding, "strideH": strides[0], "strideW": strides[1]}
            scheme = "valid" if padding else "same"
            name = f"filter_{height}x{width}_by_{strides[0]}x{strides[1]}_to_{size[0]}x{size[1]}_{scheme}"
            yield OpCase(name, "TRANSPOSE_CONV", operands, options, output_dtype="float32")
