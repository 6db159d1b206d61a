"""Models of one node whose scales and zero points have no meaning: each must be rejected."""

import itertools
from collections.abc import Iterator

import numpy as np

from web_tests.models.model_writer import Quantization
from web_tests.models.one_node import one_node

IMAGE = (1, 6, 6, 4)
STEPS = Quantization((0.5,), (3,))


def models() -> Iterator[tuple[str, bytes]]:
    """Yield mismatched scales and zero points: of an activation, and of a convolution's filters."""
    good = Quantization((0.5,), (3,))
    bad = {
        "none": None,
        "no_scales": Quantization((), (0,)),
        "zero_scale": Quantization((0.0,), (0,)),
        "negative_scale": Quantization((-0.5,), (0,)),
        "nan_scale": Quantization((float("nan"),), (0,)),
        "infinite_scale": Quantization((float("inf"),), (0,)),
        "far_zero_point": Quantization((0.5,), (1000,)),
        "two_scales": Quantization((0.5, 0.25), (0, 0)),
        "dimension_out_of_range": Quantization((0.5,) * 5, (0,) * 5, 9),
        "negative_dimension": Quantization((0.5,) * 5, (0,) * 5, -2),
        "fewer_zero_points": Quantization((0.5, 0.5, 0.5, 0.5), (0, 0), 3),
    }
    for name, quantization in bad.items():
        for which in ("input", "output"):
            pair = (quantization, good) if which == "input" else (good, quantization)
            yield f"RELU-{name}_of_{which}", _unary("RELU", "int8", *pair)
        yield f"CONV_2D-{name}_of_filters", _convolution(quantization)
    # Tables of int16 functions with values that are not numbers.
    for op, name, scale_of_input, scale_of_output in (
        ("EXP", "zero_scale_of_output", 1e-4, 0.0),
        ("EXP", "overflow", 1e-2, 1e-3),
        ("LOG", "zero_scale_of_output", 1e-4, 0.0),
    ):
        pair = (Quantization((scale_of_input,), (0,)), Quantization((scale_of_output,), (0,)))
        yield f"{op}-{name}", _unary(op, "int16", *pair)
    one, half, row = Quantization((1.0,)), Quantization((0.5,)), (4,)
    byte = (row, "int8", one)
    yield "MUL-no_scale_of_output", one_node("MUL", [byte, byte], (row, "int8"))
    different = [(row, "int8", Quantization((scale,))) for scale in (1e8, 1.0, 1e-8)]
    yield "ADD-different_scales", one_node("ADD", different[:2], different[2])
    yield "SUB-int16_without_scales", one_node("SUB", [(row, "int16")] * 2, (row, "int16"))
    yield "RELU-scales_of_a_scalar", one_node("RELU", [((), "int8", Quantization((1.0, 2.0)))], byte)
    yield "QUANTIZE-zero_point_128", one_node("QUANTIZE", [byte], (row, "int8", Quantization((1.0,), (128,))))
    yield "BATCH_MATMUL-integers_to_floats", one_node("BATCH_MATMUL", [((2, 2), "int8", half)] * 2, ((2, 2), "float32"))
    steps = (np.array([1, 2], np.int32),)
    yield "DILATE-int2", one_node("DILATE", [((2, 4), "int2"), steps, ((), "int2")], ((2, 7), "int2"))
    # Several scales, of which the kernel would read 0.
    for op, scaled in itertools.product(("ADD", "MUL", "PRELU"), ("x", "z", "y")):
        x, z, y = (
            ((2, 2), "int8", Quantization((1 / 128,) * (2 if name == scaled else 1), (0,), axis=1)) for name in "xzy"
        )
        yield f"{op}-scales_of_{scaled}", one_node(op, [x, z], y, version=2)
    # Valid, with more dimensions than WebNN's reshape accepts.
    yield "LOG-rank9", _unary("LOG", "int8", good, good, (1, 2, 1, 2, 1, 2, 1, 2, 1))


def _unary(
    op: str,
    dtype: str,
    of_input: Quantization | None,
    of_output: Quantization | None,
    shape: tuple[int, ...] = IMAGE,
) -> bytes:
    return one_node(op, [(shape, dtype, of_input)], (shape, dtype, of_output))


def _convolution(of_filters: Quantization | None) -> bytes:
    filters, bias = np.ones((5, 1, 1, 4), np.int8), np.ones(5, np.int32)
    inputs = (IMAGE, "int8", STEPS), (filters, of_filters), (bias, Quantization((0.25,) * 5, (0,) * 5))
    return one_node("CONV_2D", inputs, ((1, 6, 6, 5), "int8", STEPS), {"strideH": 1, "strideW": 1})
