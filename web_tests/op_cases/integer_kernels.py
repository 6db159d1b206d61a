"""Nodes of int16 and int8 for the kernels of wasm/tflite_kernels: on the CPU, they have native LiteRT's bits.

They are not among `all_cases()`, because WebNN computes most of them in float.
"""

import numpy as np

from web_tests.models.model_writer import Quantization
from web_tests.models.recipes import SEED, Array
from web_tests.op_cases.case import Input, OpCase, Operand, Provided, Values, Weights

Shape = tuple[int, ...]

SAME, VALID = 0, 1


def batch_matmul(
    dtype: str,
    a: Shape,
    b: Shape,
    *,
    adjoint_a: bool = False,
    adjoint_b: bool = False,
    bits: int = 15,
    has_ties: bool = False,
) -> OpCase:
    """Return a product whose second operand has a zero point in int8: XNNPACK rejects it.

    Args:
        dtype: of the activations, int8 or int16.
        a: shape of the first operand.
        b: shape of the second one.
        adjoint_a: as the op's option.
        adjoint_b: as the op's option.
        bits: of int16 activations, without the sign; small ones have sums of 32 bits.
        has_ties: some of the scaled sums lie in the middle between two integers; activations are small.
    """
    is_byte = dtype == "int8"
    scales, zero_points = ((0.02, 0.05, 0.3), (3, -7, 5)) if is_byte else ((1e-4, 3e-4, 2e-3), (0, 0, 0))
    low, high = (-128, 128) if is_byte else (1 - 2**bits, 2**bits)
    if has_ties:
        scales, (low, high) = (1.0, 1.0, 16.0), (-8, 8)
    first, second, result = (
        Quantization((scale,), (zero_point,)) for scale, zero_point in zip(scales, zero_points, strict=True)
    )
    return OpCase(
        f"{dtype}_{a}_{b}_{bits}{'_ties' * has_ties}",
        "BATCH_MATMUL",
        (Input(a, low, high, dtype, first), Input(b, low, high, dtype, second)),
        {"adjX": adjoint_a, "adjY": adjoint_b},
        output_quantization=result,
        version=3,
    )


def _connected(
    name: str,
    rows: int,
    depth: int,
    units: int,
    *,
    bias: str = "",
    has_bias: bool = True,
    largest_bias: int = 2**20,
    per_channel: bool = True,
    relu: bool = False,
    has_ties: bool = False,
    zero_point: int = 0,
) -> OpCase:
    """Return a FULLY_CONNECTED of int16 activations and int8 weights.

    Args:
        name: unique.
        rows: of input and output.
        depth: columns of the input.
        units: columns of the output.
        bias: its dtype, if it has one.
        has_bias: without the tensor, its dtype remains.
        largest_bias: of either sign.
        per_channel: scales of the weights.
        relu: the activation.
        has_ties: some of the scaled sums lie in the middle between two integers.
        zero_point: of the weights.
    """
    x_scale, y_scale = (1.0, 256.0) if has_ties else (1e-4, 2e-4 * depth**0.5)
    y_scale *= max(1, largest_bias / 2**21)
    count = units if per_channel else 1
    scales = np.full(count, y_scale / 16) if has_ties else _scales(count)
    # Ties must not be clamped.
    limit = 32 if has_ties else 2**15
    of_weights = Quantization(tuple(scales.tolist()), (zero_point,))
    summands = Weights((units,), -largest_bias, largest_bias, dtype=bias, quantization=_by_channel(scales * x_scale))
    operands: tuple[Operand, ...] = (
        Input((rows, depth), 1 - limit, limit, "int16", Quantization((x_scale,))),
        Weights((units, depth), -128, 128, dtype="int8", quantization=of_weights),
        summands if bias and has_bias else None,
    )
    options = {"fusedActivationFunction": int(relu)} | (
        {"quantizedBiasType": 4 if bias == "int64" else 2} if bias else {}
    )
    return OpCase(name, "FULLY_CONNECTED", operands, options, output_quantization=Quantization((y_scale,)), version=11)


def _convolved(
    name: str,
    x: Shape,
    weights: Shape,
    *,
    is_depthwise: bool = False,
    padding: int = SAME,
    stride: tuple[int, int] = (1, 1),
    dilation: tuple[int, int] = (1, 1),
    relu: bool = False,
    is_lowest: bool = False,
    has_ties: bool = False,
) -> OpCase:
    """Return a convolution of int16 activations, int8 weights [O,H,W,I] (depthwise: [1,H,W,O]) and an int64 bias.

    If it `is_lowest`, all inputs and weights are the lowest number; `has_ties` as in `_connected`.
    """
    axis = 3 if is_depthwise else 0
    channels = weights[axis]
    options = {
        "padding": padding,
        "strideH": stride[0],
        "strideW": stride[1],
        "dilationHFactor": dilation[0],
        "dilationWFactor": dilation[1],
        "fusedActivationFunction": int(relu),
    } | ({"depthMultiplier": channels // x[3]} if is_depthwise else {"quantizedBiasType": 4})
    (low, high), (lowest, highest) = (
        ((-(2**15), 1 - 2**15), (-128, -127)) if is_lowest else ((1 - 2**15, 2**15), (-128, 128))
    )
    depth = float(np.prod(weights[1 : -1 if is_depthwise else None]))
    x_scale, y_scale, scales, largest_bias = 1e-4, 2e-4 * depth**0.5, _scales(channels), 2**20
    if has_ties:
        low, high = -31, 32
        x_scale, y_scale, scales, largest_bias = 1.0, 256.0, np.full(channels, 16.0), 100
    operands = (
        Input(x, low, high, "int16", Quantization((x_scale,))),
        Weights(weights, lowest, highest, dtype="int8", quantization=_by_channel(scales, axis)),
        Weights((channels,), -largest_bias, largest_bias, dtype="int64", quantization=_by_channel(scales * x_scale)),
    )
    op, version = ("DEPTHWISE_CONV_2D", 5) if is_depthwise else ("CONV_2D", 8)
    return OpCase(name, op, operands, options, output_quantization=Quantization((y_scale,)), version=version)


def _scales(count: int) -> Array:
    return np.random.default_rng(SEED).uniform(0.005, 0.02, count)


def _by_channel(scales: Array, axis: int = 0) -> Quantization:
    return Quantization(tuple(scales.tolist()), axis=axis)


INTEGER_PRODUCTS = [
    batch_matmul("int16", (3, 19, 24), (3, 24, 17), bits=12),
    batch_matmul("int16", (2, 7, 9), (2, 8, 9), adjoint_b=True, bits=13),
    *(
        batch_matmul(dtype, a, b, adjoint_a=adjoint_a, adjoint_b=adjoint_b)
        for dtype in ("int8", "int16")
        for a, b, adjoint_a, adjoint_b in (
            ((3, 19, 24), (3, 24, 17), False, False),
            ((2, 1, 5, 9), (3, 9, 4), False, False),
            ((1, 7, 5), (1, 7, 6), True, False),
            ((2, 5, 8), (1, 3, 8), False, True),
            ((6, 11), (2, 13, 6), True, True),
            ((5, 777), (777, 12), False, False),
            ((1, 1, 1), (1, 1, 1), False, False),
        )
    ),
    *(batch_matmul(dtype, (3, 19, 24), (3, 24, 17), has_ties=True) for dtype in ("int8", "int16")),
    _connected("int16", 7, 40, 9),
    _connected("int16_long_rows", 1, 2100, 6),
    _connected("int16_bias_of_int64", 5, 16, 8, bias="int64"),
    _connected("int16_bias_of_int32", 5, 17, 3, bias="int32", relu=True),
    _connected("int16_one_scale", 3, 33, 5, per_channel=False),
    _connected("int16_one_scale_and_bias", 3, 33, 5, bias="int64", per_channel=False),
    _connected("int16_large_bias", 5, 777, 6, bias="int64", largest_bias=2**30),
    _connected("int16_ties", 40, 12, 7, bias="int64", largest_bias=100, has_ties=True),
    _connected("int16_ties_without_bias", 40, 12, 7, bias="int64", has_bias=False, has_ties=True),
    _connected("int16_zero_point", 3, 33, 5, per_channel=False, zero_point=3),
    # Doubles do not hold these sums: they are left to TFLite.
    _connected("int16_huge_bias", 2, 8, 5, bias="int64", largest_bias=2**56),
    _convolved("int16_patches", (1, 32, 32, 3), (7, 16, 16, 3), padding=VALID, stride=(16, 16)),
    _convolved("int16_3x3", (2, 7, 6, 5), (6, 3, 3, 5)),
    _convolved("int16_strides", (1, 9, 8, 4), (3, 3, 2, 4), stride=(2, 3), relu=True),
    _convolved("int16_dilated", (1, 9, 11, 2), (5, 3, 3, 2), padding=VALID, dilation=(2, 3)),
    _convolved("int16_1x1", (1, 40, 40, 24), (9, 1, 1, 24)),
    _convolved("int16_two_outputs", (1, 20, 20, 40), (2, 3, 3, 40)),
    _convolved("int16_groups", (1, 5, 5, 6), (4, 3, 3, 3)),
    _convolved("int16_ties", (1, 9, 9, 5), (6, 3, 3, 5), has_ties=True),
    _convolved("int16", (2, 7, 6, 24), (1, 3, 3, 24), is_depthwise=True),
    _convolved("int16_ties", (1, 9, 9, 13), (1, 3, 3, 13), is_depthwise=True, has_ties=True),
    _convolved("int16_5x5", (1, 9, 8, 13), (1, 5, 5, 13), is_depthwise=True, stride=(2, 3), relu=True),
    _convolved("int16_dilated", (1, 9, 11, 8), (1, 3, 2, 8), is_depthwise=True, padding=VALID, dilation=(2, 3)),
    # Less than a vector of channels, two filters a channel, and more taps than 32 bits hold: TFLite's.
    _convolved("int16_few_channels", (1, 5, 5, 7), (1, 3, 3, 7), is_depthwise=True),
    _convolved("int16_two_filters", (1, 5, 5, 8), (1, 3, 3, 16), is_depthwise=True),
    _convolved("int16_lowest", (1, 24, 24, 8), (1, 24, 24, 8), is_depthwise=True, padding=VALID, is_lowest=True),
]


def elementwise(
    op: str,
    shapes: tuple[Shape, Shape],
    scales: tuple[float, float, float],
    zero_points: tuple[int, int, int] = (0, 0, 0),
    *,
    relu: bool = False,
    has_powers_of_two: bool = False,
) -> OpCase:
    """Return a node of two int16 operands, of int8 for SQUARED_DIFFERENCE.

    `has_powers_of_two` selects the arithmetic of ADD and SUB for such scales.
    """
    dtype = "int8" if op == "SQUARED_DIFFERENCE" else "int16"
    random = np.random.default_rng(SEED)
    first, second, result = (
        Quantization((scale,), (zero_point,)) for scale, zero_point in zip(scales, zero_points, strict=True)
    )
    operands = tuple(
        Provided(activations(random, shape, dtype), dtype, quantization)
        for shape, quantization in zip(shapes, (first, second), strict=True)
    )
    options: dict[str, int] = {} if op == "SQUARED_DIFFERENCE" else {"fusedActivationFunction": int(relu)}
    if op in ("ADD", "SUB"):
        options["potScaleInt16"] = has_powers_of_two
    name = f"{dtype}_{shapes}_{scales}_{zero_points}{'_relu' * relu}{'_powers_of_two' * has_powers_of_two}"
    version = 2 if op == "SQUARED_DIFFERENCE" else 4
    shape = np.broadcast_shapes(*shapes)
    return OpCase(name, op, operands, options, output_shape=shape, output_quantization=result, version=version)


def activations(random: np.random.Generator, shape: Shape, dtype: str) -> Array:
    """Return integers of the full range, small ones and the ends of the range among them."""
    low, high = np.iinfo(dtype).min, np.iinfo(dtype).max
    values = random.integers(low, high + 1, shape) >> random.integers(0, np.iinfo(dtype).bits, shape)
    ends = random.choice([low, high, 0], shape)
    return np.where(random.random(shape) < 0.1, ends, values).astype(dtype)


SHAPES: list[tuple[Shape, Shape]] = [
    ((5, 400), (5, 400)),
    ((7, 3), (7, 3)),
    ((3, 7, 19), (19,)),
    ((3, 7, 19), (3, 7, 1)),
    ((1, 7, 16), (3, 1, 16)),
    ((1,), (2, 45)),
    ((4, 1, 9), (1, 5, 1)),
    ((1, 1), (1, 1)),
]
SUMS = ("ADD", "SUB")
# The last two lose bits in the unit that both operands are converted to.
SUM_SCALES = [
    (1e-4, 3e-4, 3.3e-4),
    (3e-4, 1e-6, 2e-4),
    (2e-4, 2e-4, 2e-4),
    (0.25, 0.5, 0.25),
    (0.3, 1e-5, 1e-4),
    (1e-5, 0.3, 1e-4),
]
DIFFERENCE_SCALES = [(0.05, 0.03, 0.2), (0.03, 0.05, 0.02), (0.05, 1e-6, 1.5), (0.05, 0.05, 0.001)]
ZERO_POINTS = (3, -7, -128)
PRODUCT_SCALES = [(1e-4, 3e-4, 2e-4), (1e-4, 3e-4, 1e-9), (2e-2, 3e-1, 1e-4), (0.5, 0.5, 0.5)]
INTEGER_ELEMENTWISE = [
    *(elementwise(op, shapes, SUM_SCALES[0]) for op in SUMS for shapes in SHAPES),
    *(elementwise(op, SHAPES[0], scales, relu=True) for op in SUMS for scales in SUM_SCALES),
    *(elementwise(op, SHAPES[0], (0.25, 0.25, 0.25), has_powers_of_two=True) for op in SUMS),
    *(elementwise("MUL", shapes, PRODUCT_SCALES[0]) for shapes in SHAPES),
    *(elementwise("MUL", SHAPES[0], scales, relu=True) for scales in PRODUCT_SCALES),
    *(elementwise("SQUARED_DIFFERENCE", shapes, DIFFERENCE_SCALES[0], ZERO_POINTS) for shapes in SHAPES),
    *(elementwise("SQUARED_DIFFERENCE", SHAPES[0], scales, (-128, 127, 4)) for scales in DIFFERENCE_SCALES),
]


def _softmax(dtype: str, shape: Shape, scale: float, *, beta: float = 1.0, is_lowest: bool = False) -> OpCase:
    """Return a SOFTMAX over the last axis; if it `is_lowest`, all inputs are the lowest number."""
    is_byte = dtype == "int8"
    quantization = Quantization((1 / 256 if is_byte else 1 / 32768,), (-128 if is_byte else 0,))
    x = _activations(shape, dtype, Quantization((scale,), (5 if is_byte else 0,)), is_lowest=is_lowest)
    name = f"{dtype}_{shape}_{scale}_{beta}{'_lowest' * is_lowest}"
    return OpCase(name, "SOFTMAX", (x,), {"beta": beta}, output_quantization=quantization, version=3)


def _mean(
    shape: Shape,
    *axes: int,
    scales: tuple[float, float] = (1e-4, 3e-5),
    keep_dims: bool = False,
    is_lowest: bool = False,
) -> OpCase:
    """Return a MEAN of int16; `is_lowest` as in a softmax."""
    x = _activations(shape, "int16", Quantization(scales[:1]), is_lowest=is_lowest)
    options, quantization = {"keepDims": keep_dims}, Quantization(scales[1:])
    name = f"int16_{shape}_{axes}_{scales}"
    return OpCase(name, "MEAN", (x, Values(axes)), options, output_quantization=quantization, version=3)


def _to_int16(size: int, scale: float, zero_point: int = 0) -> OpCase:
    """Return a QUANTIZE of somewhat more than the full range, with ties."""
    random = np.random.default_rng(SEED)
    steps = np.where(random.random(size) < 0.5, random.integers(-9, 9, size) + 0.5, 0)
    values = np.where(steps != 0, steps, random.uniform(-(2**15) - 99, 2**15 + 99, size))
    return OpCase(
        f"int16_{size}_{scale}_{zero_point}",
        "QUANTIZE",
        (Provided(values * scale),),
        output_dtype="int16",
        output_quantization=Quantization((scale,), (zero_point,)),
        version=2,
    )


def _to_floats(size: int) -> OpCase:
    x = _activations((size,), "int16", Quantization((1e-4,)))
    return OpCase(f"int16_{size}", "DEQUANTIZE", (x,), output_dtype="float32", version=3)


def _activations(shape: Shape, dtype: str, quantization: Quantization, *, is_lowest: bool = False) -> Provided:
    values = (
        np.full(shape, np.iinfo(dtype).min) if is_lowest else activations(np.random.default_rng(SEED), shape, dtype)
    )
    return Provided(values, dtype, quantization)


# Kernels that go over rows, or over all elements.
INTEGER_ROWS = [
    *(
        _softmax(dtype, shape, scale)
        for dtype, scale in (("int8", 0.05), ("int16", 2e-4))
        for shape in ((2, 3, 5, 197), (1, 16), (7, 1), (3, 9), (5, 34))
    ),
    *(_softmax("int8", (6, 50), scale, beta=0.5) for scale in (1e-4, 0.3, 2.0)),
    *(_softmax("int16", (6, 50), scale, beta=0.5) for scale in (1e-6, 1e-3, 0.02)),
    *(_softmax(dtype, (2, 1000), 0.01, is_lowest=True) for dtype in ("int8", "int16")),
    _mean((1, 19, 192), 0, 2),
    _mean((1, 19, 192), -1, keep_dims=True),
    _mean((3, 5, 7), 1, 2, scales=(1e-4, 1e-4)),
    _mean((4, 9), 1, scales=(3e-4, 1e-6)),
    _mean((4, 1), 1, scales=(1e-6, 3e-4)),
    _mean((2, 6, 5, 3), 1, 2, keep_dims=True),
    _mean((11,), 0),
    # More numbers than a sum of 32 bits holds: it wraps, as native LiteRT's does.
    _mean((2, 70_000), 1, scales=(1e-4, 1.1e-4), is_lowest=True),
    *(_to_int16(size, scale) for size in (1, 7, 8, 333) for scale in (1e-4, 3.7e-3)),
    _to_int16(7, 3.7e-3, zero_point=99),
    *(_to_floats(size) for size in (1, 4, 333)),
]
