"""ImageSegmenter of the unmodified @mediapipe/tasks-vision and of tflite-webnn/vision: masks of the same models."""

from collections.abc import Callable

import numpy as np
import pytest

from web_tests.drivers.vision_page import Segmentation, VisionPage
from web_tests.models.described_images import ImageFile, described
from web_tests.models.recipes import Array
from web_tests.tests.browser.test_vision import CHELSEA, COFFEE, MODELS, NAMES, SCORE_TOLERANCE

MIN_OVERLAP = 0.98


@pytest.mark.parametrize("way", ["sync", "callback", "async"])
def test_a_segmenter_of_one_class_agrees_with_mediapipe(
    tflite_webnn: VisionPage, peer: VisionPage, models: Callable[[bytes], str], way: str
) -> None:
    model = models(described(MODELS["selfie_segmentation"].content(), ImageFile(0, 255), "segmentation_masks"))
    options = {"outputCategoryMask": True}
    expected = peer.segment(model, "/images/astronaut", options, way="sync" if way == "async" else way)
    check_masks(tflite_webnn.segment(model, "/images/astronaut", options, way=way), expected)


@pytest.mark.parametrize("activation", ["SOFTMAX", None])
def test_the_image_segmenter_agrees_with_mediapipe(
    tflite_webnn: VisionPage, peer: VisionPage, models: Callable[[bytes], str], activation: str | None
) -> None:
    about = ImageFile(activation=activation, labels={"": NAMES[:21]})
    model = models(described(MODELS["deeplabv3_257"].content(), about, "segmentation_masks"))
    options = {"outputCategoryMask": True}
    check_masks(tflite_webnn.segment(model, CHELSEA, options), peer.segment(model, CHELSEA, options))


def test_of_saturated_sigmoids_the_class_with_the_best_score_wins(
    tflite_webnn: VisionPage, peer: VisionPage, models: Callable[[bytes], str]
) -> None:
    """Of classes whose sigmoid is 1 in float32, MediaPipe selects the first, this package that of the highest score."""
    deeplab = MODELS["deeplabv3_257"].content()
    logits_model, sigmoid_model = (
        models(described(deeplab, ImageFile(activation=activation), "segmentation_masks"))
        for activation in ("NONE", "SIGMOID")
    )
    logits = np.array(tflite_webnn.segment(logits_model, CHELSEA).confidence)
    options = {"outputCategoryMask": True}
    found, expected = (page.segment(sigmoid_model, CHELSEA, options) for page in (tflite_webnn, peer))
    for actual, mask in zip(found.confidence, expected.confidence, strict=True):
        assert np.abs(actual - mask).mean() <= SCORE_TOLERANCE
    assert found.classes is not None
    assert expected.classes is not None
    sigmoids = np.float32(1) / (1 + np.exp(-logits.astype(np.float32)))
    assert overlap_of_classes(found.classes, logits.argmax(0)) >= MIN_OVERLAP
    assert overlap_of_classes(expected.classes, sigmoids.argmax(0)) >= MIN_OVERLAP


def overlap_of_classes(one: Array, other: Array) -> float:
    """Return the minimum intersection over union of the classes with at least a hundredth of the image."""
    indices, counts = np.unique(other, return_counts=True)
    return min(overlap(one == index, other == index) for index in indices[counts >= other.size / 100])


def test_a_segmenter_without_confidence_masks_agrees_with_mediapipe(
    tflite_webnn: VisionPage, peer: VisionPage, models: Callable[[bytes], str]
) -> None:
    model = models(described(MODELS["u_net"].content(), ImageFile(), "segmentation_masks"))
    options = {"outputCategoryMask": True, "outputConfidenceMasks": False}
    found, expected = (page.segment(model, COFFEE, options) for page in (tflite_webnn, peer))
    assert found.confidence == expected.confidence == []
    check_masks(found, expected)


def check_masks(found: Segmentation, expected: Segmentation) -> None:
    """Masks are compared where a class has at least a hundredth of the image: smaller ones are all edges."""
    assert found.labels == expected.labels
    np.testing.assert_allclose(found.quality, expected.quality, atol=SCORE_TOLERANCE)
    # Without an activation they are logits, whose range stands for that of scores.
    scale = max(1.0, float(np.ptp(expected.confidence))) if expected.confidence else 1.0
    for actual, mask in zip(found.confidence, expected.confidence, strict=True):
        assert actual.shape == mask.shape
        assert np.abs(actual - mask).mean() <= SCORE_TOLERANCE * scale
    assert found.classes is not None
    assert expected.classes is not None
    assert found.classes.shape == expected.classes.shape
    assert overlap_of_classes(found.classes, expected.classes) >= MIN_OVERLAP


def overlap(one: Array, other: Array) -> float:
    """Return the intersection over the union of two masks."""
    return float((one & other).sum() / (one | other).sum())
