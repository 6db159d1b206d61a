"""Convolutions, transposed convolutions and fully connected layers."""

import itertools
import struct
from collections.abc import Iterator
from typing import Any

from web_tests.op_cases.case import Input, OpCase, Values, Weights
from web_tests.op_cases.elementwise import FUSED_ACTIVATIONS

PADDINGS = {"same": 0, "valid": 1}
CUSTOM_TRANSPOSE_CONV = "Convolution2DTransposeBias"


def cases() -> Iterator[OpCase]:
    yield from _conv()
    yield from _depthwise()
    yield from _transpose_conv()
    yield from _custom_transpose_conv()
    yield from _fully_connected()


def _window(padding: str, stride: tuple[int, int] = (1, 1), dilation: tuple[int, int] = (1, 1)) -> dict[str, Any]:
    """Return the options that Conv2DOptions and DepthwiseConv2DOptions share; pairs are (height, width)."""
    return {
        "padding": PADDINGS[padding],
        "strideH": stride[0],
        "strideW": stride[1],
        "dilationHFactor": dilation[0],
        "dilationWFactor": dilation[1],
    }


# Windows smaller than their strides: kernel, stride, height and width of the input. SAME padding then leaves rows or
# columns that no window reads; the other axis has no remainder, is padded, or has a remainder, too.
LEFT_OVER = (
    ((3, 3), (4, 4), (8, 8)),
    ((2, 2), (3, 3), (9, 9)),
    ((1, 3), (2, 2), (8, 8)),
    ((3, 1), (2, 2), (8, 8)),
    ((1, 3), (1, 4), (1, 16)),
    ((2, 5), (3, 2), (9, 8)),
)


def _left_over() -> Iterator[tuple[str, tuple[int, int], tuple[int, int], tuple[int, int]]]:
    for kernel, stride, image in LEFT_OVER:
        yield f"left_over_{kernel[0]}x{kernel[1]}_stride_{stride[0]}x{stride[1]}", kernel, stride, image


def _conv_case(
    name: str,
    options: dict[str, Any],
    *,
    height: int = 9,
    width: int = 8,
    kernel: tuple[int, int] = (3, 3),
    channels: tuple[int, int] = (3, 5),
    **variation: Any,
) -> OpCase:
    half = variation.get("half", False)
    groups = variation.get("groups", 1)
    filters = Weights((channels[1], *kernel, channels[0] // groups), half=half)
    image = Input((variation.get("batch", 1), height, width, channels[0]))
    return OpCase(name, "CONV_2D", (image, filters, Weights((channels[1],), half=half)), options)


def _conv() -> Iterator[OpCase]:
    for padding, stride in itertools.product(PADDINGS, ((1, 1), (2, 2), (2, 1), (3, 3))):
        yield _conv_case(f"{padding}_stride_{stride[0]}x{stride[1]}", _window(padding, stride))
    for padding, dilation in itertools.product(PADDINGS, ((2, 2), (3, 1))):
        yield _conv_case(f"{padding}_dilation_{dilation[0]}x{dilation[1]}", _window(padding, dilation=dilation))
    for height, width in ((8, 8), (7, 10)):
        yield _conv_case(f"same_stride_2_of_{height}x{width}", _window("same", (2, 2)), height=height, width=width)
    for kernel in ((1, 1), (5, 5), (2, 2), (1, 3)):
        yield _conv_case(f"kernel_{kernel[0]}x{kernel[1]}", _window("same"), kernel=kernel)
    for name, code in FUSED_ACTIVATIONS.items():
        yield _conv_case(f"fused_{name}", _window("same") | {"fusedActivationFunction": code})
    yield _conv_case("kernel_2x2_same_stride_2", _window("same", (2, 2)), kernel=(2, 2))
    yield _conv_case("pointwise_stride_2", _window("same", (2, 2)), kernel=(1, 1))
    yield _conv_case("half_weights", _window("same"), half=True)
    yield _conv_case("batch_2", _window("same"), batch=2)
    yield _conv_case("one_channel", _window("same"), channels=(1, 1))
    yield _conv_case("grouped", _window("same"), channels=(4, 6), groups=2)
    # A group for each channel: what Keras writes for depthwise layers such as ConvNeXt's.
    yield _conv_case("depthwise", _window("same"), channels=(6, 6), groups=6)
    yield _conv_case("depthwise_two_outputs", _window("same"), channels=(4, 8), groups=4)
    yield _conv_case("depthwise_half_weights", _window("same"), channels=(6, 6), groups=6, half=True)
    yield _conv_case("entire_image", _window("valid"), kernel=(9, 8))
    for name, kernel, stride, (height, width) in _left_over():
        yield _conv_case(name, _window("same", stride), kernel=kernel, height=height, width=width)


def _depthwise_case(
    name: str,
    options: dict[str, Any],
    *,
    image: tuple[int, int] = (9, 8),
    kernel: tuple[int, int] = (3, 3),
    channels: int = 4,
    multiplier: int = 1,
    batch: int = 1,
    half: bool = False,
) -> OpCase:
    filters = Weights((1, *kernel, channels * multiplier), half=half)
    operands = (Input((batch, *image, channels)), filters, Weights((channels * multiplier,), half=half))
    values = options | {"depthMultiplier": multiplier}
    return OpCase(name, "DEPTHWISE_CONV_2D", operands, values)


def _depthwise() -> Iterator[OpCase]:
    for padding, stride in itertools.product(PADDINGS, ((1, 1), (2, 2))):
        yield _depthwise_case(f"{padding}_stride_{stride[0]}", _window(padding, stride))
    for padding in PADDINGS:
        yield _depthwise_case(f"{padding}_dilation_2", _window(padding, dilation=(2, 2)))
        yield _depthwise_case(f"{padding}_dilation_3x1", _window(padding, dilation=(3, 1)))
    yield _depthwise_case("multiplier_2", _window("same"), multiplier=2)
    yield _depthwise_case("one_channel_to_four", _window("same"), channels=1, multiplier=4)
    yield _depthwise_case("fused_relu6", _window("same") | {"fusedActivationFunction": FUSED_ACTIVATIONS["relu6"]})
    yield _depthwise_case("half_weights", _window("same"), half=True)
    for name, kernel, stride, image in _left_over():
        yield _depthwise_case(name, _window("same", stride), kernel=kernel, image=image)
    # XNNPACK's kernels have at most 25 taps.
    for kernel, channels, batch in (((5, 5), 11, 1), ((7, 7), 6, 2), ((1, 31), 15, 1), ((8, 7), 13, 1)):
        name = f"taps_{kernel[0]}x{kernel[1]}"
        yield _depthwise_case(name, _window("same"), kernel=kernel, channels=channels, batch=batch)


def _transpose_conv() -> Iterator[OpCase]:
    for (kernel, stride), with_bias in itertools.product(((3, 2), (4, 2), (2, 2), (3, 1)), (True, False)):
        shape = (1, 5 * stride, 4 * stride, 6)
        bias = (Weights((6,)),) if with_bias else ()
        operands = (Values(shape), Weights((6, kernel, kernel, 3)), Input((1, 5, 4, 3)), *bias)
        name = f"same_kernel_{kernel}_stride_{stride}{'' if with_bias else '_no_bias'}"
        options = {"padding": PADDINGS["same"], "strideH": stride, "strideW": stride}
        yield OpCase(name, "TRANSPOSE_CONV", operands, options, version=3 if with_bias else 1)
    # Larger than the input, but not by a multiple of its strides.
    operands = (Values((1, 9, 8, 6)), Weights((6, 3, 3, 3)), Input((1, 5, 4, 3)), Weights((6,)))
    options = {"padding": PADDINGS["same"], "strideH": 2, "strideW": 2}
    yield OpCase("same_odd_output", "TRANSPOSE_CONV", operands, options, version=3)
    operands = (Values((1, 10, 4, 6)), Weights((6, 3, 3, 3)), Input((1, 5, 4, 3)), Weights((6,)))
    options = {"padding": PADDINGS["same"], "strideH": 2, "strideW": 1}
    yield OpCase("same_strides_2x1", "TRANSPOSE_CONV", operands, options, version=3)


def _custom_transpose_conv() -> Iterator[OpCase]:
    """MediaPipe's op: its options are a TfLiteTransposeConvParams; filters are [out, height, width, in]."""
    padding_same = 1  # kTfLitePaddingSame, not the schema's number
    for kernel, stride in ((2, 2), (3, 2), (4, 2)):
        operands = (Input((1, 5, 4, 3)), Weights((6, kernel, kernel, 3)), Weights((6,)))
        yield OpCase(
            f"same_kernel_{kernel}_stride_{stride}",
            CUSTOM_TRANSPOSE_CONV,
            operands,
            struct.pack("<iii", padding_same, stride, stride),
            output_shape=(1, 5 * stride, 4 * stride, 6),
            native_kernels="default",
        )


def _fully_connected() -> Iterator[OpCase]:
    def case(name: str, shape: tuple[int, ...], *, bias: bool = True, half: bool = False, **options: Any) -> OpCase:
        operands = (
            Input(shape),
            Weights((5, 12), half=half),
            Weights((5,), half=half) if bias else None,
        )
        return OpCase(name, "FULLY_CONNECTED", operands, options)

    yield case("one_row", (1, 12))
    yield case("rows", (4, 12))
    yield case("flattened", (2, 2, 3, 2))
    yield case("keep_dims", (2, 3, 12), keepNumDims=True)
    yield case("no_bias", (2, 12), bias=False)
    # As many rows as units: the column would broadcast along either axis.
    yield OpCase("column_of_biases", "FULLY_CONNECTED", (Input((5, 12)), Weights((5, 12)), Weights((5, 1))))
    yield case("half_weights", (2, 12), half=True)
    for name, code in FUSED_ACTIVATIONS.items():
        yield case(f"fused_{name}", (2, 12), fusedActivationFunction=code)
    run_time = (Input((2, 12)), Input((5, 12)), None)
    yield OpCase("weights_at_run_time", "FULLY_CONNECTED", run_time)
    with_bias = (Input((2, 3, 12)), Input((5, 12)), Weights((5,)))
    options = {"keepNumDims": True}
    yield OpCase("weights_at_run_time_bias", "FULLY_CONNECTED", with_bias, options)
