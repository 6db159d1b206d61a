"""One program for MediaPipe's vision tasks, with the unmodified @mediapipe/tasks-vision and with tflite-webnn/vision.

Both get the same model file and the same image, in pages of one browser that differ by their import map.
"""

import uuid
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import pytest

from web_tests.drivers.vision_page import VisionPage
from web_tests.models import detectors
from web_tests.models.catalogue import all_models, generated_models
from web_tests.models.described_images import ImageFile, described, pixels
from web_tests.models.recipes import Array
from web_tests.tests.browser.guides import documented_exports

MODELS = {**all_models(), **generated_models()}
SCORE_TOLERANCE = 0.02
# Of the image's width or height.
POSITION_TOLERANCE = 0.01
MIN_OVERLAP = 0.98
# Of a pixel from 0 to 1: only float32 rounds.
PIXEL_TOLERANCE = 1e-6
CHELSEA = "/images/chelsea"
COFFEE = "/images/coffee"
WIDTH, HEIGHT = 451, 300
NAMES = [f"thing {index}" for index in range(1001)]
GERMAN = [f"Ding {index}" for index in range(1001)]

Models = Mapping[str, str]


def test_the_documented_features_are_those_of_the_packages(tflite_webnn: VisionPage, peer: VisionPage) -> None:
    of_peer, of_package = documented_exports("mediapipe")
    assert set(tflite_webnn.call("names")) == of_package
    assert set(peer.call("names")) == of_peer


def classifier(name: str = "mobilenet_v2", **about: Any) -> bytes:
    classes = MODELS[name].content()
    return described(classes, ImageFile(labels={"": NAMES[:1000], "de": GERMAN[:1000]}, **about))


def check_categories(found: Sequence[Mapping[str, Any]], expected: Sequence[Mapping[str, Any]]) -> None:
    """Names and scores of classes; neighbours with nearly equal scores may be swapped."""
    assert len(found) == len(expected)
    by_index = {row["index"]: row for row in found}
    for actual, row in zip(found, expected, strict=True):
        assert abs(actual["score"] - row["score"]) <= SCORE_TOLERANCE
        if row["index"] in by_index:
            assert by_index[row["index"]]["categoryName"] == row["categoryName"]
            assert by_index[row["index"]]["displayName"] == row["displayName"]
            assert abs(by_index[row["index"]]["score"] - row["score"]) <= SCORE_TOLERANCE


@pytest.mark.parametrize(
    ("options", "processing"),
    [
        ({}, None),
        ({"maxResults": 3, "displayNamesLocale": "de"}, None),
        ({"maxResults": 3, "displayNamesLocale": ""}, None),
        ({"categoryDenylist": NAMES[::2], "maxResults": 5}, {"rotationDegrees": 90}),
        ({"categoryAllowlist": NAMES[:9]}, {"rotationDegrees": 180}),
        ({"scoreThreshold": 0.002}, {"regionOfInterest": {"left": 0.2, "top": 0.1, "right": 0.7, "bottom": 0.9}}),
        (
            {"maxResults": 4},
            {"rotationDegrees": -90, "regionOfInterest": {"left": 0.5, "top": 0, "right": 1, "bottom": 0.5}},
        ),
    ],
)
def test_the_image_classifier_agrees_with_mediapipe(
    tflite_webnn: VisionPage,
    peer: VisionPage,
    models: Callable[[bytes], str],
    options: Mapping[str, Any],
    processing: Mapping[str, Any] | None,
) -> None:
    call = {
        "task": "ImageClassifier",
        "model": models(classifier()),
        "options": options,
        "image": CHELSEA,
        "processing": processing,
    }
    (expected,) = peer.call("call", method="classify", **call)["classifications"]
    for method in ("classify", "classifyAsync"):
        (found,) = tflite_webnn.call("call", method=method, **call)["classifications"]
        assert (found["headIndex"], found["headName"]) == (expected["headIndex"], expected["headName"])
        check_categories(found["categories"], expected["categories"])


@pytest.mark.parametrize("image", [COFFEE, "/images/astronaut"])
def test_the_classifier_matches_mediapipe(
    tflite_webnn: VisionPage, peer: VisionPage, models: Callable[[bytes], str], image: str
) -> None:
    call = {"task": "ImageClassifier", "model": models(classifier()), "options": {}, "image": image}
    (expected,) = peer.call("call", method="classify", **call)["classifications"]
    (found,) = tflite_webnn.call("call", method="classify", **call)["classifications"]
    check_categories(found["categories"], expected["categories"])


@pytest.mark.parametrize("quantized", [False, True], ids=["float32", "uint8"])
@pytest.mark.parametrize(
    "processing",
    [
        None,
        {"rotationDegrees": 90},
        {"rotationDegrees": 180, "regionOfInterest": {"left": 0.1, "top": 0.2, "right": 0.9, "bottom": 0.7}},
    ],
    ids=["entire", "turned", "region"],
)
def test_the_model_gets_the_pixels_that_mediapipe_passes_to_it(
    tflite_webnn: VisionPage,
    peer: VisionPage,
    models: Callable[[bytes], str],
    quantized: bool,
    processing: Mapping[str, Any] | None,
) -> None:
    """The network returns what it sees: real values from 0 to 1."""
    model = models(described(pixels(quantized=quantized), ImageFile(0, 255), "values"))
    call = {"task": "ImageEmbedder", "model": model, "options": {}, "image": CHELSEA, "processing": processing}
    found, expected = (
        numbers(page.call("call", method="embed", **call)["embeddings"][0]) for page in (tflite_webnn, peer)
    )
    np.testing.assert_allclose(found, expected, atol=PIXEL_TOLERANCE)


def test_an_int8_classifier_finds_the_classes_of_mediapipe(
    tflite_webnn: VisionPage, peer: VisionPage, models: Callable[[bytes], str]
) -> None:
    call = {
        "task": "ImageClassifier",
        "model": models(classifier("efficientnet_lite0_int8")),
        "options": {"maxResults": 5},
        "image": CHELSEA,
    }
    (expected,) = peer.call("call", method="classify", **call)["classifications"]
    (found,) = tflite_webnn.call("call", method="classify", **call)["classifications"]
    assert found["categories"][0]["index"] == 285  # Egyptian cat
    check_categories(found["categories"], expected["categories"])


@pytest.mark.parametrize("quantized", [False, True], ids=["float32", "int8"])
@pytest.mark.parametrize(
    ("options", "processing"),
    [
        ({}, None),
        ({"scoreThreshold": 0.6, "maxResults": 2}, None),
        ({"categoryAllowlist": ["dog"]}, {"rotationDegrees": 90}),
    ],
)
def test_the_object_detector_agrees_with_mediapipe(
    tflite_webnn: VisionPage,
    peer: VisionPage,
    models: Callable[[bytes], str],
    quantized: bool,
    options: Mapping[str, Any],
    processing: Mapping[str, Any] | None,
) -> None:
    call = {
        "task": "ObjectDetector",
        "model": models(detectors.described(detectors.ssd(quantized=quantized))),
        "options": options,
        "image": CHELSEA,
        "processing": processing,
    }
    expected = peer.call("call", method="detect", **call)["detections"]
    for method in ("detect", "detectAsync"):
        check_detections(tflite_webnn.call("call", method=method, **call)["detections"], expected)


def check_detections(found: Sequence[Mapping[str, Any]], expected: Sequence[Mapping[str, Any]]) -> None:
    assert len(found) == len(expected)
    for actual, row in zip(found, expected, strict=True):
        # MediaPipe's drops the index of a class that has a name.
        (category,), (other,) = actual["categories"], row["categories"]
        assert (category["categoryName"], category["displayName"]) == (other["categoryName"], other["displayName"])
        assert abs(category["score"] - other["score"]) <= SCORE_TOLERANCE
        assert actual["keypoints"] == row["keypoints"]
        box, expected_box = actual["boundingBox"], row["boundingBox"]
        assert box["angle"] == expected_box["angle"]
        for side, size in (("originX", WIDTH), ("originY", HEIGHT), ("width", WIDTH), ("height", HEIGHT)):
            assert abs(box[side] - expected_box[side]) <= POSITION_TOLERANCE * size, side


@pytest.mark.parametrize(
    "options", [{}, {"l2Normalize": True}, {"l2Normalize": True, "quantize": True}], ids=["raw", "normalized", "bytes"]
)
def test_the_image_embedder_agrees_with_mediapipe(
    tflite_webnn: VisionPage, peer: VisionPage, models: Callable[[bytes], str], options: Mapping[str, bool]
) -> None:
    model = models(described(MODELS["mobilenet_v2"].content(), ImageFile(), "feature"))
    call = {"task": "ImageEmbedder", "model": model, "options": options, "image": CHELSEA}
    (expected,) = peer.call("call", method="embed", **call)["embeddings"]
    for method in ("embed", "embedAsync"):
        (found,) = tflite_webnn.call("call", method=method, **call)["embeddings"]
        assert found.keys() == expected.keys()
        assert (found["headIndex"], found["headName"]) == (expected["headIndex"], expected["headName"])
        np.testing.assert_allclose(numbers(found), numbers(expected), atol=SCORE_TOLERANCE)
    images = [CHELSEA, COFFEE, CHELSEA]
    similar = tflite_webnn.call("similarities", model=model, options=options, images=images)
    np.testing.assert_allclose(
        similar, peer.call("similarities", model=model, options=options, images=images), atol=SCORE_TOLERANCE
    )
    assert similar[2] == pytest.approx(1)


def numbers(embedding: Mapping[str, Any]) -> Array:
    """Return an embedding's numbers; bytes are signed, 128 of them are 1."""
    if (values := embedding.get("floatEmbedding")) is not None:
        return np.array(values, np.float32)
    values = embedding["quantizedEmbedding"]
    found: Array = np.array(values, np.uint8).view(np.int8) / 128
    return found


def test_video_frames_keep_their_timestamps_as_in_mediapipe(
    tflite_webnn: VisionPage, peer: VisionPage, models: Callable[[bytes], str]
) -> None:
    call = {
        "task": "ImageClassifier",
        "model": models(classifier()),
        "options": {"runningMode": "VIDEO", "maxResults": 2},
        "method": "classifyForVideo",
        "image": CHELSEA,
        "timestamps": [1, 20.5, 40],
    }
    expected = peer.call("call", **call)
    found = tflite_webnn.call("call", **call)
    for actual, row in zip(found, expected, strict=True):
        assert actual.keys() == row.keys()
        assert actual.get("timestampMs") == row.get("timestampMs")
        check_categories(actual["classifications"][0]["categories"], row["classifications"][0]["categories"])


def test_wrong_calls_are_rejected_as_by_mediapipe(
    tflite_webnn: VisionPage, peer: VisionPage, models: Callable[[bytes], str]
) -> None:
    model = models(classifier())
    found = tflite_webnn.call("rejections", model=model, image=CHELSEA)
    assert found == peer.call("rejections", model=model, image=CHELSEA)
    accepted = {name for name, result in found.items() if result != "rejected"}
    assert accepted == {"rotationOfNothing", "works", "frame"}


@pytest.mark.parametrize(
    ("task", "method", "names"), [("ImageClassifier", "classify", NAMES), ("ObjectDetector", "detect", ["dog", "cat"])]
)
def test_unusual_options_end_as_in_mediapipe(
    tflite_webnn: VisionPage,
    peer: VisionPage,
    models: Callable[[bytes], str],
    task: str,
    method: str,
    names: Sequence[str],
) -> None:
    content = classifier() if task == "ImageClassifier" else detectors.described(detectors.ssd())
    call = {"task": task, "method": method, "model": models(content), "image": CHELSEA, "names": names}
    found, expected = (page.call("unusualOptions", **call) for page in (tflite_webnn, peer))
    assert found == expected
    assert found["noResults"] == "rejected"
    assert found["twice"] > found["highThreshold"] == 0


def test_timestamps_are_accepted_and_rejected_as_by_mediapipe(
    tflite_webnn: VisionPage, peer: VisionPage, models: Callable[[bytes], str]
) -> None:
    timestamps = [[5, 5.5, 6], [5], [4], [-7, -3], [0, 1e12], [5, 5], [5, 4.5]]
    videos = [{"timestamps": times, "runningMode": "VIDEO"} for times in timestamps]
    # Programs that were written for older versions:
    videos.append({"timestamps": [1], "runningMode": "video"})
    model = models(classifier())
    found, expected = (page.call("times", model=model, image=CHELSEA, videos=videos) for page in (tflite_webnn, peer))
    assert found == expected
    assert found[:5] == [5, 5, 6, 5, 4]
    assert found[-5:-1] == [5, "rejected", 5, "rejected"]


def test_careless_programs_end_as_in_mediapipe(
    tflite_webnn: VisionPage, peer: VisionPage, models: Callable[[bytes], str]
) -> None:
    segmenter = described(MODELS["selfie_segmentation"].content(), ImageFile(0, 255), "segmentation_masks")
    call = {"model": models(classifier()), "segmenter": models(segmenter), "image": "/images/astronaut"}
    found = tflite_webnn.call("careless", **call)
    assert found == peer.call("careless", **call)
    assert found == {"classes": 7, "frame": 4, "foreground": [18, 15]}


def test_closed_tasks_behave_as_those_of_mediapipe(
    tflite_webnn: VisionPage, peer: VisionPage, models: Callable[[bytes], str]
) -> None:
    call = {"model": models(classifier()), "detector": models(detectors.described(detectors.ssd())), "image": CHELSEA}
    found = tflite_webnn.call("ends", **call)
    assert found == peer.call("ends", **call)
    assert found == {"region": "rejected", "again": None, "classify": "rejected"}


def test_tasks_are_created_in_the_ways_of_mediapipe(
    tflite_webnn: VisionPage, peer: VisionPage, models: Callable[[bytes], str]
) -> None:
    model = models(classifier())
    found = tflite_webnn.call("ways", model=model, image=CHELSEA)
    assert found == peer.call("ways", model=model, image=CHELSEA)


def test_drawing_utils_draw_the_pixels_of_mediapipe(tflite_webnn: VisionPage, peer: VisionPage) -> None:
    images = []
    for page in (tflite_webnn, peer):
        key = uuid.uuid4().hex
        assert page.call("draw", key=key) == [2, 1, 7]
        images += page.arrays(key, 1, "uint8")
    found, expected = images
    np.testing.assert_array_equal(found, expected)
