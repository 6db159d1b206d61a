"""Arithmetic beyond the basic operators, and StableHLO's names of TFLite's old ops."""

from collections.abc import Iterator

from web_tests.op_cases.case import Again, Input, OpCase, Operand, Values

SHAPE = (2, 4, 3)


def cases() -> Iterator[OpCase]:
    yield from _division()
    yield from _stablehlo()
    yield from _stablehlo_pad()
    yield from _dilate()
    yield from _sums()
    yield from _fake_quant()


def _data(dtype: str, shape: tuple[int, ...] = SHAPE) -> Input:
    """Return an input whose range fits the dtype."""
    if dtype == "bool":
        return Input(shape, 0, 2, dtype)
    return Input(shape, 0 if dtype == "uint8" else -9, 9, dtype)


def _division() -> Iterator[OpCase]:
    for name, divisors in {"3": [3], "minus_7": [-7], "three": [2, -5, 7]}.items():
        yield OpCase(f"int32_by_{name}", "DIV", (Input(SHAPE, -99, 99, "int32"), Values(divisors)))
    kept: dict[str, Operand] = {"minus_one": Values([-1]), "run_time": Input(SHAPE, 1, 9, "int32")}
    for name, kept_divisor in kept.items():
        operands = (_data("int32"), kept_divisor)
        reason = "divided by -1" if name == "minus_one" else "constants other than 0 only"
        yield OpCase(f"int32_by_{name}", "DIV", operands, cpu_reason=reason)
    for op in ("FLOOR_DIV", "FLOOR_MOD"):
        for divisor in (0.5, 4.0, -2.0):
            operands = (_data("float32"), Values(divisor, "float32"))
            yield OpCase(f"float_by_{divisor}", op, operands)
        for name, divisors in {"1": [1], "3": [3], "three": [2, 5, 7]}.items():
            operands = (Input(SHAPE, -99, 99, "int32"), Values(divisors))
            yield OpCase(f"int32_by_{name}", op, operands)
        if op == "FLOOR_MOD":
            yield from _int64_remainders(op)
        inexact = (_data("float32"), Values(2.5, "float32"))
        yield OpCase("float_by_2.5", op, inexact, cpu_reason="powers of two only")
        rejected: dict[str, Operand] = {"run_time": Input(SHAPE, 1, 9, "int32"), "minus_3": Values([-3])}
        for name, rejected_divisor in rejected.items():
            operands = (_data("int32"), rejected_divisor)
            yield OpCase(f"int32_by_{name}", op, operands, cpu_reason="positive constants only")


def _int64_remainders(op: str) -> Iterator[OpCase]:
    for bits in (7, 31, 62):
        for name, divisors in {"2": [2], "7": [7], "three": [2, 1000, 2**20]}.items():
            operands = (Input((2, 4, 2, 5, 3), -(2**bits), 2**bits, "int64"), Values(divisors, "int64"))
            yield OpCase(f"int64_of_{bits}_bits_by_{name}", op, operands)
    for divisor in (1, 2**20 + 1):
        operands = (_data("int64"), Values(divisor, "int64"))
        reason = "int64 is divided by constants from 2 to 2^20 only"
        yield OpCase(f"int64_by_{divisor}", op, operands, cpu_reason=reason)


def _stablehlo() -> Iterator[OpCase]:
    dtypes = {
        "STABLEHLO_ADD": ("float32", "int32", "int64"),
        "STABLEHLO_MULTIPLY": ("float32", "int32", "int64"),
        "STABLEHLO_MAXIMUM": ("float32", "int32", "int64", "int8", "uint8", "bool"),
        "STABLEHLO_MINIMUM": ("float32", "int32", "int64", "int8", "uint8", "bool"),
        "STABLEHLO_AND": ("bool",),
    }
    for op, names in dtypes.items():
        for dtype in names:
            yield OpCase(f"rank3_{dtype}", op, (_data(dtype), _data(dtype)))
            yield OpCase(f"rank1_{dtype}", op, (_data(dtype, (7,)), _data(dtype, (7,))))
            yield OpCase(f"itself_{dtype}", op, (_data(dtype), Again(0)))
    yield OpCase("int32", "STABLEHLO_AND", (_data("int32"), _data("int32")), cpu_reason="no operators on bits")
    yield OpCase("bool", "STABLEHLO_ADD", (_data("bool"), _data("bool")), cpu_reason="no arithmetic on booleans")


def _stablehlo_pad() -> Iterator[OpCase]:
    variants = {
        "edges": ([1, 0], [2, 3], [0, 0]),
        "between": ([0, 0], [0, 0], [2, 1]),
        "cut": ([-1, 2], [1, -2], [1, 0]),
    }
    for dtype in ("float32", "int32", "int64", "int8", "uint8", "bool"):
        for name, (low, high, interior) in variants.items():
            operands = (_data(dtype, (3, 4)), Values(1, dtype))
            options = {"edgePaddingLow": low, "edgePaddingHigh": high, "interiorPadding": interior}
            yield OpCase(f"{name}_{dtype}", "STABLEHLO_PAD", operands, options)


def _dilate() -> Iterator[OpCase]:
    for dtype in ("float32", "int32", "int64", "int8", "uint8", "bool"):
        for dilations in ([1, 1, 3], [2, 1, 1], [2, 3, 2]):
            name = f"{'_'.join(map(str, dilations))}_{dtype}"
            operands = (_data(dtype), Values(dilations), Values(1, dtype))
            yield OpCase(name, "DILATE", operands)


def _sums() -> Iterator[OpCase]:
    for dtype in ("float32", "int32"):
        for count in (2, 3, 5):
            yield OpCase(f"{count}_of_{dtype}", "ADD_N", (_data(dtype),) * count)
    for dtype in ("float32", "int32", "int64"):
        for shape in ((), (7,), SHAPE):
            yield OpCase(f"rank{len(shape)}_{dtype}", "ZEROS_LIKE", (_data(dtype, shape),))


def _fake_quant() -> Iterator[OpCase]:
    for name, low, high, bits in (("around_zero", -6.0, 6.0, 8), ("positive", 0.5, 4.0, 8), ("few_bits", -3.0, 9.0, 4)):
        options = {"min": low, "max": high, "numBits": bits}
        yield OpCase(name, "FAKE_QUANT", (_data("float32"),), options)
