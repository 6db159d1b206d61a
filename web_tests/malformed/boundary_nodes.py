"""Models of one node on both sides of each limit of the runner's checks (wasm/runtime/validate).

Native LiteRT runs the models on one side, and rejects or crashes on the others. The module must reject these with
an error. The models are as close to the limit as the numbers allow.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np

from web_tests.malformed.boundary import IMAGE, INFINITE, Boundary, tensor
from web_tests.malformed.run_boundary_nodes import run_boundaries
from web_tests.op_cases.case import Operand


def all_boundaries() -> list[Boundary]:
    arithmetic = (_sums, _squares, _comparisons, _products, _quotients)
    families = (*arithmetic, _layers, _matrices, _conversions, _reductions, _activations, _scales, _shapes)
    return [boundary for family in (*families, run_boundaries) for boundary in family()]


def _below(value: float) -> float:
    return float(np.nextafter(np.float32(value), np.float32(0)))


def _above(value: float) -> float:
    return float(np.nextafter(np.float32(value), np.float32(np.inf)))


Scales = tuple[float | None, ...]


def _pair(
    name: str, op: str, scales: Scales, rejected: bool, dtype: str = "int8", undefined: str = "", **options: Any
) -> Boundary:
    """Return a node of two inputs and an output with these scales."""
    *inputs, output = (tensor(dtype=dtype, scales=scale) for scale in scales)
    return Boundary(f"{op}_{name}", op, tuple(inputs), (output,), rejected, options, undefined)


def _sums() -> Iterator[Boundary]:
    boundary = 2.0**19  # twice the larger scale over 2^20 times the output's is 1
    yield _pair("below_1", "ADD", (_below(boundary), 1.0, 1.0), False)
    yield _pair("of_1", "ADD", (boundary, 1.0, 1.0), True)
    yield _pair("above_1", "ADD", (_above(boundary), 1.0, 1.0), True)
    yield _pair("of_a_subnormal", "ADD", (1e-45, 1.0, 1.0), False)
    yield _pair("of_0", "ADD", (0.0, 1.0, 1.0), True)
    yield _pair("to_a_huge_scale", "ADD", (1.0, 1.0, 2.0**107), False)
    yield _pair("of_huge_scales", "ADD", (2.0**126, 1.0, 1.5 * 2.0**107), False)
    yield _pair("below_1", "SUB", (_below(boundary), 1.0, 1.0), False)
    yield _pair("of_1", "SUB", (boundary, 1.0, 1.0), True)
    yield _pair("above_1", "SUB", (_above(boundary), 1.0, 1.0), False)
    yield _pair("of_0", "SUB", (0.0, 1.0, 1.0), True)
    # ai-edge-quantizer's constant 0.0.
    yield _pair("of_nothing", "SUB", (1e-3, 1e-9 / 32767, 1e-3), False, "int16")
    boundary = 2.0**14
    for op, may_be_above in {"ADD": False, "SUB": True}.items():
        yield _pair("int16_below_1", op, (_below(boundary), 1.0, 1.0), False, "int16", potScaleInt16=False)
        yield _pair("int16_of_1", op, (boundary, 1.0, 1.0), True, "int16", potScaleInt16=False)
        above = (_above(boundary), 1.0, 1.0)
        yield _pair("int16_above_1", op, above, not may_be_above, "int16", potScaleInt16=False)
        yield _pair("int16_shifted", op, (0.5, 1.0, 1.0), False, "int16", potScaleInt16=True)
        yield _pair("int16_of_0", op, (0.5, 0.0, 0.5), True, "int16", potScaleInt16=True)
    yield _pair("int16_plain", "ADD", (None, None, None), False, "int16")
    unprepared = "the kernel computes with multipliers that it has not prepared"
    yield _pair("int16_plain_to_a_scale", "ADD", (None, None, 1.0), True, "int16", unprepared)
    yield _pair("int16_plain", "SUB", (None, None, None), True, "int16")


def _squares() -> Iterator[Boundary]:
    boundary = 2.0**6  # the square of twice the scale over 2^14 times the output's is 1
    for name, scales, rejected in (
        ("below_1", (_below(boundary), 1.0, 1.0), False),
        ("of_1", (boundary, 1.0, 1.0), True),
        ("of_0", (0.0, 1.0, 1.0), True),
        ("of_tiny_scales", (2.0**-70, 2.0**-70, 1.0), False),
        ("to_an_overflow", (1.0, 1.0, 2.0**114), True),
    ):
        yield _pair(name, "SQUARED_DIFFERENCE", scales, rejected)


def _comparisons() -> Iterator[Boundary]:
    for op in ("EQUAL", "NOT_EQUAL", "GREATER", "GREATER_EQUAL", "LESS", "LESS_EQUAL"):
        for name, scale, rejected in (
            ("below_1", _below(1), False),
            ("of_1", 1.0, True),
            ("above_1", _above(1), False),
            ("of_0", 0.0, True),
            ("of_a_subnormal", 1e-45, False),
        ):
            yield _comparison(f"{op}_{name}", op, scale, rejected, "int8")
        compares_int16 = op in ("EQUAL", "NOT_EQUAL")  # the others compare int16 unscaled
        yield _comparison(f"{op}_int16_of_1", op, 1.0, compares_int16, "int16")
    yield _comparison("EQUAL_int16_plain", "EQUAL", None, False, "int16")


def _comparison(name: str, op: str, scale: float | None, rejected: bool, dtype: str) -> Boundary:
    inputs = (tensor(dtype=dtype, scales=scale), tensor(dtype=dtype, scales=0.5 if scale is not None else None))
    return Boundary(name, op, inputs, (tensor(dtype="bool"),), rejected)


def _products() -> Iterator[Boundary]:
    # The published detector's.
    yield _pair("to_a_tiny_scale", "MUL", (0.02, 0.01, 2.97e-35), False)
    yield _pair("of_tiny_scales", "MUL", (2.97e-35, 0.01, 2.97e-37), False)
    yield _pair("of_0", "MUL", (0.0, 1.0, 1.0), False)
    yield _pair("largest", "MUL", (2.0**63, 2.0**64, 1.0), False)
    yield _pair("overflow", "MUL", (2.0**64, 2.0**64, 1.0), True, undefined=INFINITE)
    yield _pair("to_0", "MUL", (1.0, 1.0, 0.0), True, undefined=INFINITE)
    yield _pair("to_none", "MUL", (1.0, 1.0, None), True, undefined=INFINITE)
    yield _pair("none_to_none", "MUL", (1.0, None, None), False)


def _quotients() -> Iterator[Boundary]:
    for name, scales, rejected in (
        ("of_tiny_scales", (0.1, 1e-30, 0.1), False),
        ("by_0", (0.1, 0.0, 0.1), True),
        ("to_0", (0.1, 0.1, 0.0), True),
        ("of_0_by_0", (0.0, 0.0, 0.1), False),
    ):
        unset = "frexp() of no number leaves the multiplier's shift unset" if name == "of_0_by_0" else ""
        yield _pair(name, "DIV", scales, rejected, "uint8", INFINITE if rejected else unset)


def _layers() -> Iterator[Boundary]:
    rows: tuple[tuple[str, tuple[float, float, float | None], bool], ...] = (
        ("to_a_tiny_scale", (0.1, 0.1, 1e-35), False),
        ("of_huge_scales", (2.0**100, 2.0**100, 2.0**-100), False),
        ("of_a_scale_of_0", (0.1, 0.0, 0.1), False),
        ("to_0", (0.1, 0.1, 0.0), True),
        ("to_none", (0.1, 0.1, None), True),
        ("of_negative_scales", (-0.1, 0.1, 0.1), False),
    )
    for name, (x, filters, y), rejected in rows:
        yield _convolution(name, x, filters, y, rejected)
    for zero_point in (128, -129, 1000):
        yield _convolution(f"with_zero_point_{zero_point}", 0.1, 0.1, 0.1, False, zero_point)
    unscaled = (tensor((2, 3), scales=0.0),)
    weights = tensor((3, 4), scales=0.1, values="random")
    inputs = (tensor((2, 4), scales=0.1), weights)
    yield Boundary("FULLY_CONNECTED_to_0", "FULLY_CONNECTED", inputs, unscaled, True)


def _convolution(name: str, x: float, weights: float, y: float | None, rejected: bool, zero_point: int = 0) -> Boundary:
    inputs = (
        tensor(IMAGE, scales=x, zero_points=(zero_point,)),
        tensor((3, 3, 3, 2), scales=weights, values="random"),
        tensor((3,), "int32", values="random"),
    )
    options = {"strideH": 1, "strideW": 1}
    undefined = INFINITE if rejected else ""
    return Boundary(
        f"CONV_2D_{name}", "CONV_2D", inputs, (tensor((1, 4, 4, 3), scales=y),), rejected, options, undefined
    )


def _matrices() -> Iterator[Boundary]:
    left, right = tensor((2, 4), scales=0.1), tensor((4, 3), scales=0.1)
    channels = tuple(0.01 * (i + 1) for i in range(3))
    rows = tensor((2, 4), scales=(0.01, 0.02), zero_points=(0, 0), values="random")
    yield _product("of_a_left_constant_with_channels", rows, right, False)
    yield _product("of_channels", left, tensor((4, 3), scales=channels, axis=1, values="random"), False)
    for name, points, rejected in (("all", (3, 3, 3), False), ("later", (0, 0, 3), True)):
        weights = tensor((4, 3), scales=channels, zero_points=points, axis=1, values="random")
        yield _product(f"of_channels_with_zero_points_in_{name}", left, weights, rejected)
        floats = tensor((2, 4), "float32")
        yield _product(f"of_float_and_zero_points_in_{name}", floats, weights, rejected, tensor((2, 3), "float32"))
    smallest = float(np.finfo(np.float32).smallest_normal)
    yield _product("of_the_smallest_scale", tensor((2, 4), scales=smallest), right, False)
    yield _product("of_a_subnormal_scale", tensor((2, 4), scales=_below(smallest)), right, True)
    yield _product("of_0", tensor((2, 4), scales=0.0), right, True)
    yield _product("of_none", tensor((2, 4)), right, False)
    yield _product("with_zero_point_127", tensor((2, 4), scales=0.1, zero_points=(127,)), right, False)
    yield _product("with_zero_point_128", tensor((2, 4), scales=0.1, zero_points=(128,)), right, True)
    yield _product("to_none", left, right, True, tensor((2, 3)), INFINITE)
    yield _product("of_rank_1", tensor((4,), "float32"), tensor((4, 3), "float32"), True, tensor((3,), "float32"))


def _product(
    name: str, left: Operand, right: Operand, rejected: bool, output: Operand | None = None, undefined: str = ""
) -> Boundary:
    output = output or tensor((2, 3), scales=0.1)
    return Boundary(f"BATCH_MATMUL_{name}", "BATCH_MATMUL", (left, right), (output,), rejected, undefined=undefined)


def _conversions() -> Iterator[Boundary]:
    smallest = float(np.finfo(np.float32).smallest_normal)
    for dtype in ("int8", "float32"):
        x = tensor(dtype=dtype, scales=None if dtype == "float32" else 0.1)
        for name, y, rejected in (
            ("to_127", tensor(scales=0.1, zero_points=(127,)), False),
            ("to_128", tensor(scales=0.1, zero_points=(128,)), True),
            ("to_the_smallest_scale", tensor(scales=smallest), False),
            ("to_a_subnormal_scale", tensor(scales=_below(smallest)), True),
            ("to_0", tensor(scales=0.0), True),
        ):
            yield Boundary(f"QUANTIZE_{dtype}_{name}", "QUANTIZE", (x,), (y,), rejected)
    large = tensor(dtype="int32", scales=0.1)
    yield Boundary("QUANTIZE_int32", "QUANTIZE", (large,), (tensor(scales=1e-38),), False)
    undefined = tensor(scales=0.0)
    yield Boundary("QUANTIZE_int32_to_0", "QUANTIZE", (large,), (undefined,), True, undefined=INFINITE)


def _reductions() -> Iterator[Boundary]:
    axis = tensor((1,), "int32", values=[0])
    options = {"keepDims": True}
    for op in ("MEAN", "SUM", "REDUCE_PROD"):
        inputs = (tensor(scales=0.1), axis)
        yield Boundary(f"{op}_to_a_scale", op, inputs, (tensor((1,), scales=0.1),), False, options)
        yield Boundary(f"{op}_to_none", op, inputs, (tensor((1,)),), True, options, INFINITE)


def _activations() -> Iterator[Boundary]:
    slopes = tensor((2,), scales=0.1, values="random")
    unary: dict[str, tuple[tuple[Operand, ...], dict[str, Any]]] = {
        "RELU": ((), {}),
        "RELU6": ((), {}),
        "LEAKY_RELU": ((), {"alpha": 0.1}),
        "PRELU": ((slopes,), {}),
        "HARD_SWISH": ((), {}),
    }
    for op, (constants, options) in unary.items():
        inputs = (tensor(IMAGE, scales=0.1), *constants)
        yield Boundary(f"{op}_to_a_scale", op, inputs, (tensor(IMAGE, scales=0.1),), False, options)
        yield Boundary(f"{op}_to_none", op, inputs, (tensor(IMAGE),), True, options, INFINITE)
        unscaled = (tensor(IMAGE), *constants)
        yield Boundary(f"{op}_of_none", op, unscaled, (tensor(IMAGE),), False, options)
    for name, beta in (("beta_1", 1.0), ("beta_overflows", 1e38)):
        undefined = INFINITE if beta > 1 else "the differences overflow"
        outputs = (tensor(dtype="int16", scales=1 / 32768),)
        softmax = {"beta": beta}
        inputs = (tensor(dtype="int16", scales=1e3),)
        yield Boundary(f"SOFTMAX_int16_{name}", "SOFTMAX", inputs, outputs, beta > 1, softmax, undefined)


def _scales() -> Iterator[Boundary]:
    yield Boundary("RELU_of_a_negative_scale", "RELU", (tensor(scales=-0.5),), (tensor(scales=1.0),), False)
    largest = float(np.finfo(np.float32).max)
    yield Boundary("RELU_of_the_largest_scale", "RELU", (tensor(scales=largest),), (tensor(scales=largest),), False)
    infinity = (tensor(scales=float("inf")),)
    yield Boundary("RELU_of_infinity", "RELU", infinity, (tensor(scales=1.0),), True, undefined=INFINITE)
    pool = {"strideH": 2, "strideW": 2, "filterHeight": 2, "filterWidth": 2}
    pooled = (tensor((1, 2, 2, 2)),)
    yield Boundary("AVERAGE_POOL_2D_to_none", "AVERAGE_POOL_2D", (tensor(IMAGE, scales=0.1),), pooled, False, pool)
    inputs = (tensor(scales=0.1),)
    yield Boundary("ABS_to_a_scale", "ABS", inputs, (tensor(scales=0.2),), False)
    yield Boundary("ABS_to_0", "ABS", inputs, (tensor(scales=0.0),), True, undefined=INFINITE)


def _shapes() -> Iterator[Boundary]:
    six = tensor((1,) * 6, "float32")
    for rank in (6, 7):
        inputs = (six, tensor((rank,), "int32", values=list(range(rank))))
        yield Boundary(f"TRANSPOSE_{rank}_of_6", "TRANSPOSE", inputs, (six,), rank > 6)
    for begin, size, rejected in ((3, 1, False), (3, 2, True), (0, -1, False), (5, -1, True), (-1, 1, True)):
        indices = (tensor((1,), "int32", values=[begin]), tensor((1,), "int32", values=[size]))
        sliced = (tensor((4 if size < 0 else 1,), "float32"),)
        sliced_inputs = (tensor(dtype="float32"), *indices)
        undefined = "XNNPACK reads beyond the input's end" if begin + size > 4 else ""
        yield Boundary(f"SLICE_{begin}_{size}", "SLICE", sliced_inputs, sliced, rejected, undefined=undefined)
    for activation, rejected in ((0, False), (1, True)):
        options = {"fusedActivationFunction": activation}
        undefined = "XNNPACK leaves the activation out; TFLite's own kernel rejects it" if rejected else ""
        joined = (tensor((8,), "float32"),)
        name = f"CONCATENATION_activation_{activation}"
        yield Boundary(name, "CONCATENATION", (tensor(dtype="float32"),) * 2, joined, rejected, options, undefined)
    for splits in (1, 2, 3):
        inputs = (tensor((), "int32", values=0), tensor(dtype="float32"))
        halves = (tensor((2,), "float32"),) * 2
        options = {"numSplits": splits}
        yield Boundary(f"SPLIT_{splits}_of_2", "SPLIT", inputs, halves, splits != 2, options)
    for shape, rejected in (((1, 3), False), ((4, 3), True)):
        inputs = (tensor((2,), "int32", values=[2, 3]), tensor((2,), "int32", values=list(shape)))
        name = f"BROADCAST_ARGS_{shape[0]}_to_2"
        yield Boundary(name, "BROADCAST_ARGS", inputs, (tensor((2,), "int32"),), rejected)
