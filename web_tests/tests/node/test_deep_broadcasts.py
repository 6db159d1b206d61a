"""Kernels of the pinned TFLite that broadcast four dimensions: the build makes them take any number."""

import numpy as np
import pytest

from web_tests.drivers.harness import LoadOptions, PageHarness
from web_tests.models.model_writer import ModelWriter, Quantization, options_object
from web_tests.models.recipes import Array
from web_tests.references import native_litert

CPU = LoadOptions(webnn=False)
# Neither is the other's shape, and no two neighbouring dimensions can be joined.
ONE, OTHER = (2, 1, 3, 1, 4, 1, 2), (1, 3, 1, 2, 4, 5, 1)
OPS = {
    "BITWISE_XOR": ("int8", "int16", "int32"),
    "EQUAL": ("float32", "int32", "int8", "bool"),
    "FLOOR_DIV": ("float32", "int32"),
    "FLOOR_MOD": ("float32", "int32", "int64"),
    "GREATER": ("float32", "int64", "uint8"),
    "LESS_EQUAL": ("float32", "int32", "int8"),
    "LOGICAL_AND": ("bool",),
    "LOGICAL_OR": ("bool",),
    "RIGHT_SHIFT": ("int8", "uint8", "int32"),
    "SQUARED_DIFFERENCE": ("float32", "int32"),
}
COMPARISONS = ("EQUAL", "GREATER", "LESS_EQUAL")
CASES = [(op, dtype) for op, dtypes in OPS.items() for dtype in dtypes]


def model(op: str, dtype: str, first: tuple[int, ...], second: tuple[int, ...]) -> bytes:
    """Return one node; comparisons of bytes have two scales, so that the kernel rescales both."""
    writer = ModelWriter()
    is_scaled = op in COMPARISONS and dtype in ("int8", "uint8")
    scales = [Quantization((scale,), (3,)) if is_scaled else None for scale in (0.25, 0.5)]
    a, b = writer.tensor("a", first, dtype, scales[0]), writer.tensor("b", second, dtype, scales[1])
    shape = np.broadcast_shapes(first, second)
    y = writer.tensor("y", shape, "bool" if op in COMPARISONS else dtype)
    options = "".join(word.title() for word in op.split("_")) + "Options"
    writer.node(op, [a, b], [y], options_object(options, {}))
    return writer.finish([a, b], [y])


def operands(dtype: str, *shapes: tuple[int, ...]) -> list[Array]:
    random = np.random.default_rng(11)
    lowest, limit = (0, 2) if dtype == "bool" else (1, 7)
    given: list[Array] = [random.integers(lowest, limit, shape).astype(dtype) for shape in shapes]
    return given


@pytest.mark.parametrize("rank", [4, 5, 7])
@pytest.mark.parametrize(("op", "dtype"), CASES)
def test_as_native_litert(harness: PageHarness, op: str, dtype: str, rank: int) -> None:
    shapes = ONE[-rank:], OTHER[-rank:]
    content, inputs = model(op, dtype, *shapes), operands(dtype, *shapes)
    (expected,) = native_litert.outputs_of(content, inputs, plain_kernels=True)
    (found,) = harness.load(content, CPU).run(inputs)
    assert found.shape == np.broadcast_shapes(*shapes)
    np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize(("first", "second"), [((2,), ONE), (ONE, ()), ((2, 0, 1, 1, 4), (1, 1, 3, 2, 4))])
def test_other_ranks_and_nothing(harness: PageHarness, first: tuple[int, ...], second: tuple[int, ...]) -> None:
    content = model("FLOOR_DIV", "int32", first, second)
    a, b = operands("int32", first, second)
    (found,) = harness.load(content, CPU).run([a, b])
    np.testing.assert_array_equal(found, a // b)
