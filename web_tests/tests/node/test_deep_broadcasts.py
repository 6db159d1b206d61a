"""Kernels of the pinned TFLite that support four or five dimensions: the build makes them support more."""

from typing import Any

import numpy as np
import pytest

from web_tests.drivers.harness import CPU, PageHarness
from web_tests.models.model_writer import Quantization
from web_tests.models.one_node import one_node
from web_tests.models.recipes import Array
from web_tests.references import native_litert

# Neither is the other's shape, and no two neighbouring dimensions can be joined.
ONE, OTHER = (2, 1, 3, 1, 4, 1, 2), (1, 3, 1, 2, 4, 5, 1)
OPS = {
    "BITWISE_XOR": ("int8", "int16", "int32"),
    "DIV": ("float32", "int32"),
    "EQUAL": ("float32", "int32", "int8", "bool"),
    "FLOOR_DIV": ("float32", "int32"),
    "FLOOR_MOD": ("float32", "int32", "int64"),
    "GREATER": ("float32", "int64", "uint8"),
    "LESS_EQUAL": ("float32", "int32", "int8"),
    "LOGICAL_AND": ("bool",),
    "LOGICAL_OR": ("bool",),
    "MAXIMUM": ("float32", "int32", "int8"),
    "POW": ("int32",),
    "RIGHT_SHIFT": ("int8", "uint8", "int32"),
    "SQUARED_DIFFERENCE": ("float32", "int32"),
}
COMPARISONS = ("EQUAL", "GREATER", "LESS_EQUAL")
CASES = [(op, dtype) for op, dtypes in OPS.items() for dtype in dtypes]


def model(op: str, dtype: str, first: tuple[int, ...], second: tuple[int, ...]) -> bytes:
    """Return one node; comparisons of bytes have two scales, so that the kernel rescales both."""
    is_scaled = op in COMPARISONS and dtype in ("int8", "uint8")
    scales = [Quantization((scale,), (3,)) if is_scaled else None for scale in (0.25, 0.5)]
    output = (np.broadcast_shapes(first, second), "bool" if op in COMPARISONS else dtype)
    return one_node(op, [(first, dtype, scales[0]), (second, dtype, scales[1])], output)


def operands(dtype: str, *shapes: tuple[int, ...]) -> list[Array]:
    random = np.random.default_rng(11)
    lowest, limit = (0, 2) if dtype == "bool" else (1, 7)
    provided: list[Array] = [random.integers(lowest, limit, shape).astype(dtype) for shape in shapes]
    return provided


@pytest.mark.parametrize("rank", [4, 5, 7])
@pytest.mark.parametrize(("op", "dtype"), CASES)
def test_a_broadcast_of_any_rank_computes_as_native_litert(
    harness: PageHarness, op: str, dtype: str, rank: int
) -> None:
    shapes = ONE[-rank:], OTHER[-rank:]
    content, inputs = model(op, dtype, *shapes), operands(dtype, *shapes)
    (expected,) = native_litert.outputs_of(content, inputs, kernels="builtin")
    (found,) = harness.load(content, CPU).run(inputs)
    assert found.shape == np.broadcast_shapes(*shapes)
    np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize(("first", "second"), [((2,), ONE), (ONE, ()), ((2, 0, 1, 1, 4), (1, 1, 3, 2, 4))])
def test_operands_of_different_ranks_or_without_elements_broadcast(
    harness: PageHarness, first: tuple[int, ...], second: tuple[int, ...]
) -> None:
    content = model("FLOOR_DIV", "int32", first, second)
    a, b = operands("int32", first, second)
    (found,) = harness.load(content, CPU).run([a, b])
    np.testing.assert_array_equal(found, a // b)


@pytest.mark.parametrize("rank", [5, 6, 7])
@pytest.mark.parametrize("dtype", ["float32", "int64", "bool"])
def test_a_selection_broadcasts_beyond_rank_4(harness: PageHarness, dtype: str, rank: int) -> None:
    condition, first, second = ONE[-rank:], OTHER[-rank:], ONE[1 - rank :]
    shape = np.broadcast_shapes(condition, first, second)
    content = one_node("SELECT_V2", [(condition, "bool"), (first, dtype), (second, dtype)], (shape, dtype))
    inputs = [*operands("bool", condition), *operands(dtype, first, second)]
    (found,) = harness.load(content, CPU).run(inputs)
    np.testing.assert_array_equal(found, np.where(*inputs))


# The shape of the input, the entries that TFLite reads, the masks, and the slice in numpy.
SLICES: dict[str, tuple[tuple[int, ...], list[tuple[int, int, int]], dict[str, int], Any]] = {
    "of_one_axis": ((2, 1, 3, 2, 2, 3), [(1, 0, 1)], {"shrinkAxisMask": 1}, np.s_[1]),
    "of_all_axes": (
        (3, 2, 4, 5, 2, 3),
        [(0, 3, 2), (-1, 0, 1), (3, 0, -2), (1, 9, 3), (1, 0, -1), (1, 3, 1)],
        {"endMask": 0b010000, "shrinkAxisMask": 0b000010},
        np.s_[0:3:2, -1, 3:0:-2, 1:9:3, 1::-1, 1:3],
    ),
    "of_seven": ((2, 1, 3, 1, 2, 2, 5), [(0, 0, 1), (-2, 9, 1)], {"ellipsisMask": 1}, np.s_[..., -2:9]),
    "with_a_new_axis": ((2, 3, 2, 4, 5), [(0, 0, 1), (0, 0, 1), (1, 3, 1)], {"newAxisMask": 1}, np.s_[None, :0, 1:3]),
    "with_another": (
        (2, 3, 2, 4, 5),
        [(0, 0, 1), (0, 2, 1), (2, 0, -1)],
        {"newAxisMask": 1},
        np.s_[None, 0:2, 2:0:-1],
    ),
}


@pytest.mark.parametrize("dtype", ["float32", "int8", "int64"])
@pytest.mark.parametrize("name", SLICES)
def test_strided_slices_of_many_dimensions_equal_numpys(harness: PageHarness, name: str, dtype: str) -> None:
    shape, ranges, masks, index = SLICES[name]
    (x,) = operands(dtype, shape)
    constants = [(np.ascontiguousarray(values),) for values in np.array(ranges, np.int32).T]
    content = one_node("STRIDED_SLICE", [(shape, dtype), *constants], (x[index].shape, dtype), masks)
    (found,) = harness.load(content, CPU).run([x])
    np.testing.assert_array_equal(found, x[index])


@pytest.mark.parametrize("dtype", ["float32", "int16", "int8", "int64"])
@pytest.mark.parametrize("size", [1, 0, -1])
def test_slices_of_seven_dimensions_equal_numpys(harness: PageHarness, size: int, dtype: str) -> None:
    (x,) = operands(dtype, (2, 1, 3, 2, 1, 4, 3))
    begins, sizes = np.array([1, 0, 1, 0, 0, 2, 1], np.int32), np.array([1, 1, 2, 2, -1, size, 2], np.int32)
    expected = x[1:, :, 1:3, :, :, 2 : 2 + size if size >= 0 else None, 1:3]
    content = one_node("SLICE", [(x.shape, dtype), (begins,), (sizes,)], (expected.shape, dtype))
    (found,) = harness.load(content, CPU).run([x])
    np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize("dtype", ["float32", "int16", "int8", "int64"])
@pytest.mark.parametrize("order", [(), (1, 0), (5, 3, 0, 1, 4, 2), (3, 6, 0, -3, 1, 5, 2), (7, 0, 6, 1, 5, 2, 4, 3)])
def test_transposes_of_up_to_eight_dimensions_equal_numpys(
    harness: PageHarness, order: tuple[int, ...], dtype: str
) -> None:
    (x,) = operands(dtype, (2, 1, 3, 2, 4, 3, 1, 2)[: len(order)])
    expected = np.transpose(x, order)
    content = one_node("TRANSPOSE", [(x.shape, dtype), (np.array(order, np.int32),)], (expected.shape, dtype))
    (found,) = harness.load(content, CPU).run([x])
    np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize("rank", [5, 8])
def test_l2_normalization_of_many_dimensions_computes_as_native_litert(harness: PageHarness, rank: int) -> None:
    shape = (1, *ONE)[-rank:]
    (x,) = operands("float32", shape)
    content = one_node("L2_NORMALIZATION", [(shape,)], (shape,))
    (expected,) = native_litert.outputs_of(content, [x])
    (found,) = harness.load(content, CPU).run([x])
    np.testing.assert_allclose(found, expected, rtol=1e-6)
