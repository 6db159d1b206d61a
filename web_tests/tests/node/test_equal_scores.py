"""Boxes of equal scores: quantized detectors have 64 levels. They come in the order of native LiteRT's heap."""

import numpy as np
import pytest
from flatbuffers import flexbuffers

from web_tests.drivers.harness import CPU, PageHarness
from web_tests.models.model_writer import ModelWriter
from web_tests.models.recipes import SEED, Array
from web_tests.references import native_litert

BOXES = 60
LEVELS = 5


def suppression(version: int) -> bytes:
    """Return NON_MAX_SUPPRESSION of boxes [60, 4] and scores [60]; version 5 also lowers scores."""
    writer = ModelWriter()
    provided = [writer.tensor("boxes", (BOXES, 4)), writer.tensor("scores", (BOXES,))]
    numbers = [np.array(40, np.int32), np.array(0.5, np.float32), np.array(0.1, np.float32)]
    numbers += [np.array(0.5, np.float32)] if version == 5 else []
    constants = [writer.constant(f"number_{index}", value) for index, value in enumerate(numbers)]
    found = [writer.tensor("indices", (40,), "int32"), writer.tensor("count", (), "int32")]
    if version == 5:
        found.insert(1, writer.tensor("found_scores", (40,)))
    op = f"NON_MAX_SUPPRESSION_V{version}"
    writer.node(op, [*provided, *constants], found)
    return writer.finish(provided, found)


def post_processing(*, regular: bool, classes: int) -> bytes:
    """Return TFLite_Detection_PostProcess of boxes [1, 60, 4] and scores of each class and the background."""
    writer = ModelWriter()
    provided = [writer.tensor("boxes", (1, BOXES, 4)), writer.tensor("scores", (1, BOXES, classes + 1))]
    middles = np.random.default_rng(SEED).uniform(0, 1, (BOXES, 2))
    anchors = writer.constant("anchors", np.concatenate([middles, np.full((BOXES, 2), 0.1)], axis=1).astype(np.float32))
    shapes = {"found_boxes": (1, 20, 4), "classes": (1, 20), "found_scores": (1, 20), "count": (1,)}
    found = [writer.tensor(name, shape) for name, shape in shapes.items()]
    settings = {
        "max_detections": 20,
        "max_classes_per_detection": 2,
        "detections_per_class": 20,
        "use_regular_nms": regular,
        "nms_score_threshold": 0.1,
        "nms_iou_threshold": 0.5,
        "num_classes": classes,
        **dict.fromkeys(("y_scale", "x_scale", "h_scale", "w_scale"), 10.0),
    }
    writer.node("TFLite_Detection_PostProcess", [*provided, anchors], found, bytes(flexbuffers.Dumps(settings)))
    return writer.finish(provided, found)


def assert_counted_outputs(harness: PageHarness, content: bytes, inputs: list[Array], axis: int) -> None:
    """Compare as many elements along an axis as the last output counts: TFLite's kernels leave out the others."""
    expected = native_litert.outputs_of(content, inputs)
    count = int(expected[-1].flat[0])
    for found, other in zip(harness.load(content, CPU).run(inputs), expected, strict=True):
        known = (slice(None),) * axis + (slice(count),) if other.ndim > axis else ()
        np.testing.assert_allclose(found[known], other[known], rtol=1e-6, atol=1e-6)


def levels(random: np.random.Generator, *shape: int) -> Array:
    return (random.integers(1, LEVELS, shape) / LEVELS).astype(np.float32)


@pytest.mark.parametrize("version", [4, 5])
@pytest.mark.parametrize("seed", range(4))
def test_suppression_orders_equal_scores_as_native_litert(harness: PageHarness, version: int, seed: int) -> None:
    random = np.random.default_rng(SEED + seed)
    corners = random.uniform(0, 1, (BOXES, 2))
    boxes = np.concatenate([corners, corners + 0.15], axis=1).astype(np.float32)
    assert_counted_outputs(harness, suppression(version), [boxes, levels(random, BOXES)], axis=0)


@pytest.mark.parametrize("regular", [False, True])
@pytest.mark.parametrize("classes", [3, 9])
@pytest.mark.parametrize("seed", range(2))
def test_detections_of_equal_scores_are_those_of_native_litert(
    harness: PageHarness, regular: bool, classes: int, seed: int
) -> None:
    random = np.random.default_rng(SEED + seed)
    boxes = random.normal(0, 0.5, (1, BOXES, 4)).astype(np.float32)
    inputs = [boxes, levels(random, 1, BOXES, classes + 1)]
    assert_counted_outputs(harness, post_processing(regular=regular, classes=classes), inputs, axis=1)
