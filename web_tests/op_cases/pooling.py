"""Pooling, reductions and resizing."""

import itertools
from collections.abc import Iterator
from typing import Any

from web_tests.op_cases.case import Input, OpCase, Values
from web_tests.op_cases.convolution import PADDINGS
from web_tests.op_cases.elementwise import FUSED_ACTIVATIONS

IMAGE = (1, 9, 8, 3)


def cases() -> Iterator[OpCase]:
    for op in ("AVERAGE_POOL_2D", "MAX_POOL_2D", "L2_POOL_2D"):
        yield from _pool(op)
    for op in ("MEAN", "SUM", "REDUCE_MAX", "REDUCE_MIN"):
        yield from _reduce(op)
    for op in ("RESIZE_BILINEAR", "RESIZE_NEAREST_NEIGHBOR"):
        yield from _resize(op)


def _pool(op: str) -> Iterator[OpCase]:
    def case(name: str, window: tuple[int, int], strides: tuple[int, int], padding: str, **options: Any) -> OpCase:
        values = {
            "filterHeight": window[0],
            "filterWidth": window[1],
            "strideH": strides[0],
            "strideW": strides[1],
            "padding": PADDINGS[padding],
        }
        return OpCase(name, op, (Input(IMAGE),), values | options)

    for padding, (window, stride) in itertools.product(PADDINGS, ((2, 2), (3, 1), (3, 2))):
        yield case(f"{padding}_window_{window}_stride_{stride}", (window, window), (stride, stride), padding)
    yield case("left_over_window_2_stride_3", (2, 2), (3, 3), "same")
    yield case("left_over_window_1x3_stride_2", (1, 3), (2, 2), "same")
    yield case("window_9x8", (9, 8), (1, 1), "valid")
    yield case("window_3x2", (3, 2), (1, 1), "same")
    yield case("strides_2x1", (2, 2), (2, 1), "valid")
    yield case("fused_relu", (2, 2), (2, 2), "valid", fusedActivationFunction=FUSED_ACTIVATIONS["relu"])


def _reduce(op: str) -> Iterator[OpCase]:
    axes = {"spatial": [1, 2], "last": [-1], "first": [0], "all": [0, 1, 2, 3], "one_axis": [2]}
    for (name, axis), keep in itertools.product(axes.items(), (False, True)):
        operands = (Input((2, 5, 4, 3)), Values(axis))
        yield OpCase(f"{name}{'_keep' if keep else ''}", op, operands, {"keepDims": keep})
    yield OpCase("axis_scalar", op, (Input((3, 7)), Values(1)), {"keepDims": False})
    many = (1, 2, 3, 1, 2, 1, 2, 2)
    for name, rank, reduced, keep in (
        ("rank7_all", 7, [*range(7)], False),
        ("rank8_all_keep", 8, [*range(8)], True),
        ("rank8_ends", 8, [0, 1, 6, 7], False),
        ("rank8_middle_keep", 8, [2, 3, 4], True),
    ):
        yield OpCase(name, op, (Input(many[8 - rank :]), Values(reduced)), {"keepDims": keep})


def _resize(op: str) -> Iterator[OpCase]:
    modes = {
        "half_pixel": {"halfPixelCenters": True, "alignCorners": False},
        "corners": {"halfPixelCenters": False, "alignCorners": True},
        "plain": {"halfPixelCenters": False, "alignCorners": False},
    }
    sizes = {"up_2": (10, 8), "up_odd": (13, 9), "down": (3, 2), "same": (5, 4), "one": (1, 1)}
    for (mode, options), (name, size) in itertools.product(modes.items(), sizes.items()):
        yield OpCase(f"{mode}_{name}", op, (Input((1, 5, 4, 3)), Values(size)), options, version=3)
    from_one = (Input((1, 1, 1, 6)), Values((4, 5)))
    yield OpCase("from_one_pixel", op, from_one, modes["corners"], version=3)
