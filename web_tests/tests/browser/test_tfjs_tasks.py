"""tfjs-tflite's task library by the unmodified client: this project's module returns the same as its own."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest
from PIL import Image

from web_tests.browsers.page import PageError
from web_tests.drivers.harness import Harness
from web_tests.drivers.tfjs_client import OWN_WASM, PEER_WASM, TASKS, TfjsClient
from web_tests.models import detectors, metadata
from web_tests.models.model_writer import ModelWriter
from web_tests.models.recipes import SEED, Array, image_path

WIDTH, HEIGHT = 7, 5
# Sizes of images: of each way of resizing, and of mixtures.
SIZES = [
    (7, 5),
    (14, 10),
    (28, 20),
    (21, 15),
    (35, 25),
    (20, 13),
    (3, 3),
    (7, 15),
    (14, 5),
    (10, 3),
    (3, 10),
    (7, 9),
    (64, 48),
]


def both(
    client: TfjsClient, task: str, url: str, image: Array, options: Mapping[str, Any] | None = None
) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Return the outputs of this project's module and of tfjs-tflite's own."""
    actual, expected = (client.run_task(task, url, image, wasm, options) for wasm in (OWN_WASM, PEER_WASM))
    return actual, expected


def rejections(client: TfjsClient, task: str, url: str, options: Mapping[str, Any] | None = None) -> list[str]:
    """Return the messages by which both modules reject a task."""
    image = noise(4, 4)
    messages = []
    for wasm in (OWN_WASM, PEER_WASM):
        with pytest.raises(PageError) as caught:
            client.run_task(task, url, image, wasm, options)
        messages.append(str(caught.value).splitlines()[0])
    return messages


def rgba(name: str) -> Array:
    """Return an image of models.toml as uint8 [height, width, 4]."""
    image: Array = np.asarray(Image.open(image_path(name)).convert("RGBA"), dtype=np.uint8)
    return image


def noise(width: int, height: int) -> Array:
    random = np.random.default_rng(SEED)
    image: Array = random.integers(0, 256, (height, width, 4), dtype=np.uint8)
    image[..., 3] = 255
    return image


def served(client: TfjsClient, content: bytes) -> str:
    client.server.mailbox.put("task.tflite", content)
    return "/exchange/task.tflite"


def pixels_model() -> bytes:
    """Return a classifier whose scores are the pixels that it sees, each with its position as label."""
    writer = ModelWriter()
    count = WIDTH * HEIGHT * 3
    image = writer.tensor("image", (1, HEIGHT, WIDTH, 3))
    scores = writer.tensor("scores", (1, count))
    shape = writer.constant("shape", np.array([1, count], dtype=np.int32))
    writer.node("RESHAPE", [image, shape], [scores], {"newShape": [1, count]})
    labels = "\n".join(str(index) for index in range(count)).encode()
    return described(writer.finish([image], [scores]), labels)


def described(model: bytes, labels: bytes, *, threshold: float | None = None, german: bytes | None = None) -> bytes:
    """Return a float classifier with metadata: pixels remain as they are."""
    schema = metadata.schema()
    normalization = schema.NormalizationOptionsT([0.0], [1.0])
    unit = schema.ProcessUnitT(schema.ProcessUnitOptions.NormalizationOptions, normalization)
    kind = schema.AssociatedFileType.TENSOR_AXIS_LABELS
    files = {"labels.txt": labels, **({"labels_en.txt": german} if german else {})}
    rows = [schema.AssociatedFileT("labels.txt", type=kind)]
    if german:
        rows.append(schema.AssociatedFileT("labels_en.txt", type=kind, locale="en"))
    units = []
    if threshold is not None:
        options = schema.ScoreThresholdingOptionsT(threshold)
        units.append(schema.ProcessUnitT(schema.ProcessUnitOptions.ScoreThresholdingOptions, options))
    subgraph = schema.SubGraphMetadataT(
        inputTensorMetadata=[schema.TensorMetadataT("image", processUnits=[unit])],
        outputTensorMetadata=[schema.TensorMetadataT("scores", associatedFiles=rows, processUnits=units)],
    )
    return metadata.with_metadata(model, schema.ModelMetadataT("pixels", subgraphMetadata=[subgraph]), files)


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
def test_images_are_resized_alike(client: TfjsClient, size: tuple[int, int]) -> None:
    actual, expected = both(client, "ImageClassifier", served(client, pixels_model()), noise(*size))
    assert {row["className"]: row["probability"] for row in actual} == {
        row["className"]: row["probability"] for row in expected
    }
    assert len(actual) == WIDTH * HEIGHT * 3


@pytest.mark.parametrize("name", ["chelsea", "coffee", "rocket"])
def test_the_image_classifier_agrees_with_tfjs_tflite(client: TfjsClient, name: str) -> None:
    url = "/models/efficientnet_lite0_int8.tflite"
    actual, expected = both(client, "ImageClassifier", url, rgba(name), {"maxResults": 5})
    assert len(actual) == 5
    step = 1 / 256
    assert actual[0]["className"] == expected[0]["className"]
    for row, other in zip(actual, expected, strict=True):
        assert abs(row["probability"] - other["probability"]) <= step + 1e-6


def test_options_limit_the_results_as_in_tfjs_tflite(client: TfjsClient) -> None:
    url = served(client, described(pixels_model(), names(), threshold=100.0, german=names("E")))
    image = noise(WIDTH, HEIGHT)
    for options in ({}, {"maxResults": 3}, {"maxResults": -1}, {"scoreThreshold": 0.0}, {"scoreThreshold": 250.0}):
        actual, expected = both(client, "ImageClassifier", url, image, options)
        assert sorted(map(str, actual)) == sorted(map(str, expected)) or [row["probability"] for row in actual] == [
            row["probability"] for row in expected
        ]
        assert len(actual) == len(expected)


def names(prefix: str = "") -> bytes:
    return "\n".join(f"{prefix}{index}" for index in range(WIDTH * HEIGHT * 3)).encode()


def test_the_segmenter_agrees_with_tfjs_tflite(client: TfjsClient) -> None:
    actual, expected = both(client, "ImageSegmenter", "/models/deeplabv3_257.tflite", rgba("chelsea"))
    (row,), (other,) = actual, expected
    assert row["coloredLabels"] == other["coloredLabels"]
    assert (row["width"], row["height"]) == (other["width"], other["height"]) == (257, 257)
    assert np.mean(np.array(row["categoryMask"]) == np.array(other["categoryMask"])) > 0.999
    cat = next(index for index, label in enumerate(row["coloredLabels"]) if label["className"] == "cat")
    assert np.mean(np.array(row["categoryMask"]) == cat) > 0.5


def detector_model(*, order: list[int] | None = None, threshold: float | None = None) -> bytes:
    """Return a model that finds the same two boxes in every image: what it adds to them is 0."""
    writer = ModelWriter()
    image = writer.tensor("image", (1, HEIGHT, WIDTH, 3))
    start = writer.constant("start", np.array([0] * 4, dtype=np.int32))
    size = writer.constant("size", np.array([1, 1, 1, 1], dtype=np.int32))
    pixel = writer.tensor("pixel", (1, 1, 1, 1))
    writer.node("SLICE", [image, start, size], [pixel])
    nothing = writer.tensor("nothing", (1, 1, 1, 1))
    writer.node(
        "MUL",
        [pixel, writer.constant("factor", np.zeros(1, dtype=np.float32))],
        [nothing],
    )
    results: list[list[Any]] = [
        [[[0.1, 0.2, 0.55, 0.9], [0.5, 0.25, 0.75, 0.5], [0.0, 0.0, 1.0, 1.0]]],
        [[2.0, 0.0, 1.0]],
        [[0.75, 0.5, 0.25]],
        [3.0],
    ]
    outputs = []
    for name, values in zip(detectors.OUTPUTS, results, strict=True):
        array = np.array(values, dtype=np.float32)
        shape = writer.constant(f"shape of {name}", np.array([1] * array.ndim, dtype=np.int32))
        addend, output = writer.tensor(f"0 of {name}", (1,) * array.ndim), writer.tensor(name, array.shape)
        options = {"newShape": [1] * array.ndim}
        writer.node("RESHAPE", [nothing, shape], [addend], options)
        writer.node("ADD", [addend, writer.constant(f"of {name}", array)], [output])
        outputs.append(output)
    return detectors.described(writer.finish([image], outputs), order, threshold)


@pytest.mark.parametrize(
    ("order", "threshold", "options", "classes"),
    [
        (None, None, {}, ["bird", "cat", "dog"]),
        ([1, 0, 3, 2], None, {}, ["bird", "cat", "dog"]),
        ([1, 0, 3, 2], 0.5, {}, ["bird"]),
        ([1, 0, 3, 2], 0.5, {"scoreThreshold": 0.3}, ["bird", "cat"]),
        ([1, 0, 3, 2], None, {"maxResults": 2}, ["bird", "cat"]),
    ],
    ids=["corners", "order", "threshold", "own_threshold", "max_results"],
)
def test_the_detector_agrees_with_tfjs_tflite(
    client: TfjsClient, order: list[int] | None, threshold: float | None, options: dict[str, Any], classes: list[str]
) -> None:
    url = served(client, detector_model(order=order, threshold=threshold))
    actual, expected = both(client, "ObjectDetector", url, noise(640, 480), options)
    assert actual == expected
    assert [row["classes"][0]["className"] for row in actual] == classes
    if order:
        assert actual[0]["boundingBox"] == {"originX": 128, "originY": 48, "width": 448, "height": 216}


@pytest.mark.parametrize(("quantized", "step"), [(False, 1e-5), (True, detectors.SCORE_STEP)], ids=["float32", "int8"])
def test_an_ssd_detects_what_the_client_detects(client: TfjsClient, quantized: bool, step: float) -> None:
    """Convolutions and TFLite_Detection_PostProcess: it finds other things in each image."""
    url = served(client, detectors.described(detectors.ssd(quantized=quantized)))
    results = []
    for name in ("chelsea", "coffee", "rocket"):
        actual, expected = both(client, "ObjectDetector", url, rgba(name))
        assert [row["classes"][0]["className"] for row in actual] == [
            row["classes"][0]["className"] for row in expected
        ]
        for row, other in zip(actual, expected, strict=True):
            assert abs(row["classes"][0]["probability"] - other["classes"][0]["probability"]) <= step
            sides = ("originX", "originY", "width", "height")  # integer pixels, cut: floats may fall on either side
            assert all(abs(row["boundingBox"][side] - other["boundingBox"][side]) <= 1 for side in sides)
        results.append(str(actual))
    assert len(set(results)) == len(results)


@pytest.mark.parametrize(
    ("task", "url"),
    [
        ("ImageClassifier", "/models/efficientnet_lite0_int8.tflite"),
        ("ImageSegmenter", "/models/deeplabv3_257.tflite"),
    ],
)
def test_tasks_in_an_isolated_worker_run_on_webnn(webnn: Harness, task: str, url: str) -> None:
    """There they run on WebNN (web_api_module.test.ts), and return the same results as on the CPU."""
    browser = webnn.page.context.browser
    assert browser
    results = []
    for isolated in (True, False):
        page = browser.new_page()
        client = TfjsClient(page, webnn.server, isolated=isolated, in_worker=True)
        results.append(
            client.run_task(task, url, rgba("chelsea"), OWN_WASM, {"maxResults": 3} if "Class" in task else {})
        )
        page.close()
    if task == "ImageSegmenter":
        masks = [np.array(result[0]["categoryMask"]) for result in results]
        assert np.mean(masks[0] == masks[1]) > 0.999
        return
    on_webnn, on_cpu = results
    assert on_webnn[0]["className"] == on_cpu[0]["className"] == "Egyptian cat"
    assert abs(on_webnn[0]["probability"] - on_cpu[0]["probability"]) <= 1 / 256 + 1e-6


@pytest.mark.parametrize("task", TASKS)
def test_a_model_without_metadata_is_rejected_as_in_tfjs_tflite(client: TfjsClient, task: str) -> None:
    actual, expected = rejections(client, task, "/models/face_detection_short_range.tflite")
    assert actual == expected


@pytest.mark.parametrize(
    ("task", "options"),
    [  # and of the model, which is a classifier
        ("ImageClassifier", {"maxResults": 0}),
        ("ImageClassifier", {"numThreads": 0}),
        ("ObjectDetector", {"maxResults": 0}),
        ("ObjectDetector", {}),
        ("ImageSegmenter", {}),
    ],
)
def test_wrong_options_and_models_are_rejected_as_in_tfjs_tflite(
    client: TfjsClient, task: str, options: dict[str, Any]
) -> None:
    actual, expected = rejections(client, task, "/models/efficientnet_lite0_int8.tflite", options)
    assert actual == expected
