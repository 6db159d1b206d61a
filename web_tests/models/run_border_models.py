"""Border models of wasm/runner/run_check.cc: nodes whose kernel crashes only while it runs."""

from collections.abc import Iterator
from typing import Any

from web_tests.models.border import IMAGE, Border, Tensor

Options = tuple[str, dict[str, Any]]
# Small enough for native LiteRT to run: what a kernel writes beyond the output's end is the padding of its memory.
ROW = (1, 3)
NARROW = "the kernel writes beyond the output's end, which native LiteRT notices with larger outputs only"


def run_borders() -> Iterator[Border]:
    families = (_concatenations, _convolutions, _diagonals, _reshapes, _slices, _sparse_indices, _elementwise)
    for family in families:
        yield from family()


def _concatenations() -> Iterator[Border]:
    for name, second, axis, refused in (
        ("along_the_axis", (2, 3), 0, False),
        ("along_a_negative_axis", (2, 3), -2, False),
        ("of_a_wider_input", (2, 4), 0, True),
        ("of_a_narrower_input", (2, 2), -2, True),
        ("of_another_rank", (6,), 0, True),
        ("of_an_empty_input", (0, 4), 0, True),
    ):
        inputs = (Tensor((1, 3), "float32"), Tensor(second, "float32"))
        options: Options = ("ConcatenationOptions", {"axis": axis})
        outputs = (Tensor((3, 3), "float32"),)
        yield Border(f"CONCATENATION_{name}", "CONCATENATION", inputs, outputs, refused, options)


def _convolutions() -> Iterator[Border]:
    for dtype, padding, shape in (
        ("int8", 0, IMAGE),
        ("int8", 1, (1, 2, 2, 2)),
        ("int8", 2, IMAGE),
        ("float32", 2, IMAGE),
    ):
        scale = 0.1 if dtype == "int8" else None
        inputs = (
            Tensor(IMAGE, dtype, scale),
            Tensor((1, 3, 3, 2), dtype, scale, values="random"),
            Tensor((2,), "int32" if scale else "float32", values="random"),
        )
        fields = {"padding": padding, "strideH": 1, "strideW": 1, "depthMultiplier": 1}
        options: Options = ("DepthwiseConv2DOptions", fields)
        name = f"DEPTHWISE_CONV_2D_{dtype}_with_padding_{padding}"
        yield Border(name, "DEPTHWISE_CONV_2D", inputs, (Tensor(shape, dtype, scale),), padding > 1, options)


def _diagonals() -> Iterator[Border]:
    for dtype in ("int8", "uint8", "int16", "uint16", "uint32", "float32", "int64"):
        row, matrix = Tensor(ROW, dtype), Tensor((*ROW, ROW[-1]), dtype)
        for op, inputs in (("MATRIX_DIAG", (row,)), ("MATRIX_SET_DIAG", (matrix, row))):
            options: Options = ("".join(word.title() for word in op.split("_")) + "Options", {})
            refused = dtype == "uint16"
            undefined = NARROW if refused else ""
            yield Border(f"{op}_of_{dtype}", op, inputs, (matrix,), refused, options, undefined)


def _reshapes() -> Iterator[Border]:
    for dtype, is_narrow in (("float32", False), ("int16", True), ("int8", True)):
        inputs, outputs = (Tensor(ROW, "int32"), Tensor((1,), "int32", values=[3])), (Tensor((3,), dtype),)
        options: Options = ("ReshapeOptions", {})
        undefined = NARROW if is_narrow else ""
        yield Border(f"RESHAPE_int32_to_{dtype}", "RESHAPE", inputs, outputs, is_narrow, options, undefined)


def _slices() -> Iterator[Border]:
    for begin, size, declared, refused in ((0, -1, 4, False), (0, -1, 3, True), (1, -1, 3, False), (1, 2, 1, False)):
        indices = (Tensor((1,), "int32", values=[begin]), Tensor((1,), "int32", values=[size]))
        inputs, outputs = (Tensor(dtype="float32"), *indices), (Tensor((declared,), "float32"),)
        options: Options = ("SliceOptions", {})
        yield Border(f"SLICE_{begin}_{size}_to_{declared}", "SLICE", inputs, outputs, refused, options)


def _sparse_indices() -> Iterator[Border]:
    rows: tuple[tuple[str, Any, tuple[int, ...], bool], ...] = (
        ("last", [0, 3], (4,), False),
        ("behind_the_last", [0, 4], (4,), True),
        ("before_the_first", [-1, 3], (4,), True),
        ("last_of_a_row", [[0, 3]], (2, 4), False),
        ("behind_the_last_of_a_row", [[0, 4]], (2, 4), True),
        ("behind_the_last_row", [[2, 0]], (2, 4), True),
    )
    for dtype in ("int32", "int64"):
        for name, indices, shape, refused in rows:
            places = Tensor(
                (len(indices), len(indices[0])) if len(shape) > 1 else (len(indices),), dtype, values=indices
            )
            inputs = (
                places,
                Tensor((len(shape),), dtype, values=shape),
                Tensor((), "float32"),
                Tensor((), "float32", values=1.5),
            )
            options: Options = ("SparseToDenseOptions", {})
            yield Border(
                f"SPARSE_TO_DENSE_{dtype}_{name}",
                "SPARSE_TO_DENSE",
                inputs,
                (Tensor(shape, "float32"),),
                refused,
                options,
            )


def _elementwise() -> Iterator[Border]:
    for op in ("STABLEHLO_ADD", "STABLEHLO_MAXIMUM", "STABLEHLO_MINIMUM", "STABLEHLO_MULTIPLY", "STABLEHLO_AND"):
        for dtype, is_narrow in (("int32", False), ("float32", False), ("int16", True), ("int8", True)):
            inputs = (Tensor(ROW, "int32"),) * 2
            undefined = NARROW if is_narrow else ""
            name = f"{op}_int32_to_{dtype}"
            yield Border(name, op, inputs, (Tensor(ROW, dtype),), is_narrow, undefined=undefined)
        floats = Tensor(ROW, "float32")
        yield Border(f"{op}_of_float32", op, (floats, floats), (floats,), op == "STABLEHLO_AND")
