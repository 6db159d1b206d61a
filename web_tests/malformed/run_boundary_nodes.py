"""Boundary models of node_tensors.cc and the guards in wasm/tflite_kernels: nodes that crash only in a run."""

from collections.abc import Iterator
from typing import Any

from web_tests.malformed.boundary import IMAGE, Boundary, tensor
from web_tests.models.op_options import Options
from web_tests.op_cases.case import Operand

# Small enough for native LiteRT to run: what a kernel writes beyond the output's end is the padding of its memory.
ROW = (1, 3)
NARROW = "the kernel writes beyond the output's end, which native LiteRT notices with larger outputs only"


def run_boundaries() -> Iterator[Boundary]:
    types = (_diagonals, _fake_quantizations, _reshapes, _elementwise)
    checked_before = (_concatenations, _convolutions, _multipliers, *types, _slices, _sparse_indices)
    for family in (*checked_before, _paddings, _radii, _narrow_results, _tables, _long_paddings):
        yield from family()


def _concatenations() -> Iterator[Boundary]:
    for name, second, axis, rejected in (
        ("along_the_axis", (2, 3), 0, False),
        ("along_a_negative_axis", (2, 3), -2, False),
        ("of_a_wider_input", (2, 4), 0, True),
        ("of_a_narrower_input", (2, 2), -2, True),
        ("of_another_rank", (6,), 0, True),
        ("of_an_empty_input", (0, 4), 0, True),
    ):
        inputs = (tensor((1, 3), "float32"), tensor(second, "float32"))
        options: Options = {"axis": axis}
        outputs = (tensor((3, 3), "float32"),)
        yield Boundary(f"CONCATENATION_{name}", "CONCATENATION", inputs, outputs, rejected, options)


def _convolutions() -> Iterator[Boundary]:
    for dtype, padding, shape in (
        ("int8", 0, IMAGE),
        ("int8", 1, (1, 2, 2, 2)),
        ("int8", 2, IMAGE),
        ("float32", 2, IMAGE),
    ):
        scale = 0.1 if dtype == "int8" else None
        inputs = (
            tensor(IMAGE, dtype, scale),
            tensor((1, 3, 3, 2), dtype, scale, values="random"),
            tensor((2,), "int32" if scale else "float32", values="random"),
        )
        fields = {"padding": padding, "strideH": 1, "strideW": 1, "depthMultiplier": 1}
        options: Options = fields
        name = f"DEPTHWISE_CONV_2D_{dtype}_with_padding_{padding}"
        yield Boundary(name, "DEPTHWISE_CONV_2D", inputs, (tensor(shape, dtype, scale),), padding > 1, options)


def _multipliers() -> Iterator[Boundary]:
    inputs = (
        tensor(IMAGE, "int16", 0.1),
        tensor((1, 3, 3, 2), "int8", 0.1, values="random"),
        tensor((2,), "int64", values="random"),
    )
    for multiplier in (1, 127):  # the filter says how many results a channel has
        fields = {"padding": 0, "strideH": 1, "strideW": 1, "depthMultiplier": multiplier}
        name, options = f"DEPTHWISE_CONV_2D_int16_multiplied_by_{multiplier}", fields
        yield Boundary(name, "DEPTHWISE_CONV_2D", inputs, (tensor(IMAGE, "int16", 0.1),), False, options)


def _diagonals() -> Iterator[Boundary]:
    for dtype in ("int8", "uint8", "int16", "uint16", "uint32", "float32", "int64"):
        row, matrix = tensor(ROW, dtype), tensor((*ROW, ROW[-1]), dtype)
        for op, inputs in (("MATRIX_DIAG", (row,)), ("MATRIX_SET_DIAG", (matrix, row))):
            rejected = dtype == "uint16"
            undefined = NARROW if rejected else ""
            yield Boundary(f"{op}_of_{dtype}", op, inputs, (matrix,), rejected, undefined=undefined)


def _fake_quantizations() -> Iterator[Boundary]:
    options: Options = {"min": 0.0, "max": 1.0, "numBits": 8}
    for dtype, rejected in (("float32", False), ("int32", False), ("int16", True), ("uint8", True)):
        row = tensor(ROW, dtype)
        undefined = NARROW if rejected else ""
        yield Boundary(f"FAKE_QUANT_{dtype}", "FAKE_QUANT", (row,), (row,), rejected, options, undefined)


def _reshapes() -> Iterator[Boundary]:
    for dtype, is_narrow in (("float32", False), ("int16", True), ("int8", True)):
        inputs, outputs = (tensor(ROW, "int32"), tensor((1,), "int32", values=[3])), (tensor((3,), dtype),)
        undefined = NARROW if is_narrow else ""
        yield Boundary(f"RESHAPE_int32_to_{dtype}", "RESHAPE", inputs, outputs, is_narrow, undefined=undefined)


def _slices() -> Iterator[Boundary]:
    for begin, size, declared, rejected in ((0, -1, 4, False), (0, -1, 3, True), (1, -1, 3, False), (1, 2, 1, False)):
        indices = (tensor((1,), "int32", values=[begin]), tensor((1,), "int32", values=[size]))
        inputs, outputs = (tensor(dtype="float32"), *indices), (tensor((declared,), "float32"),)
        yield Boundary(f"SLICE_{begin}_{size}_to_{declared}", "SLICE", inputs, outputs, rejected)


def _sparse_indices() -> Iterator[Boundary]:
    rows: tuple[tuple[str, Any, tuple[int, ...], bool], ...] = (
        ("last", [0, 3], (4,), False),
        ("behind_the_last", [0, 4], (4,), True),
        ("before_the_first", [-1, 3], (4,), True),
        ("last_of_a_row", [[0, 3]], (2, 4), False),
        ("behind_the_last_of_a_row", [[0, 4]], (2, 4), True),
        ("behind_the_last_row", [[2, 0]], (2, 4), True),
    )
    for dtype in ("int32", "int64"):
        for name, indices, shape, rejected in rows:
            index_tensor = tensor(
                (len(indices), len(indices[0])) if len(shape) > 1 else (len(indices),), dtype, values=indices
            )
            inputs = (
                index_tensor,
                tensor((len(shape),), dtype, values=shape),
                tensor((), "float32"),
                tensor((), "float32", values=1.5),
            )
            yield Boundary(
                f"SPARSE_TO_DENSE_{dtype}_{name}",
                "SPARSE_TO_DENSE",
                inputs,
                (tensor(shape, "float32"),),
                rejected,
            )


def _elementwise() -> Iterator[Boundary]:
    for op in ("STABLEHLO_ADD", "STABLEHLO_MAXIMUM", "STABLEHLO_MINIMUM", "STABLEHLO_MULTIPLY", "STABLEHLO_AND"):
        for dtype, is_narrow in (("int32", False), ("float32", False), ("int16", True), ("int8", True)):
            inputs = (tensor(ROW, "int32"),) * 2
            undefined = NARROW if is_narrow else ""
            name = f"{op}_int32_to_{dtype}"
            yield Boundary(name, op, inputs, (tensor(ROW, dtype),), is_narrow, undefined=undefined)
        floats = tensor(ROW, "float32")
        yield Boundary(f"{op}_of_float32", op, (floats, floats), (floats,), op == "STABLEHLO_AND")


def _paddings() -> Iterator[Boundary]:
    image, filters = tensor(IMAGE, scales=0.1), tensor((3, 1, 1, 2), scales=0.1, values="random")
    shape = tensor((4,), "int32", values=[1, 4, 4, 3])
    layers = {
        "CONV_2D": (image, filters, tensor((3,), "int32", values="random")),
        "TRANSPOSE_CONV": (shape, filters, image),
    }
    for op, inputs in layers.items():
        for padding in (0, 1, 2, -1):
            options = {"padding": padding, "strideH": 1, "strideW": 1}
            outputs = (tensor((1, 4, 4, 3), scales=0.1),)
            yield Boundary(f"{op}_with_padding_{padding}", op, inputs, outputs, padding not in (0, 1), options)


def _radii() -> Iterator[Boundary]:
    image = tensor(IMAGE, "float32")
    for radius in (-1, 0, 2, 2**16 - 1, 2**16):
        rejected = not 0 <= radius < 2**16
        fields = {"radius": radius, "bias": 1.0, "alpha": 0.5, "beta": 0.5}
        options: Options = fields
        name = f"LOCAL_RESPONSE_NORMALIZATION_{radius}"
        undefined = "" if radius < 0 else "wasm has no memory for any larger one"
        yield Boundary(
            name, "LOCAL_RESPONSE_NORMALIZATION", (image,), (image,), rejected, options, undefined if rejected else ""
        )


def _narrow_results() -> Iterator[Boundary]:
    first, axis = tensor(ROW, "float32"), tensor((1,), "int32", values=[0])
    sums: Options = {"keepDims": True}
    rows: tuple[tuple[str, tuple[Operand, ...], Options], ...] = (
        ("CUMSUM", (first, tensor((), "int32", values=0)), {}),
        ("MEAN", (first, axis), sums),
        ("REDUCE_MAX", (first, axis), sums),
        ("REDUCE_MIN", (first, axis), sums),
        ("REDUCE_PROD", (first, axis), sums),
        ("SEGMENT_SUM", (tensor((1, 3), "float32"), axis), {}),
        ("SUM", (first, axis), sums),
    )
    for op, inputs, options in rows:
        for dtype, is_narrow in (("float32", False), ("int16", True)):
            undefined = NARROW if is_narrow else ""
            name = f"{op}_float32_to_{dtype}"
            yield Boundary(name, op, inputs, (tensor(ROW, dtype),), is_narrow, options, undefined)
    column = tensor((3, 1), "float32")  # any softmax of one number is 1
    for dtype, is_narrow in (("float32", False), ("int16", True)):
        options = {"beta": 1.0}
        undefined = NARROW if is_narrow else ""
        outputs = (tensor((3, 1), dtype),)
        yield Boundary(f"SOFTMAX_float32_to_{dtype}", "SOFTMAX", (column,), outputs, is_narrow, options, undefined)


def _tables() -> Iterator[Boundary]:
    for op, scale in (("LOG", None), ("RSQRT", None), ("LOG", 1e-4)):
        row = tensor(dtype="int16", scales=scale)
        yield Boundary(f"{op}_of_int16_{scale}", op, (row,), (row,), scale is None)


def _long_paddings() -> Iterator[Boundary]:
    rows: tuple[tuple[list[int], list[int], bool], ...] = (
        ([1, 0], [0, 2], False),
        ([2**32 - 3, 0], [0, 0], True),
        ([0, 0], [3 * 2**33 + 2, 1], True),
        ([2**30, 0], [0, 2**20], True),
    )
    for low, interior, rejected in rows:
        inputs = (tensor((3, 4)), tensor((), values=1))
        fields = {"edgePaddingLow": low, "edgePaddingHigh": [0, 0], "interiorPadding": interior}
        outputs = (tensor((4, 10)),)
        name = f"STABLEHLO_PAD_{low[0]}_{interior[0]}_{interior[1]}"
        yield Boundary(name, "STABLEHLO_PAD", inputs, outputs, rejected, fields)
