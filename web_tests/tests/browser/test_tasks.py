"""The tasks on real models, compared with native LiteRT's outputs for the same tensor, decoded here by numpy."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pytest

from web_tests.drivers import images
from web_tests.drivers.harness import Harness
from web_tests.drivers.images import Conversion
from web_tests.models import detectors
from web_tests.models.catalogue import all_models, generated_models
from web_tests.models.recipes import Array
from web_tests.references import native_litert

WEBNN = {"enableWebnnDelegate": True}
CPU = {"device": "cpu", "numThreads": 1}
EXECUTIONS = pytest.mark.parametrize("loading", [WEBNN, CPU], ids=["webnn", "cpu"])
MODELS = {**all_models(), **generated_models()}
# Scores of floats, from 0 to 1: the models' own tolerance is 1e-5 of their range (tolerances.toml).
SCORE_TOLERANCE = 2e-5
# Pixels of a mask where two classes are equally probable, within that tolerance.
CLASS_TOLERANCE = 1e-4
# Boxes in pixels of an image with 512 columns.
BOX_TOLERANCE = 0.05
# One int8 step of a box, 1 / 24, of the SSD: a 5th of it by an anchor of 0.4 x 300 pixels, times exp(2 / 5).
BOX_STEP = 1.5


def native_outputs(harness: Harness, name: str, image: str, options: Mapping[str, Any]) -> list[Array]:
    """Return native LiteRT's outputs for the tensor that imageToTensor() creates from an image."""
    content = MODELS[name].content()
    (info,) = native_litert.input_details(content)
    conversion = Conversion("Blob", f"/images/{image}", info.shape, np.dtype(info.dtype).name, options)
    tensor, _ = images.convert(harness, conversion)
    return native_litert.outputs_of(content, [tensor])


@EXECUTIONS
@pytest.mark.parametrize(
    ("name", "options", "step"),
    [("efficientnet_lite0_int8", {}, 1), ("mobilenet_v2", {"range": [-1, 1]}, 0)],
)
def test_the_classifier_returns_the_classes_of_native_litert(
    webnn: Harness, name: str, options: Mapping[str, Any], step: int, loading: Mapping[str, Any]
) -> None:
    """An integer network may differ by one step of its scores, which may swap neighbours."""
    (detail,) = native_litert.output_details(MODELS[name].content())
    (scores,) = native_outputs(webnn, name, "chelsea", options)
    real = (scores[0].astype(np.float64) - detail.zero_point) * (detail.scale or 1)
    found = images.run_task(
        webnn, "ImageClassifier", f"/models/{name}.tflite", "/images/chelsea", {**options, **loading, "k": 5}
    )
    best = np.argsort(-real, kind="stable")[:5]
    assert found[0]["index"] == best[0]
    assert [row["score"] for row in found] == sorted((row["score"] for row in found), reverse=True)
    tolerance = step * detail.scale + SCORE_TOLERANCE
    for row, index in zip(found, best, strict=True):
        assert abs(row["score"] - real[row["index"]]) <= tolerance
        assert row["index"] == index or abs(real[row["index"]] - real[index]) <= 2 * tolerance


@EXECUTIONS
def test_the_classifier_knows_a_cat_and_an_espresso(webnn: Harness, loading: Mapping[str, Any]) -> None:
    """ImageNet's 285th class is the Egyptian cat, its 967th an espresso."""
    model = "/models/efficientnet_lite0_int8.tflite"
    for image, index in (("chelsea", 285), ("coffee", 967)):
        found = images.run_task(webnn, "ImageClassifier", model, f"/images/{image}", {**loading, "k": 1})
        assert found[0]["index"] == index
        assert found[0]["score"] > 0.5


@EXECUTIONS
def test_the_segmenter_returns_the_mask_of_native_litert(webnn: Harness, loading: Mapping[str, Any]) -> None:
    name = "deeplabv3_257"
    options: dict[str, Any] = {"range": [-1, 1]}
    (scores,) = native_outputs(webnn, name, "chelsea", options)
    expected = scores[0].argmax(axis=-1)
    options = {**options, **loading}
    url, image = f"/models/{name}.tflite", "/images/chelsea"
    small = images.run_task(webnn, "ImageSegmenter", url, image, {**options, "maskSize": "output"})
    assert (small != expected).mean() <= CLASS_TOLERANCE
    large = images.run_task(webnn, "ImageSegmenter", url, image, options)
    assert large.shape == (300, 451)
    rows = ((np.arange(300) + 0.5) / 300 * 257).astype(int)
    columns = ((np.arange(451) + 0.5) / 451 * 257).astype(int)
    np.testing.assert_array_equal(large, small[np.ix_(rows, columns)])


@EXECUTIONS
@pytest.mark.parametrize(
    ("name", "size", "strides", "low", "key_points"),
    [
        ("face_detection_short_range", 128, [8, 16, 16, 16], -1, 6),
        ("palm_detection_lite", 192, [8, 16, 16, 16], 0, 7),
    ],
)
def test_the_detector_returns_the_boxes_of_native_litert(
    webnn: Harness, name: str, size: int, strides: Sequence[int], low: int, key_points: int, loading: Mapping[str, Any]
) -> None:
    """MediaPipe's detectors are SSDs; the image is letterboxed, and the boxes are in its pixels again."""
    options = {"range": [low, 1], "fit": "letterbox"}
    head = ("mediapipeHead", {"inputSize": size, "strides": strides, "keyPoints": key_points})
    boxes, logits = native_outputs(webnn, name, "astronaut", options)
    threshold = 0.5 if name.startswith("face") else 0.05  # there is no hand to be sure of
    expected = decoded(boxes[0], logits[0, :, 0], size, strides, threshold)
    task_options = {**options, **loading, "threshold": threshold, "overlap": 0.3, "duplicates": "merge"}
    found = images.run_task(webnn, "ObjectDetector", f"/models/{name}.tflite", "/images/astronaut", task_options, head)
    assert len(found) == len(expected)
    for one, (score, box) in zip(found, expected, strict=True):
        assert abs(one["score"] - score) <= SCORE_TOLERANCE * 10
        sides = [one["box"][side] for side in ("left", "top", "width", "height")]
        np.testing.assert_allclose(sides, np.array(box) / size * 512, atol=BOX_TOLERANCE)
        assert len(one["keyPoints"]) == key_points
    if name.startswith("face"):
        assert len(found) == 1


@EXECUTIONS
@pytest.mark.parametrize("quantized", [False, True], ids=["float32", "int8"])
def test_a_detector_with_post_processing_needs_no_head(
    webnn: Harness, quantized: bool, loading: Mapping[str, Any]
) -> None:
    """TFLite_Detection_PostProcess needs no head; classes have labels, boxes are in pixels of the image."""
    content = detectors.described(detectors.ssd(quantized=quantized))
    dtype, prepared = ("uint8", {}) if quantized else ("float32", {"range": [-1, 1]})
    tensor, _ = images.convert(webnn, Conversion("Blob", "/images/chelsea", (1, 32, 32, 3), dtype, prepared))
    boxes, classes, scores, count = native_litert.outputs_of(content, [tensor])
    kept = [row for row in range(int(count[0])) if scores[0, row] >= 0.5]
    assert kept, "nothing is found"
    model = f"/exchange/{webnn.send(content)}"
    found = images.run_task(webnn, "ObjectDetector", model, "/images/chelsea", loading)
    assert [row["label"] for row in found] == [["cat", "dog", "bird"][int(classes[0, row])] for row in kept]
    tolerance = detectors.SCORE_STEP if quantized else SCORE_TOLERANCE
    np.testing.assert_allclose([row["score"] for row in found], scores[0, kept], atol=tolerance)
    sides = [[row["box"][side] for side in ("top", "left", "height", "width")] for row in found]
    top, left, bottom, right = boxes[0, kept].T
    expected = np.stack([top * 300, left * 451, (bottom - top) * 300, (right - left) * 451], axis=1)
    np.testing.assert_allclose(sides, expected, atol=BOX_STEP if quantized else BOX_TOLERANCE)


def decoded(
    boxes: Array, logits: Array, size: int, strides: Sequence[int], threshold: float
) -> list[tuple[float, tuple[float, ...]]]:
    """Return scores and boxes (left, top, width, height in pixels of the model's input), merged like MediaPipe."""
    centers = []
    for stride in sorted(set(strides)):
        cells = size // stride
        y, x = np.mgrid[:cells, :cells]
        positions = np.stack([(x + 0.5) * stride, (y + 0.5) * stride], axis=-1).reshape(-1, 2)
        centers.append(np.repeat(positions, 2 * list(strides).count(stride), axis=0))
    anchors = np.concatenate(centers)
    scores = 1 / (1 + np.exp(-logits.astype(np.float64)))
    middle, extent = boxes[:, :2].astype(np.float64) + anchors, boxes[:, 2:4].astype(np.float64)
    remainder = [index for index in np.argsort(-scores, kind="stable") if scores[index] >= threshold]
    found = []
    while remainder:
        same = [
            index for index in remainder if index == remainder[0] or _overlap(middle, extent, remainder[0], index) > 0.3
        ]
        weights = scores[same, None] / scores[same].sum()
        (x, y), (width, height) = (middle[same] * weights).sum(0), (extent[same] * weights).sum(0)
        box = tuple(float(value) for value in (x - width / 2, y - height / 2, width, height))
        found.append((float(scores[remainder[0]]), box))
        remainder = [index for index in remainder if index not in same]
    return found


def _overlap(middle: Array, extent: Array, one: int, other: int) -> float:
    low = np.maximum(middle[one] - extent[one] / 2, middle[other] - extent[other] / 2)
    high = np.minimum(middle[one] + extent[one] / 2, middle[other] + extent[other] / 2)
    both = np.clip(high - low, 0, None).prod()
    return float(both / (extent[one].prod() + extent[other].prod() - both))
