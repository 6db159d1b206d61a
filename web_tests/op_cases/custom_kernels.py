"""Nodes of floats and bytes for the kernels of wasm/tflite_kernels: on the CPU, they have native LiteRT's bits.

They are not among `all_cases()`, because WebNN rounds differently.
"""

import itertools
from collections.abc import Iterator, Sequence

import numpy as np

from web_tests.models.model_writer import Quantization
from web_tests.models.recipes import SEED
from web_tests.op_cases.case import Input, OpCase, Operand, Provided, Values, Weights

Shape = tuple[int, ...]

SAME, VALID = 0, 1
NO_ACTIVATION, RELU, RELU_N1_TO_1, RELU6 = 0, 1, 2, 3


def depthwise(
    shape: Shape,
    window: tuple[int, int] = (3, 3),
    *,
    stride: tuple[int, int] = (1, 1),
    dilation: tuple[int, int] = (1, 1),
    padding: int = SAME,
    activation: int = NO_ACTIVATION,
    multiplier: int = 1,
    ranges: Sequence[tuple[float, float]] = ((-2, 3),),
    is_computed: bool = False,
) -> OpCase:
    """Return a DEPTHWISE_CONV_2D of float32 activations and int8 weights.

    Args:
        shape: of the input, [batch, height, width, channels].
        window: height and width of the filter.
        stride: vertical and horizontal.
        dilation: vertical and horizontal.
        padding: SAME or VALID.
        activation: of the schema's ActivationFunctionType.
        multiplier: filters per channel.
        ranges: lower and upper bounds of the uniform values of each image of the batch, repeated.
        is_computed: filter and bias are inputs of float32, and one value of the image is NaN.
    """
    random = np.random.default_rng(SEED)
    bounds = itertools.islice(itertools.cycle(ranges), shape[0])
    image = np.stack([random.uniform(low, high, shape[1:]) for low, high in bounds])
    channels = shape[3] * multiplier
    filters, bias = (1, *window, channels), (channels,)
    weights: tuple[Operand, ...] = Input(filters, -1, 1), Input(bias, -1, 1)
    if is_computed:
        image.flat[0] = np.nan
    else:
        scales = Quantization(tuple(random.uniform(0.001, 0.02, channels).tolist()), axis=3)
        weights = Weights(filters, -127, 128, dtype="int8", quantization=scales), Weights(bias)
    options = {
        "padding": padding,
        "strideH": stride[0],
        "strideW": stride[1],
        "depthMultiplier": multiplier,
        "dilationHFactor": dilation[0],
        "dilationWFactor": dilation[1],
        "fusedActivationFunction": activation,
    }
    kind = "computed" if is_computed else "hybrid"
    name = f"{kind}_{shape}_{window}_{stride}_{dilation}_{padding}_{activation}_{multiplier}_{ranges}"
    return OpCase(name, "DEPTHWISE_CONV_2D", (Provided(image), *weights), options, version=1 if is_computed else 6)


# For this project's kernel: one filter per channel, and at least 8 channels.
HYBRID_DEPTHWISE = (
    depthwise((1, 9, 8, 16)),
    depthwise((1, 9, 8, 32), stride=(2, 2), activation=RELU6),
    depthwise((1, 7, 7, 24), padding=VALID, activation=RELU),
    depthwise((1, 8, 9, 8), (5, 5), stride=(2, 1), activation=RELU_N1_TO_1),
    depthwise((1, 6, 5, 9), (2, 2), padding=VALID),
    depthwise((1, 6, 5, 10), (3, 1), stride=(1, 3)),
    depthwise((1, 5, 6, 13), (1, 3)),
    depthwise((1, 5, 5, 17), (1, 1)),
    depthwise((1, 12, 11, 19), dilation=(2, 3), activation=RELU),
    depthwise((1, 12, 11, 40), dilation=(3, 2), padding=VALID),
    depthwise((1, 4, 4, 33), (7, 7)),
    depthwise((1, 2, 2, 20), (5, 3), dilation=(4, 4)),
    depthwise((3, 6, 7, 21), ranges=((-1, 0), (0, 9), (0.5, 0.6))),
    depthwise((3, 6, 6, 16), ranges=((-1, 1), (0, 0), (-1e-30, 1e-30)), activation=RELU6),
    depthwise((1, 3, 3, 2100)),
    depthwise((1, 33, 17, 96), activation=RELU6, ranges=((0, 6),)),
)
# That it leaves to TFLite's, which multiplies the scales in another order.
OTHER_HYBRID_DEPTHWISE = (
    depthwise((1, 6, 6, 1)),
    depthwise((1, 8, 8, 7), activation=RELU),
    depthwise((1, 8, 8, 8), multiplier=2),
    depthwise((2, 8, 8, 1), multiplier=16, activation=RELU6),
)
COMPUTED_DEPTHWISE = (
    depthwise((1, 9, 8, 16), is_computed=True),
    depthwise((2, 9, 8, 37), stride=(2, 2), activation=RELU6, is_computed=True),
    depthwise((1, 8, 9, 6), (5, 4), stride=(2, 1), padding=VALID, activation=RELU, is_computed=True),
    depthwise((1, 12, 11, 20), dilation=(2, 3), is_computed=True),
    depthwise((2, 2, 2, 4), (5, 3), dilation=(4, 4), is_computed=True),
    depthwise((1, 33, 17, 96), is_computed=True),
    depthwise((1, 5, 6, 3), multiplier=4, is_computed=True),
    depthwise((1, 5, 6, 1), multiplier=20, activation=RELU, is_computed=True),
)


def other_kernels() -> Iterator[OpCase]:
    """Yield volumes, and QUANTIZE between bytes."""
    for shape, window, dilation in (
        ((1, 1, 1, 4, 5), (1, 1, 2), (1, 1, 2)),
        ((2, 2, 5, 6, 9), (2, 3, 3), (1, 2, 2)),
        ((1, 4, 3, 3, 6), (3, 1, 1), (2, 1, 1)),
    ):
        operands = (_small_integers(shape), Values(_small_integers((*window, shape[-1], 2)).array, "float32"))
        yield OpCase(f"dilated_{shape}", "CONV_3D", operands, _volume((1, 1, 1), dilation))
    # Padding in the depth and none in the height, and the reverse.
    for window, strides in (((3, 2, 2), (1, 2, 2)), ((2, 3, 2), (2, 1, 2))):
        filters = Values(_small_integers((*window, 3, 1)).array, "float32")
        doubled = Values((1, *(2 * stride for stride in strides), 3))
        volumes = doubled, filters, _small_integers((1, 2, 2, 2, 1))
        options = _volume(strides, (1, 1, 1))
        yield OpCase(f"padded_{window}", "CONV_3D_TRANSPOSE", volumes, options, output_dtype="float32")
    for name, source, zero_point, target, quantization in (
        ("flip_to_int8", "uint8", 127, "int8", Quantization((0.0375,), (-1,))),
        ("flip_to_uint8", "int8", -128, "uint8", Quantization((0.0375,), (0,))),
        ("other_zero_point", "uint8", 127, "int8", Quantization((0.0375,), (1,))),
        ("other_scale", "int8", -1, "uint8", Quantization((0.04,), (127,))),
    ):
        # Every value of the type, and three of them again, which a vector of 16 leaves over.
        values = np.arange(256 + 3) % 256 + np.iinfo(source).min
        provided = Provided(values, source, Quantization((0.0375,), (zero_point,)))
        yield OpCase(name, "QUANTIZE", (provided,), output_dtype=target, output_quantization=quantization, version=2)


def _small_integers(shape: Shape) -> Provided:
    """Return float32 numbers whose sums are exact."""
    return Provided(np.random.default_rng(SEED).integers(1, 5, shape))


def _volume(strides: Sequence[int], dilations: Sequence[int]) -> dict[str, int]:
    strided = {f"stride{axis}": size for axis, size in zip("DHW", strides, strict=True)}
    return strided | {f"dilation{axis}Factor": size for axis, size in zip("DHW", dilations, strict=True)}
