"""Landmark tasks with the unmodified @mediapipe/tasks-vision and with tflite-webnn/vision, of the same bundles."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pytest

from web_tests.drivers.vision_page import VisionPage
from web_tests.models.hands import data_url, hands_image
from web_tests.models.recipes import Array
from web_tests.tests.browser.test_vision_segmenter import MIN_OVERLAP, overlap

FACES = "/programs/face_landmarker.task"
HANDS = "/programs/hand_landmarker.task"
BODIES = "/programs/pose_landmarker_full.task"
GESTURES = "/programs/operations.task"
ASTRONAUT = "/images/astronaut"
# It shows nobody, also to a model that gets the region to search.
EMPTY = "data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' width='512' height='512'/>"
SCORE_TOLERANCE = 0.02
# Of the image's width or height; of points in space, meters.
POSITION_TOLERANCE = 0.01
FRAMES = [33, 66, 100, 133]
# The astronaut shows no hand: where the detector looks least unlikely, both must find the same.
ANY_HAND = {"minHandDetectionConfidence": 0.02, "minHandPresenceConfidence": 0, "numHands": 2}
ROTATIONS = [0, 90, -90, 180]
# The gesture of each hand, of those that GESTURES knows.
HANDS_AND_GESTURES = {"back_of_hand": "0", "raised_hand": "", "waving_hand": "equal"}
CANNED, CUSTOM = "cannedGesturesClassifierOptions", "customGesturesClassifierOptions"
WITH_ALL = {"outputFaceBlendshapes": True, "outputFacialTransformationMatrixes": True}


@pytest.fixture
def both(tflite_webnn: VisionPage, peer: VisionPage) -> list[VisionPage]:
    """This project's page, and the peer's."""
    return [tflite_webnn, peer]


def results(both: Sequence[VisionPage], **call: Any) -> list[Any]:
    """Return both libraries' results of a call."""
    return [page.call("call", **{"image": ASTRONAUT, "options": {}, **call}) for page in both]


def two_hands(shift: int = 0) -> str:
    """Return the address of an image of two hands, the first `shift` pixels lower and the second higher."""
    return data_url(hands_image(("raised_hand", (0, 90 + shift)), ("back_of_hand", (256, 150 - shift))))


def coordinates(points: Sequence[Mapping[str, float]]) -> Array:
    found: Array = np.array([[point[key] for key in ("x", "y", "z")] for point in points])
    return found


def check_landmarks(actual: Mapping[str, Any], expected: Mapping[str, Any], keys: Sequence[str]) -> None:
    for key in keys:
        assert len(actual[key]) == len(expected[key])
        for points, others in zip(actual[key], expected[key], strict=True):
            assert [point.keys() for point in points] == [point.keys() for point in others]
            np.testing.assert_allclose(coordinates(points), coordinates(others), atol=POSITION_TOLERANCE)


def check_categories(actual: Sequence[Mapping[str, Any]], expected: Sequence[Mapping[str, Any]]) -> None:
    names = ("index", "categoryName", "displayName")
    assert [[row[name] for name in names] for row in actual] == [[row[name] for name in names] for row in expected]
    np.testing.assert_allclose(
        [row["score"] for row in actual], [row["score"] for row in expected], atol=SCORE_TOLERANCE
    )


@pytest.mark.parametrize("rotation", [0, 90, -90])
def test_the_face_landmarker_agrees_with_mediapipe(both: list[VisionPage], rotation: int) -> None:
    processing = {"rotationDegrees": rotation}
    call = {"task": "FaceLandmarker", "model": FACES, "method": "detect", "options": WITH_ALL}
    actual, expected = results(both, **call, processing=processing)
    if rotation == 0:
        assert len(actual["faceLandmarks"]) == 1
    assert actual.keys() == expected.keys()
    check_landmarks(actual, expected, ["faceLandmarks"])
    for found, other in zip(actual["faceBlendshapes"], expected["faceBlendshapes"], strict=True):
        assert (found["headIndex"], found["headName"]) == (other["headIndex"], other["headName"])
        check_categories(found["categories"], other["categories"])
    matrixes = zip(actual["facialTransformationMatrixes"], expected["facialTransformationMatrixes"], strict=True)
    for found, other in matrixes:
        assert (found["rows"], found["columns"]) == (4, 4)
        np.testing.assert_allclose(found["data"], other["data"], rtol=0.01, atol=0.01)


@pytest.mark.parametrize("count", [1, 2])
def test_faces_of_frames_are_those_of_mediapipe(both: list[VisionPage], count: int) -> None:
    """One face is smoothed; of two requested ones, the detector looks for the second in each frame."""
    options = {"runningMode": "VIDEO", "numFaces": count, "outputFaceBlendshapes": False}
    call = {"task": "FaceLandmarker", "model": FACES, "method": "detectForVideo", "timestamps": FRAMES}
    for actual, expected in zip(*results(both, **call, options=options), strict=True):
        assert len(actual["faceLandmarks"]) == 1
        check_landmarks(actual, expected, ["faceLandmarks"])


def test_the_hand_landmarker_agrees_with_mediapipe(both: list[VisionPage]) -> None:
    call = {"task": "HandLandmarker", "model": HANDS, "method": "detect", "options": ANY_HAND}
    actual, expected = results(both, **call)
    assert actual["landmarks"]
    check_landmarks(actual, expected, ["landmarks", "worldLandmarks"])
    for key in ("handednesses", "handedness"):
        for found, other in zip(actual[key], expected[key], strict=True):
            check_categories(found, other)


def test_the_gesture_recognizer_agrees_with_mediapipe(both: list[VisionPage]) -> None:
    call = {"task": "GestureRecognizer", "model": GESTURES, "method": "recognize", "options": ANY_HAND}
    actual, expected = results(both, **call)
    assert actual["gestures"]
    check_landmarks(actual, expected, ["landmarks", "worldLandmarks"])
    for found, other in zip(actual["gestures"], expected["gestures"], strict=True):
        check_categories(found, other)


def turned_hand(hand: str, rotation: int) -> dict[str, Any]:
    """Return the arguments of a call: the image of a hand, and how it is turned."""
    image = data_url(hands_image((hand, (128, 128))).rotate(rotation))
    return {"image": image, "processing": {"rotationDegrees": rotation}}


@pytest.mark.parametrize("rotation", ROTATIONS)
def test_one_hand_is_found_by_default(both: list[VisionPage], rotation: int) -> None:
    call = {"task": "HandLandmarker", "model": HANDS, "method": "detect", **turned_hand("back_of_hand", rotation)}
    actual, expected = results(both, **call)
    assert len(actual["landmarks"]) == 1
    check_hands(actual, expected, ["handedness"])


@pytest.mark.parametrize("rotation", ROTATIONS)
@pytest.mark.parametrize("hand", HANDS_AND_GESTURES)
def test_by_default_one_hand_and_its_gesture_are_those_of_mediapipe(
    both: list[VisionPage], hand: str, rotation: int
) -> None:
    """Hands are found as those of HandLandmarker, by the same code."""
    call = {"task": "GestureRecognizer", "model": GESTURES, "method": "recognize", **turned_hand(hand, rotation)}
    actual, expected = results(both, **call)
    assert [row[0]["categoryName"] for row in actual["gestures"]] == [HANDS_AND_GESTURES[hand]]
    assert len(actual["landmarks"]) == 1
    check_hands(actual, expected, ["handedness", "gestures"])


@pytest.mark.parametrize(
    "options",
    [
        {CUSTOM: {"scoreThreshold": 0.99}},
        {CUSTOM: {"categoryDenylist": ["divide"]}},
        {CUSTOM: {"categoryAllowlist": ["0"]}},
        {CUSTOM: {"maxResults": 1}, CANNED: {"maxResults": -1}},
        {CANNED: {"scoreThreshold": 0.99}},
        {CANNED: {"scoreThreshold": 0.93}, CUSTOM: {"scoreThreshold": 0.99}},
        {CANNED: {"scoreThreshold": 0.99}, CUSTOM: {"scoreThreshold": 0.99}},
    ],
    ids=str,
)
def test_gestures_that_options_exclude_leave_an_empty_list(both: list[VisionPage], options: Mapping[str, Any]) -> None:
    """MediaPipe lists nothing for a hand without a gesture, so the next hand's moves up; here it has an empty list."""
    call = {"task": "GestureRecognizer", "model": GESTURES, "method": "recognize", "image": two_hands()}
    actual, expected = results(both, **call, options={"numHands": 2, **options})
    assert len(actual["gestures"]) == len(actual["landmarks"]) == 2
    for found, other in zip(filter(None, actual["gestures"]), expected["gestures"], strict=True):
        check_categories(found, other)
    if expected["gestures"]:
        check_hands(actual, expected, ["handedness"])


def test_options_of_gestures_remain_when_others_are_set(both: list[VisionPage]) -> None:
    """MediaPipe's drops them when other options are set."""
    call = {"task": "GestureRecognizer", "model": GESTURES, "method": "recognize", "image": two_hands()}
    names = []
    for options in ({CUSTOM: {"scoreThreshold": 0.99}}, {}):
        found = results(both, **call, options={"numHands": 2, **options})
        names.append([[row[0]["categoryName"] for row in one["gestures"]] for one in found])
    assert names == [[["", ""], ["", ""]], [["", ""], ["divide", ""]]]


@pytest.mark.parametrize("count", [1, 2])
@pytest.mark.parametrize(
    ("task", "model", "method", "keys"),
    [
        ("HandLandmarker", HANDS, "detectForVideo", ["handedness"]),
        ("GestureRecognizer", GESTURES, "recognizeForVideo", ["handedness", "gestures"]),
    ],
    ids=["hands", "gestures"],
)
def test_hands_of_frames_are_those_of_mediapipe(
    both: list[VisionPage], task: str, model: str, method: str, keys: Sequence[str], count: int
) -> None:
    """Regions follow hands that move. A frame without a hand ends that; the detector finds them again."""
    moving = [two_hands(shift) for shift in (0, 6, 12)]
    images = [*moving, EMPTY, *moving]
    options = {"runningMode": "VIDEO", "numHands": count}
    call = {"task": task, "model": model, "method": method, "image": images, "options": options}
    found = list(zip(*results(both, **call, timestamps=[33 * (1 + frame) for frame in range(7)]), strict=True))
    assert [len(actual["landmarks"]) for actual, _ in found] == [count, count, count, 0, count, count, count]
    for actual, expected in found:
        check_hands(actual, expected, keys)


def check_hands(actual: Mapping[str, Any], expected: Mapping[str, Any], keys: Sequence[str]) -> None:
    check_landmarks(actual, expected, ["landmarks", "worldLandmarks"])
    for key in keys:
        for found, other in zip(actual[key], expected[key], strict=True):
            check_categories(found, other)


def test_the_pose_landmarker_agrees_with_mediapipe(both: list[VisionPage]) -> None:
    actual, expected = results(both, task="PoseLandmarker", model=BODIES, method="detect")
    assert len(actual["landmarks"]) == 1
    check_landmarks(actual, expected, ["landmarks", "worldLandmarks"])
    for points, others in zip(actual["landmarks"], expected["landmarks"], strict=True):
        for key in ("visibility", "presence"):
            np.testing.assert_allclose(
                [point[key] for point in points], [point[key] for point in others], atol=SCORE_TOLERANCE
            )


@pytest.mark.parametrize("count", [1, 2])
def test_bodies_of_frames_are_those_of_mediapipe(both: list[VisionPage], count: int) -> None:
    """One body is smoothed until a frame shows none. Of two requested ones, the detector looks for the second.

    Regions that follow a body without legs are chaotic: docs/guides/switch-from-mediapipe.md#one-body-in-a-video.
    """
    options = {"runningMode": "VIDEO", "numPoses": count}
    images = [ASTRONAUT, ASTRONAUT, EMPTY, ASTRONAUT, ASTRONAUT]
    call = {"task": "PoseLandmarker", "model": BODIES, "method": "detectForVideo", "image": images}
    found = list(zip(*results(both, **call, options=options, timestamps=[*FRAMES, 166]), strict=True))
    assert [len(actual["landmarks"]) for actual, _ in found] == [1, 1, 0, 1, 1]
    for actual, expected in found:
        check_landmarks(actual, expected, ["landmarks", "worldLandmarks"])
        for key in ("landmarks", "worldLandmarks"):
            for points, others in zip(actual[key], expected[key], strict=True):
                seen, expected_seen = ([point["visibility"] for point in one] for one in (points, others))
                np.testing.assert_allclose(seen, expected_seen, atol=SCORE_TOLERANCE)


@pytest.mark.parametrize(
    "call", [{}, {"timestamps": FRAMES[:2], "options": {"runningMode": "VIDEO"}}], ids=["image", "frames"]
)
def test_masks_of_bodies_are_those_of_mediapipe(both: list[VisionPage], call: Mapping[str, Any]) -> None:
    (rows, masks), (expected_rows, expected_masks) = (page.masks_of_bodies(BODIES, ASTRONAUT, **call) for page in both)
    assert rows == expected_rows
    for mask, expected in zip(masks, expected_masks, strict=True):
        assert np.abs(mask - expected).mean() <= SCORE_TOLERANCE
        assert expected.max() > 0.9
        assert overlap(mask > 0.5, expected > 0.5) >= MIN_OVERLAP


def test_lines_between_landmarks_are_those_of_mediapipe(both: list[VisionPage]) -> None:
    actual, expected = (
        {name: sorted((line["start"], line["end"]) for line in lines) for name, lines in page.call("lines")}
        for page in both
    )
    assert len(actual["FaceLandmarker.FACE_LANDMARKS_TESSELATION"]) == 2556
    assert actual == {name: lines for name, lines in expected.items() if name.split(".")[0] != "HolisticLandmarker"}


@pytest.mark.parametrize(
    ("task", "model", "method", "keys"),
    [
        ("FaceLandmarker", FACES, "detect", ["faceLandmarks"]),
        ("HandLandmarker", HANDS, "detect", ["landmarks", "worldLandmarks"]),
        ("GestureRecognizer", GESTURES, "recognize", ["landmarks", "worldLandmarks"]),
        ("PoseLandmarker", BODIES, "detect", ["landmarks", "worldLandmarks"]),
    ],
    ids=["faces", "hands", "gestures", "bodies"],
)
def test_calls_with_promises_on_webnn_find_what_synchronous_calls_find(
    both: list[VisionPage], task: str, model: str, method: str, keys: Sequence[str]
) -> None:
    """detectAsync() and its like find on WebNN what detect() finds on the CPU."""
    tflite_webnn, _ = both
    image = two_hands() if model in (HANDS, GESTURES) else ASTRONAUT
    call = {"task": task, "model": model, "options": {}, "image": image}
    found = [tflite_webnn.call("call", **call, method=name) for name in (f"{method}Async", method)]
    assert found[0][keys[0]]
    check_landmarks(found[0], found[1], keys)
    for gesture, other in zip(*(one.get("gestures", []) for one in found), strict=True):
        check_categories(gesture, other)
    assert tflite_webnn.foreign == []
