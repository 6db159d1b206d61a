"""Types and sizes that TFLite's kernels assume, and the build checks (wasm/cmake/tflite.cmake)."""

from typing import Any

import numpy as np
import pytest
from flatbuffers import flexbuffers

from web_tests.drivers.harness import LoadOptions, ModelError, PageHarness
from web_tests.models.recipes import Array
from web_tests.op_cases.case import Input, OpCase, Operand, Values
from web_tests.references import native_litert

CPU = LoadOptions(webnn=False)
SPARSE, DENSE = 1, 2
LARGEST = 2**31 - 1
BOXES = 3


def _op(op: str, operands: tuple[Operand, ...], shape: tuple[int, ...], **attributes: Any) -> OpCase:
    return OpCase("types", op, operands, output_shape=shape, **attributes)


def projection(kind: int, seeds: str = "float32", weights: str = "float32", output: str = "int32") -> OpCase:
    hashes, x = Values([[1, 7, 4], [9, 2, 5]], seeds), Input((4, 2), -9, 9, "int32")
    operands = (hashes, x, Values([1, -2, 3, -1], weights))
    shape = (2,) if kind == SPARSE else (6,)
    options = {"type": kind}
    return _op("LSH_PROJECTION", operands, shape, options=options, output_dtype=output)


def one_hot(depth: Operand) -> OpCase:
    values = (Values(5, "float32"), Values(2, "float32"))
    operands = (Input((3,), 0, 5, "int32"), depth, *values)
    return _op("ONE_HOT", operands, (3, 4), options={"axis": -1}, output_dtype="float32")


def segments(op: str, output: str = "float32") -> OpCase:
    operands = (Input((4, 3)), Values([1, 0, 2, 1]), Values(3))
    return _op(f"UNSORTED_SEGMENT_{op.upper()}", operands, (3, 3), output_dtype=output)


def detections(*, boxes: str = "float32", anchors: str = "float32", rows: int = BOXES, **settings: int) -> OpCase:
    scales = {f"{name}_scale": 5.0 for name in "yxhw"}
    limits = {"max_detections": BOXES, "max_classes_per_detection": 1, "num_classes": 2}
    # Every box is found: other rows of the result have no values.
    thresholds = {"nms_score_threshold": 0.0, "nms_iou_threshold": 1.0}
    encoded = Input((1, BOXES, 4), dtype=boxes) if boxes == "float32" else Input((1, BOXES, 4), 0, 9, boxes)
    anchor_boxes = Values(np.arange(rows * 4).reshape(rows, 4) % 5 + 1, anchors)
    return OpCase(
        "types", "TFLite_Detection_PostProcess", (encoded, Input((1, BOXES, 3), 0, 1), anchor_boxes),
        bytes(flexbuffers.Dumps(scales | limits | thresholds | settings)),
        output_shape=(1,), output_dtypes=("float32",) * 4,
    )  # fmt: skip


def batches(sizes: Operand, paddings: Operand) -> OpCase:
    """Return a node of 4 x 4 pixels that creates batches."""
    return _op("SPACE_TO_BATCH_ND", (Input((1, 4, 4, 1)), sizes, paddings), (4, 2, 2, 1))


def rows(op: str, sizes: str = "int32", paddings: str = "int32") -> OpCase:
    """Return a node of one spatial dimension, which reads the first of the sizes."""
    return _op(op, (Input((2, 4, 1)), Values([2], sizes), Values([[0, 0]], paddings)), (4, 2, 1))


def upsampling(weights: str) -> OpCase:
    """Return a TRANSPOSE_CONV of floats."""
    shape = (1, 4, 4, 1)
    operands = (Values(shape), Values(np.ones((1, 2, 2, 1)), weights), Input((1, 2, 2, 1)))
    return _op("TRANSPOSE_CONV", operands, shape, options={"strideW": 2, "strideH": 2})


RIGHT = {
    "sparse signatures": projection(SPARSE),
    "dense signatures": projection(DENSE),
    "a depth of int32": one_hot(Values(4)),
    "a depth of int64": one_hot(Values(4, "int64")),
    "sums": segments("Sum"),
    "the smallest": segments("Min"),
    "boxes": detections(),
    "more anchors than boxes": detections(rows=BOXES + 1),
    "boxes of bytes": detections(boxes="uint8", anchors="uint8"),
    "batches": rows("SPACE_TO_BATCH_ND"),
    "space": rows("BATCH_TO_SPACE_ND"),
    "upsampling": upsampling("float32"),
}
WRONG = {
    "signatures of narrow seeds": projection(SPARSE, seeds="int8"),
    "signatures with narrow weights": projection(DENSE, weights="int8"),
    "narrow signatures": projection(DENSE, output="int8"),
    "a narrow depth": one_hot(Values(4, "int8")),
    "a depth of float32": one_hot(Values(0, "float32")),
    "a depth beyond int32": one_hot(Values(2**32 + 4, "int64")),
    "narrow sums": segments("Sum", "int8"),
    "the greatest as integers": segments("Max", "int32"),
    "less anchors than boxes": detections(rows=BOXES - 1),
    "anchors of other bytes": detections(anchors="uint8"),
    "anchors of floats": detections(boxes="uint8"),
    "a negative number of classes": detections(num_classes=-1),
    "results without space": detections(max_classes_per_detection=0, use_regular_nms=1),
    "a size that overflows": detections(max_detections=2**16, max_classes_per_detection=2**16 + 1),
    "narrow blocks of batches": rows("SPACE_TO_BATCH_ND", sizes="int16"),
    "narrow blocks of space": rows("BATCH_TO_SPACE_ND", sizes="int16"),
    "narrow paddings": rows("SPACE_TO_BATCH_ND", paddings="int8"),
    "wide crops": rows("BATCH_TO_SPACE_ND", paddings="int64"),
    "narrow weights of an upsampling": upsampling("uint8"),
}
# With the values of the operand that only the run provides.
WRONG_WHEN_RUN = {
    "a depth beyond int32": (one_hot(Input((), 4, 5, "int64")), np.array(2**32 + 4)),
    "paddings whose sum is small": (
        batches(Values([1, 1]), Input((2, 2), 0, 1, "int32")),
        np.array([[LARGEST, LARGEST], [0, 0]], np.int32),
    ),
    "batches whose number is 0": (
        batches(Input((2,), 1, 2, "int32"), Values([[0, 2**16 - 4]] * 2)),
        np.array([2**16, 2**16], np.int32),
    ),
}


@pytest.mark.parametrize("name", RIGHT)
def test_right_operands_return_native_litert_s_output(harness: PageHarness, name: str) -> None:
    content, inputs = RIGHT[name].model(), RIGHT[name].inputs()
    expected = native_litert.outputs_of(content, inputs)
    for found, array in zip(harness.load(content, CPU).run(inputs), expected, strict=True):
        assert (found.dtype, found.shape) == (array.dtype, array.shape)
        np.testing.assert_allclose(found, array, rtol=1e-6)


@pytest.mark.parametrize("name", WRONG)
def test_wrong_operands_are_an_error_when_the_model_is_loaded(harness: PageHarness, name: str) -> None:
    with pytest.raises(ModelError) as caught:
        harness.load(WRONG[name].model(), CPU)
    assert caught.value.code == "ALLOCATE_TENSORS_FAILED", caught.value


@pytest.mark.parametrize("name", WRONG_WHEN_RUN)
def test_wrong_numbers_are_an_error_when_the_model_runs(harness: PageHarness, name: str) -> None:
    case, numbers = WRONG_WHEN_RUN[name]
    kind = numbers.dtype, numbers.shape
    inputs: list[Array] = [
        numbers if (provided.dtype, provided.shape) == kind else provided for provided in case.inputs()
    ]
    model = harness.load(case.model(), CPU)
    with pytest.raises(ModelError) as caught:
        model.run(inputs)
    assert caught.value.code == "INVOKE_FAILED", caught.value
