"""Ops that only move elements: reshape, transpose, concatenate, split, pad, slice."""

from collections.abc import Iterator
from typing import Any

from web_tests.op_cases.case import Again, Input, OpCase, Operand, Values, Weights

SHAPE = (2, 4, 6, 3)


def cases() -> Iterator[OpCase]:
    yield from _reshape()
    yield from _transpose()
    yield from _concatenation()
    yield from _split()
    yield from _pad()
    yield from _slice()
    yield from _strided_slice()
    for block, channels in ((2, 12), (3, 9), (2, 4)):
        operands = (Input((1, 4, 5, channels)),)
        options = {"blockSize": block}
        yield OpCase(f"block_{block}_of_{channels}", "DEPTH_TO_SPACE", operands, options)


def _reshape() -> Iterator[OpCase]:
    shapes = {"flatten": [2, 72], "rank6": [2, 2, 2, 2, 3, 3], "rank1": [144]}
    for name, shape in (shapes | {"inferred": [4, -1], "rank5": [2, 2, 2, 6, 3]}).items():
        options = {"newShape": shape}
        yield OpCase(name, "RESHAPE", (Input(SHAPE), Values(shape)), options)
    yield OpCase("shape_in_options", "RESHAPE", (Input(SHAPE),), {"newShape": [8, 18]})
    yield OpCase("no_options", "RESHAPE", (Input(SHAPE), Values([6, 24])))
    for axes in ([0], [0, 3], [-1], []):
        name = "all" if not axes else "axes_" + "_".join(map(str, axes))
        yield OpCase(name, "SQUEEZE", (Input((1, 4, 6, 1)),), {"squeezeDims": axes})
    for axis in (0, 2, -1):
        yield OpCase(f"axis_{axis}", "EXPAND_DIMS", (Input((4, 6)), Values([axis])))


def _transpose() -> Iterator[OpCase]:
    def case(name: str, shape: tuple[int, ...], order: list[int]) -> OpCase:
        return OpCase(name, "TRANSPOSE", (Input(shape), Values(order)))

    yield case("0312", SHAPE, [0, 3, 1, 2])
    # The windows of an image, as neighbours and spread: the first has four axes in truth.
    yield case("windows", (2, 2, 3, 2, 3, 4), [0, 1, 3, 2, 4, 5])
    yield case("spread_windows", (2, 2, 3, 2, 3, 4), [0, 2, 4, 1, 3, 5])
    for order in ([0, 2, 3, 1], [3, 2, 1, 0], [0, 1, 2, 3]):
        yield case("".join(map(str, order)), SHAPE, order)
    yield case("rank2", (3, 5), [1, 0])
    yield case("rank7", (2, 2, 3, 2, 2, 1, 3), [3, 4, 0, 1, 5, 2, 6])
    yield case("rank7_of_ones", (1, 2, 1, 3, 1, 1, 1), [2, 1, 0, 4, 3, 6, 5])


def _concatenation() -> Iterator[OpCase]:
    def case(name: str, axis: int, *operands: Operand, activation: int = 0) -> OpCase:
        options = {"axis": axis, "fusedActivationFunction": activation}
        return OpCase(name, "CONCATENATION", operands, options)

    yield case("channels", 3, Input((1, 4, 5, 3)), Input((1, 4, 5, 2)))
    yield case("last_axis", -1, Input((1, 4, 5, 3)), Input((1, 4, 5, 2)))
    yield case("first_axis", 0, Input((2, 3)), Input((1, 3)), Input((4, 3)))
    yield case("with_constant", 1, Input((2, 3)), Weights((2, 2)))
    yield case("with_half_constant", 1, Input((2, 3)), Weights((2, 2), half=True))
    yield case("with_itself", 1, Input((2, 3)), Again(0))
    yield case("one_operand", 1, Input((2, 3)))
    yield case("middle_axis", 1, Input((1, 2, 5, 3)), Input((1, 4, 5, 3)), Input((1, 1, 5, 3)))


def _split() -> Iterator[OpCase]:
    for axis, count in ((3, 3), (1, 2), (-1, 3), (2, 6)):
        operands = (Values(axis), Input(SHAPE))
        name = f"axis_{axis}_in_{count}"
        yield OpCase(name, "SPLIT", operands, {"numSplits": count}, outputs=count)


def _pad() -> Iterator[OpCase]:
    spatial = [[0, 0], [1, 2], [3, 0], [0, 0]]
    yield OpCase("spatial", "PAD", (Input(SHAPE), Values(spatial)))
    yield OpCase("channels", "PAD", (Input(SHAPE), Values([[0, 0], [0, 0], [0, 0], [0, 5]])))
    yield OpCase("rank2", "PAD", (Input((3, 4)), Values([[1, 1], [2, 0]])))
    yield OpCase("nothing", "PAD", (Input((3, 4)), Values([[0, 0], [0, 0]])))
    yield OpCase("int64_paddings", "PAD", (Input((3, 4)), Values([[1, 1], [2, 0]], "int64")))
    for value in (-1.5, 0.0, 3.25):
        operands = (Input(SHAPE), Values(spatial), Values(value, "float32"))
        yield OpCase(f"value_{value}", "PADV2", operands)
    for name, mode in {"reflect": 0, "symmetric": 1}.items():
        mirrored = (Input(SHAPE), Values([[0, 0], [1, 2], [2, 1], [0, 0]]))
        yield OpCase(name, "MIRROR_PAD", mirrored, {"mode": mode})
        widest = (Input((3, 4)), Values([[2, 1], [0, 3]]))
        yield OpCase(f"{name}_widest", "MIRROR_PAD", widest, {"mode": mode})


def _slice() -> Iterator[OpCase]:
    def case(name: str, begin: list[int], size: list[int], shape: tuple[int, ...], dtype: str = "int32") -> OpCase:
        operands = (Input(SHAPE), Values(begin, dtype), Values(size, dtype))
        return OpCase(name, "SLICE", operands, output_shape=shape)

    yield case("inner", [0, 1, 2, 0], [2, 2, 3, 3], (2, 2, 3, 3))
    yield case("to_the_end", [1, 0, 2, 1], [-1, -1, -1, 1], (1, 4, 4, 1))
    yield case("everything", [0, 0, 0, 0], [-1, -1, -1, -1], SHAPE)
    yield case("int64", [1, 0, 0, 0], [1, 2, 3, 3], (1, 2, 3, 3), "int64")


def _strided_slice() -> Iterator[OpCase]:
    def case(name: str, begin: list[int], end: list[int], strides: list[int], **masks: Any) -> OpCase:
        operands = (Input(SHAPE), Values(begin), Values(end), Values(strides))
        return OpCase(name, "STRIDED_SLICE", operands, masks)

    ones = [1, 1, 1, 1]
    yield case("plain", [0, 1, 2, 0], [2, 3, 5, 2], ones)
    yield case("strides", [0, 0, 1, 0], [2, 4, 6, 3], [1, 2, 3, 2])
    yield case("from_the_end", [0, -3, -2, 0], [2, -1, 6, 3], ones)
    yield case("masks", [1, 1, 1, 1], [1, 2, 3, 2], ones, beginMask=0b1001, endMask=0b1011)
    yield case("shrink_last", [0, 0, 0, 1], [2, 4, 6, 2], ones, shrinkAxisMask=0b1000)
    yield case("shrink_two", [1, 0, -1, 0], [2, 4, 6, 3], ones, shrinkAxisMask=0b0101)
    yield case("beyond_the_end", [0, 0, 0, 0], [9, 9, 9, 9], ones)
    yield case("backwards", [0, 3, 0, 0], [2, 0, 6, 3], [1, -1, 1, 1])
    yield case("backwards_from_beyond", [0, 9, 0, 0], [2, -9, 6, 3], [1, -1, 1, 1])
    yield case("offsets", [0, 1, 2, 0], [2, 2, 3, 2], ones, offset=True)
