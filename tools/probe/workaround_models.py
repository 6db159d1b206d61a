"""A small model for each bug of a browser that the delegate works around: without the workaround it fails there."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from web_tests.models import handmade
from web_tests.models.model_writer import ModelWriter, Quantization
from web_tests.models.one_node import one_node
from web_tests.models.op_options import DEFAULTS, Options
from web_tests.models.recipes import SEED, Array
from web_tests.references import native_litert

LOWEST = np.iinfo(np.int32).min
SAME, VALID = 0, 1
# Above the 128 MiB of float32 that a constant may have.
UNITS, DEPTH = 33 * 1024, 1024


@dataclass(frozen=True)
class WorkaroundModel:
    """A model with inputs.

    Attributes:
        expected: the outputs; None: those of native LiteRT.
        is_on_cpu: whether the workaround is to leave a node on the CPU.
    """

    content: bytes
    inputs: Sequence[Array]
    expected: Sequence[Array] | None = None
    is_on_cpu: bool = False

    def outputs(self) -> Sequence[Array]:
        return (
            native_litert.run_native(self.content, self.inputs, kernels="builtin")
            if self.expected is None
            else self.expected
        )


def models() -> Mapping[str, Callable[[], WorkaroundModel]]:
    """Return what makes the model of each workaround, by its id."""
    return {
        "transpose_pairs": _double_read,
        "conv2d_leftover_input": _leftover_input,
        "conv2d_depthwise_filter": _depthwise_filter,
        "conv_transpose_padding": _odd_padding,
        "division_by_minus_one": _division,
        "gemm_nan": _computed_weights,
        "arg_keep_dimensions": _two_largest,
        "moved_integers": _moved_integers,
        "resample2d_ties": _halved,
        "gather_indices": _deep_indices,
        "reduction_rank": _deep_sum,
        "concat_rank": _deep_concat,
        "large_constants": _large_layer,
    }


def _numbers(shape: Sequence[int]) -> Array:
    return np.random.default_rng(SEED).standard_normal(shape, dtype=np.float32)


def _one_node(
    op: str,
    inputs: Sequence[Array | None],
    constants: Sequence[Array],
    shape: Sequence[int],
    options: Options = DEFAULTS,
) -> tuple[bytes, list[Array]]:
    """Return a model of a node whose inputs come before its constants, and the inputs."""
    arrays = [array for array in inputs if array is not None]
    provided = [(array.shape, array.dtype.name) for array in arrays]
    known = [(array,) for array in constants]
    return one_node(op, [*provided, *known], (shape, arrays[0].dtype.name), options), arrays


def _double_read() -> WorkaroundModel:
    writer = ModelWriter()
    x, turned, product, y = (
        writer.tensor(name, shape) for name, shape in (("x", (6, 4)), ("t", (4, 6)), ("p", (4, 6)), ("y", (6, 4)))
    )
    order = writer.constant("order", np.array([1, 0], np.int32))
    writer.node("TRANSPOSE", [x, order], [turned])
    writer.node("MUL", [turned, turned], [product])
    writer.node("TRANSPOSE", [product, order], [y])
    return WorkaroundModel(writer.finish([x], [y]), [_numbers((6, 4))])


def _leftover_input() -> WorkaroundModel:
    options = {"padding": SAME, "strideH": 2, "strideW": 2}
    constants = [_numbers((5, 1, 3, 3)), _numbers((5,))]
    return WorkaroundModel(*_one_node("CONV_2D", [_numbers((1, 8, 8, 3))], constants, (1, 4, 4, 5), options))


def _depthwise_filter() -> WorkaroundModel:
    channels = 6
    random = np.random.default_rng(SEED)
    scales = tuple(0.01 * (channel + 1) for channel in range(channels))
    filters = random.integers(-127, 128, (channels, 3, 3, 1), np.int8)
    bias_scales = tuple(0.05 * scale for scale in scales)
    bias = random.integers(-99, 99, channels, np.int32)
    image = random.integers(-128, 128, (1, 8, 8, channels), np.int8)
    inputs = (
        (image.shape, "int8", Quantization((0.05,))),
        (filters, Quantization(scales)),
        (bias, Quantization(bias_scales)),
    )
    output = (image.shape, "int8", Quantization((0.3,)))
    window = {"padding": SAME, "strideH": 1, "strideW": 1}
    return WorkaroundModel(one_node("CONV_2D", inputs, output, window, version=3), [image])


def _odd_padding() -> WorkaroundModel:
    inputs = (np.array([1, 9, 8, 6], np.int32),), (_numbers((6, 3, 3, 3)),), ((1, 5, 4, 3),)
    options = {"padding": SAME, "strideH": 2, "strideW": 2}
    return WorkaroundModel(one_node("TRANSPOSE_CONV", inputs, ((1, 9, 8, 6),), options), [_numbers((1, 5, 4, 3))])


def _division() -> WorkaroundModel:
    numbers, divisors = np.array([LOWEST, 7], np.int32), np.array([-1, 2], np.int32)
    node = _one_node("DIV", [numbers], [divisors], (2,))
    return WorkaroundModel(*node, expected=[np.array([LOWEST, 3], np.int32)], is_on_cpu=True)


def _computed_weights() -> WorkaroundModel:
    rows, weights = _numbers((2, 3)), _numbers((4, 3))
    rows[0, 1] = np.nan
    return WorkaroundModel(*_one_node("FULLY_CONNECTED", [rows, weights], [], (2, 4)))


def _two_largest() -> WorkaroundModel:
    writer = ModelWriter()
    x, values, indices = (writer.tensor("x", (3, 5)), writer.tensor("v", (3, 2)), writer.tensor("p", (3, 2), "int32"))
    count = writer.constant("count", np.array([2], np.int32))
    writer.node("TOPK_V2", [x, count], [values, indices])
    return WorkaroundModel(writer.finish([x], [values, indices]), [_numbers((3, 5))])


def _moved_integers() -> WorkaroundModel:
    writer = ModelWriter()
    x = writer.tensor("x", (8, 6), "int8", Quantization((0.05,), (3,)))
    real, largest = writer.tensor("real", (8, 6)), writer.tensor("largest", (6,))
    y = writer.tensor("y", (6,), "int8", Quantization((0.02,), (-7,)))
    axes = writer.constant("axes", np.array([0], np.int32))
    writer.node("DEQUANTIZE", [x], [real], version=2)
    writer.node("REDUCE_MAX", [real, axes], [largest], {"keepDims": False})
    writer.node("QUANTIZE", [largest], [y])
    return WorkaroundModel(writer.finish([x], [y]), [np.arange(-24, 24, dtype=np.int8).reshape(8, 6)])


def _halved() -> WorkaroundModel:
    options = {"alignCorners": False, "halfPixelCenters": False}
    size = np.array([2, 2], np.int32)
    return WorkaroundModel(
        *_one_node("RESIZE_NEAREST_NEIGHBOR", [_numbers((1, 4, 4, 2))], [size], (1, 2, 2, 2), options)
    )


def _deep_indices() -> WorkaroundModel:
    indices = np.array([[0, 1], [2, 3], [3, 3], [1, 0], [0, 0], [2, 1], [1, 2], [3, 0]], np.int32)
    return WorkaroundModel(*_one_node("GATHER_ND", [_numbers((4, 4))], [indices.reshape(1, 1, 1, 8, 2)], (1, 1, 1, 8)))


def _deep_sum() -> WorkaroundModel:
    options = {"keepDims": False}
    axes = np.array([0], np.int32)
    return WorkaroundModel(*_one_node("SUM", [_numbers((2, 1, 2, 1, 2, 1, 2))], [axes], (1, 2, 1, 2, 1, 2), options))


def _deep_concat() -> WorkaroundModel:
    """Another node reads the result: TFLite has no kernel for more than 6 dimensions of most ops, ABS is one."""
    writer = ModelWriter()
    shape = (1, 1, 1, 1, 1, 2, 3)
    x, twice = writer.tensor("x", shape), writer.tensor("twice", (*shape[:-1], 6))
    y = writer.tensor("y", (*shape[:-1], 6))
    writer.node("CONCATENATION", [x, x], [twice], {"axis": 6})
    writer.node("ABS", [twice], [y])
    values = _numbers(shape)
    expected = np.abs(np.concatenate([values, values], axis=6))
    return WorkaroundModel(writer.finish([x], [y]), [values], expected=[expected], is_on_cpu=True)


def _large_layer() -> WorkaroundModel:
    return WorkaroundModel(handmade.wide_layer(UNITS, DEPTH), [_numbers((1, DEPTH))])
