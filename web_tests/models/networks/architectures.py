"""The architectures: each function writes one with a NetworkWriter and returns its output tensor."""

import numpy as np

from web_tests.models.networks import kernels
from web_tests.models.networks.network_writer import RELU, RELU6, NetworkWriter, Value

# MobileNetV2 (Sandler et al., table 2): expansion, channels, blocks, stride of the first block.
INVERTED_RESIDUALS = (
    (1, 16, 1, 1),
    (6, 24, 2, 2),
    (6, 32, 3, 2),
    (6, 64, 4, 2),
    (6, 96, 3, 1),
    (6, 160, 3, 2),
    (6, 320, 1, 1),
)
# MobileNetV1 (Howard et al., table 1): channels and stride of each depthwise separable block.
SEPARABLE_BLOCKS = ((64, 1), (128, 2), (128, 1), (256, 2), (256, 1), (512, 2), *[(512, 1)] * 5, (1024, 2), (1024, 1))
U_NET_CHANNELS = (8, 16, 32)


def mobilenet_v2(net: NetworkWriter, *, width: float = 1.0, classes: int = 1000) -> Value:
    """Inverted residuals, as exported by Keras: MEAN, FULLY_CONNECTED and SOFTMAX at the end."""
    value = net.conv_2d(net.input, _channels(32, width), size=3, stride=2, activation=RELU6)
    for expansion, channels, blocks, first_stride in INVERTED_RESIDUALS:
        for block in range(blocks):
            stride = first_stride if block == 0 else 1
            value = _inverted_residual(net, value, expansion, _channels(channels, width), stride)
    value = net.conv_2d(value, _channels(1280, max(width, 1.0)), activation=RELU6)
    return net.softmax(net.logits(net.mean(value), classes))


def mobilenet_v1(net: NetworkWriter, *, width: float = 1.0, classes: int = 1000) -> Value:
    """Depthwise separable blocks, as exported by early TensorFlow: AVERAGE_POOL_2D and RESHAPE at the end."""
    value = net.conv_2d(net.input, _channels(32, width), size=3, stride=2, activation=RELU6)
    for channels, stride in SEPARABLE_BLOCKS:
        value = net.depthwise_conv_2d(value, stride=stride, activation=RELU6)
        value = net.conv_2d(value, _channels(channels, width), activation=RELU6)
    size = value.samples.shape[1]
    means = value.samples.mean(axis=(1, 2), keepdims=True)
    pool = {"filterHeight": size, "filterWidth": size, "strideH": size, "strideW": size, "padding": 1}
    value = net.layer("AVERAGE_POOL_2D", [value], means, pool, like=value)
    flat = (1, means.shape[-1])
    shape = net.model.constant("flat_shape", np.array(flat, dtype=np.int32))
    options = {"newShape": list(flat)}
    value = net.layer("RESHAPE", [value, shape], means[:, 0, 0], options, like=value)
    return net.softmax(net.logits(value, classes))


def u_net(net: NetworkWriter) -> Value:
    """Down with MAX_POOL_2D, up with RESIZE_NEAREST_NEIGHBOR, CONCATENATION on every level, LOGISTIC at the end."""
    value = net.input
    levels: list[Value] = []
    for channels in U_NET_CHANNELS:
        value = net.conv_2d(value, channels, size=3, activation=RELU)
        levels.append(value)
        pool = {"filterHeight": 2, "filterWidth": 2, "strideH": 2, "strideW": 2, "padding": 1}
        pooled = kernels.max_pool_2d(value.samples, 2)
        value = net.layer("MAX_POOL_2D", [value], pooled, pool, like=value)
    value = net.conv_2d(value, 2 * U_NET_CHANNELS[-1], size=3, activation=RELU)
    for level in reversed(levels):
        value = _joined(net, _enlarged(net, value), level)
        value = net.conv_2d(value, level.samples.shape[-1], size=3, activation=RELU)
    value = net.conv_2d(value, 1)
    output = 1 / (1 + np.exp(-value.samples))
    return net.layer("LOGISTIC", [value], output, None)


def _inverted_residual(net: NetworkWriter, source: Value, expansion: int, channels: int, stride: int) -> Value:
    in_channels = source.samples.shape[-1]
    value = source
    if expansion > 1:
        value = net.conv_2d(value, expansion * in_channels, activation=RELU6)
    value = net.depthwise_conv_2d(value, stride=stride, activation=RELU6)
    value = net.conv_2d(value, channels)
    return net.add(source, value) if stride == 1 and channels == in_channels else value


def _enlarged(net: NetworkWriter, source: Value) -> Value:
    larger = kernels.repeat_2d(source.samples, 2)
    size = net.model.constant(f"size_{larger.shape[1]}", np.array(larger.shape[1:3], dtype=np.int32))
    return net.layer("RESIZE_NEAREST_NEIGHBOR", [source, size], larger, like=source)


def _joined(net: NetworkWriter, first: Value, second: Value) -> Value:
    both = np.concatenate([first.samples, second.samples], axis=-1)
    return net.layer("CONCATENATION", [first, second], both, {"axis": 3})


def _channels(count: int, width: float) -> int:
    """Return the number of channels for a width multiplier: a multiple of 8, close to the exact number."""
    scaled = count * width
    rounded = max(8, int(scaled + 4) // 8 * 8)
    return rounded if rounded >= 0.9 * scaled else rounded + 8
