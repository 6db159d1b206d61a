"""Models of one node that TensorFlow Lite's kernels accept, or leave to others, and then read or write beyond.

Guards (tflite_kernels/op_table.def) and checks of the build must reject each while the model is loaded.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np
from flatbuffers import flexbuffers

from web_tests.models.model_writer import Quantization
from web_tests.op_cases.case import Input, OpCase, Operand, Values, Weights

ROWS, IMAGE = Input((3, 4)), Input((1, 4, 4, 3))
NO_ROWS = Input((1, 0, 2, 3))
UNIT: dict[str, Any] = {"strideW": 1, "strideH": 1, "dilationWFactor": 1, "dilationHFactor": 1}
BYTES = Quantization((0.5,), (0,))
SPARSE, DENSE = 1, 2
BOXES = 3


def cases() -> Iterator[OpCase]:
    yield from _images()
    yield from _slices()
    yield from _products()
    yield from _indices()
    yield from _types()
    yield from _detections()


def _op(
    name: str, op: str, *operands: Operand, shape: tuple[int, ...], dtype: str = "", version: int = 1, **options: Any
) -> OpCase:
    return OpCase(name, op, operands, options, output_shape=shape, output_dtype=dtype, version=version)


def _images() -> Iterator[OpCase]:
    yield _op("no_columns", "RESIZE_BILINEAR", Input((1, 5, 0, 3)), Values([10, 8]), shape=(1, 10, 8, 3))
    yield _op("one_size", "RESIZE_BILINEAR", IMAGE, Values([8]), shape=(1, 8, 8, 3))
    yield _op("no_rows", "RESIZE_NEAREST_NEIGHBOR", Input((1, 0, 5, 3)), Values([10, 8]), shape=(1, 10, 8, 3))
    for op in ("AVERAGE_POOL_2D", "L2_POOL_2D", "MAX_POOL_2D"):
        pixel = Input((1, 1, 1, 2))
        sizes: dict[str, Any] = {"strideH": 1, "strideW": 1, "filterHeight": 5, "filterWidth": 5}
        yield _op("window_larger_than_image", op, pixel, shape=pixel.shape, padding=1, **sizes)
    bias = Values([0.0], "float32")
    yield _op("filter_without_rows", "CONV_2D", IMAGE, NO_ROWS, bias, shape=(1, 4, 4, 1), **UNIT)
    for name, channels, depth in (("no_channels", 0, 1), ("filters_not_divided_by_groups", 4, 2)):
        image = Input((1, 4, 4, channels))
        yield _op(name, "CONV_2D", image, Weights((3, 1, 1, depth)), Weights((3,)), shape=(1, 4, 4, 3), **UNIT)
    biases, no_columns = Values([0.0] * 3, "float32"), Input((1, 2, 0, 3))
    yield _op(
        "filter_without_columns", "DEPTHWISE_CONV_2D", IMAGE, no_columns, biases,
        shape=(1, 4, 4, 3), depthMultiplier=1, **UNIT,
    )  # fmt: skip
    for size, filters, name in (
        ((1, 9, 4, 1), Input((1, 3, 3, 3)), "more_rows_than_input"),
        ((1, 4, 9, 1), Input((1, 3, 3, 3)), "more_columns_than_input"),
        ((1, 4, 4, 1), NO_ROWS, "filter_without_rows"),
        ((1, 4, 4, 1), Weights((1, 3, 3, 3), 0, 9, dtype="uint8"), "weights_of_bytes"),
    ):
        operands = (Values(size), filters, IMAGE)
        yield _op(name, "TRANSPOSE_CONV", *operands, shape=size, dtype="float32", strideH=1, strideW=1)
    blocks = (Input((1, 1, 1)), Values([-1]), Values([[-(2**31), -1]]))
    yield _op("negative_block_divides_padding", "SPACE_TO_BATCH_ND", *blocks, shape=(1, 1, 1))


def _slices() -> Iterator[OpCase]:
    ranges = (Input((2,), 0, 1, "int32"), Values([3, 1]), Values([1, 1]))
    yield _op("length_shorter_than_entire_one", "STRIDED_SLICE", ROWS, *ranges, shape=(3, 1), offset=True, endMask=2)
    few = (Values([0, 0]), Values([2, 2]), Values([1]))
    yield _op("few_strides", "STRIDED_SLICE", Input((4, 4)), *few, shape=(2, 2))
    wide = (Values([0, 0]), Values([-1, 1], "int64"))
    yield _op("size_of_another_type", "SLICE", Input((1, 1000)), *wide, shape=(1, 1))
    yield _op("few_begins", "SLICE", Input((2, 2)), Values([0]), Values([1]), shape=())
    yield _op("to_another_type", "MIRROR_PAD", ROWS, Values([[0, 0], [1, 1]]), shape=(3, 6), dtype="int64", mode=0)
    yield _op("negative", "MIRROR_PAD", ROWS, Values([[0, 0], [1, -1]]), shape=(3, 4), mode=1)
    yield _op("reflects_nothing", "MIRROR_PAD", Input((0, 4)), Values([[0, 0], [1, 1]]), shape=(0, 6), mode=0)
    copies = (Values([1, 2, 3, 4], "int8"), Values([2**30 + 1]))
    yield _op("copies_of_a_constant_overflow", "TILE", *copies, shape=(4,), dtype="int8")
    yield OpCase(
        "int16_positions_overflow", "TOPK_V2", (Input((40_000,)), Values(1)),
        output_shape=(1,), output_dtypes=("float32", "int16"), version=3,
    )  # fmt: skip


def _products() -> Iterator[OpCase]:
    numbers = Input((4,), 0, 3, "int32")
    yield _op("integers_to_floats", "MUL", numbers, numbers, shape=(4,), dtype="float32")
    yield _op("int16_to_bytes", "MUL", Input((2,), 0, 3, "int16"), Input((1,), 0, 3, "int16"), shape=(2,), dtype="int8")
    yield _op("more_than_the_other_has", "ATAN2", Input((4, 5)), ROWS, shape=(4, 5))
    yield _op("one_dimension", "BATCH_MATMUL", Input((4,)), Input((4, 4)), shape=(4,))
    pair = (Input((1, 2) * 3, 1, 9, "int8", BYTES), Input((2, 1) * 3, 1, 9, "int8", BYTES))
    yield OpCase("six_dimensions_of_bytes", "DIV", pair, output_shape=(2,) * 6, output_quantization=BYTES)
    yield _op("short_diagonals", "MATRIX_SET_DIAG", Input((2, 3, 3)), Input((2, 2)), shape=(2, 3, 3))
    yield _op("no_samples", "RFFT2D", Input((1, 4, 4)), Values([0, 4]), shape=(1, 1, 3), dtype="complex64")
    rotation = bytes(flexbuffers.Dumps({"hadamard_size": 3, "random_binary_vector": [1] * 4}))
    yield OpCase("not_a_power_of_two", "aeq.hadamard_rotation", (ROWS,), rotation, output_shape=(3, 4))
    for op in ("MEAN", "SUM", "REDUCE_MAX", "REDUCE_MIN", "REDUCE_PROD"):
        yield _op("axis_-3_of_2", op, ROWS, Values([-3]), shape=(3, 1), keepDims=True)
    # There is an axis of this number modulo 32.
    column = Input((4, 1), -9, 9, "int16", BYTES)
    yield OpCase(
        "axis_33", "MEAN", (column, Values([33])), {"keepDims": True}, output_shape=(4, 1), output_quantization=BYTES
    )
    for op in ("LOG", "RSQRT", "SQRT"):
        yield _op("int16_without_scale", op, Input((4,), 0, 9, "int16"), shape=(4,))


def _indices() -> Iterator[OpCase]:
    yield _op("one_id", "UNSORTED_SEGMENT_SUM", ROWS, Values(1), Values(2), shape=(2,))
    for op in ("MAX", "MIN", "PROD", "SUM"):
        operands = (ROWS, Input((3,), 0, 2, "int32"), Values(2))
        yield _op("to_another_type", f"UNSORTED_SEGMENT_{op}", *operands, shape=(2, 4), dtype="int64")
    rows = (Values([0]), Input((3, 4), 0, 9, "int64"))
    yield _op("to_shorter_rows", "EMBEDDING_LOOKUP", *rows, shape=(1, 4), dtype="int32")
    starts, window = Input((2, 1), 0, 3, "int32"), Input((4, 5))
    yield _op(
        "more_starts_than_an_index_has", "STABLEHLO_GATHER", window, starts, shape=(2, 5),
        offsetDims=[1], collapsedSliceDims=[0], startIndexMap=[0, 1], indexVectorDim=1, sliceSizes=[1, 5],
    )  # fmt: skip
    scatter = {
        "updateWindowDims": [5], "insertedWindowDims": [0], "scatterDimsToOperandDims": [0],
        "indexVectorDim": 1, "updateComputationSubgraphIndex": 1,
    }  # fmt: skip
    updates = (window, starts, Input((2, 5)))
    yield OpCase("far_update_window", "STABLEHLO_SCATTER", updates, scatter, output_shape=(4, 5), overwrites=True)
    for name, depth in {
        "narrow_depth": Values(4, "int8"),
        "depth_of_floats": Values(0, "float32"),
        "depth_beyond_int32": Values(2**32 + 4, "int64"),
    }.items():
        yield one_hot(name, depth)


def one_hot(name: str, depth: Operand) -> OpCase:
    """Return a ONE_HOT of three indices below 5."""
    operands = (Input((3,), 0, 5, "int32"), depth, Values(5, "float32"), Values(2, "float32"))
    return _op(name, "ONE_HOT", *operands, shape=(3, 4), dtype="float32", axis=-1)


def projection(
    name: str, kind: int, *, seeds: str = "float32", weights: str = "float32", output: str = "int32"
) -> OpCase:
    """Return an LSH_PROJECTION of this kind, SPARSE or DENSE, with these types of operands."""
    operands = (Values([[1, 7, 4], [9, 2, 5]], seeds), Input((4, 2), -9, 9, "int32"), Values([1, -2, 3, -1], weights))
    return _op(name, "LSH_PROJECTION", *operands, shape=(2,) if kind == SPARSE else (6,), dtype=output, type=kind)


def blocks(name: str, op: str, *, sizes: str = "int32", paddings: str = "int32") -> OpCase:
    """Return a node of one spatial dimension, which reads the first of the sizes."""
    return _op(name, op, Input((2, 4, 1)), Values([2], sizes), Values([[0, 0]], paddings), shape=(4, 2, 1))


def _types() -> Iterator[OpCase]:
    yield projection("narrow_seeds", SPARSE, seeds="int8")
    yield projection("narrow_weights", DENSE, weights="int8")
    yield projection("narrow_signatures", DENSE, output="int8")
    hashes = (Values([[1, 2]]), Input((3,), 0, 9, "int32"))
    yield _op("integers_as_hashes", "LSH_PROJECTION", *hashes, shape=(1,), dtype="int32", type=1)
    yield blocks("narrow_blocks", "SPACE_TO_BATCH_ND", sizes="int16")
    yield blocks("narrow_blocks", "BATCH_TO_SPACE_ND", sizes="int16")
    yield blocks("narrow_paddings", "SPACE_TO_BATCH_ND", paddings="int8")
    yield blocks("crops_of_int64", "BATCH_TO_SPACE_ND", paddings="int64")


def detections(
    name: str, *, boxes: str = "float32", anchors: str = "float32", rows: int = BOXES, **settings: int
) -> OpCase:
    """Return a TFLite_Detection_PostProcess of three boxes, all of which it finds."""
    scales = {f"{axis}_scale": 5.0 for axis in "yxhw"}
    limits = {"max_detections": BOXES, "max_classes_per_detection": 1, "num_classes": 2}
    thresholds = {"nms_score_threshold": 0.0, "nms_iou_threshold": 1.0}
    encoded = Input((1, BOXES, 4), dtype=boxes) if boxes == "float32" else Input((1, BOXES, 4), 0, 9, boxes)
    anchor_boxes = Values(np.arange(rows * 4).reshape(rows, 4) % 5 + 1, anchors)
    return OpCase(
        name, "TFLite_Detection_PostProcess", (encoded, Input((1, BOXES, 3), 0, 1), anchor_boxes),
        bytes(flexbuffers.Dumps(scales | limits | thresholds | settings)),
        output_shape=(1,), output_dtypes=("float32",) * 4,
    )  # fmt: skip


def _detections() -> Iterator[OpCase]:
    yield detections("fewer_anchors_than_boxes", rows=BOXES - 1)
    yield detections("anchors_of_other_bytes", anchors="uint8")
    yield detections("anchors_of_floats", boxes="uint8")
    yield detections("negative_classes", num_classes=-1)
    yield detections("no_space_for_results", max_classes_per_detection=0, use_regular_nms=1)
    yield detections("size_overflows", max_detections=2**16, max_classes_per_detection=2**16 + 1)
