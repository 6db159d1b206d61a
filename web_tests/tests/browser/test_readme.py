"""The pages of README.md and js/packages/tasks/README.md, and code for workers of others, copied as a reader would."""

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
import pytest
from playwright.sync_api import Route

from support.paths import PROJECT_DIR
from web_tests.drivers import images
from web_tests.drivers.harness import Harness
from web_tests.drivers.images import Conversion
from web_tests.models import detectors, handmade, package_assets
from web_tests.models.catalogue import all_models, generated_models
from web_tests.models.recipes import image_path
from web_tests.references import native_litert
from web_tests.tests.browser.test_vision import classifier

pytestmark = pytest.mark.needs("webnn")

TASKS = "js/packages/tasks/README.md"
RUNTIME = "js/packages/core/README.md"
VISION = "docs/guides/switch-from-mediapipe.md"
LITERT = "docs/guides/switch-from-litert.md"
IMPORTS = {"tflite-webnn": "/package/index.mjs"} | {
    f"tflite-webnn/{name}": f"/package/{name}.mjs" for name in ("litert", "vision", "worker")
}
IMAGE = "const image = new Image(); image.src = '/images/{}'; await image.decode();"
# Served next to a page: content and type.
Files = Mapping[str, tuple[bytes, str]]


def examples(document: str = "README.md") -> list[str]:
    """Return a document's HTML blocks."""
    return re.findall(r"```html\n(.*?)```", (PROJECT_DIR / document).read_text(), re.DOTALL)


@pytest.mark.parametrize("example", [*examples(), *examples(TASKS)], ids=["image", "numbers", "detections", "segments"])
def test_the_examples_are_ten_lines_long(example: str) -> None:
    assert len([line for line in example.splitlines() if "script" not in line and line.strip()]) <= 10


def test_an_image_is_labelled(webnn: Harness) -> None:
    """The labels are in the model's metadata."""
    model = all_models()["efficientnet_lite0_int8"].content()
    files = {
        "model.tflite": (model, "application/octet-stream"),
        "*.png": (image_path("chelsea").read_bytes(), "image/png"),
    }
    (text,) = logged_messages(webnn, examples()[0], files, count=1)
    label, _, score = text.rpartition(" ")
    assert label == "Egyptian cat"
    assert float(score) > 0.5


def test_numbers_run_on_webnn(webnn: Harness) -> None:
    files = {"model.tflite": (handmade.wide_network(), "application/octet-stream")}
    where, scores = logged_messages(webnn, examples()[1], files, count=2)
    assert where == "direct null"
    assert scores.startswith("scores float32 [1, 5] Float32Array(5)")


def test_the_detector_example_prints_what_native_litert_finds(webnn: Harness) -> None:
    """As many as native LiteRT finds, with labels of the model's metadata."""
    model = detectors.described(detectors.ssd())
    conversion = Conversion("Blob", "/images/chelsea", (1, 32, 32, 3), options={"range": [-1, 1]})
    boxes, classes, scores, count = native_litert.outputs_of(model, [images.convert(webnn, conversion)[0]])
    expected = [row for row in range(int(count[0])) if scores[0, row] >= 0.5]
    files = {
        "detector.tflite": (model, "application/octet-stream"),
        "*.png": (image_path("chelsea").read_bytes(), "image/png"),
    }
    lines = logged_messages(webnn, examples(TASKS)[0], files, count=len(expected))
    found = [line.split() for line in lines]
    assert [label for label, *_ in found] == [["cat", "dog"][int(classes[0, row])] for row in expected]
    np.testing.assert_allclose([float(score) for _, score, *_ in found], scores[0, expected], atol=2e-5)
    sides = np.array([[float(side) for side in sides] for _, _, *sides in found])
    top, left, bottom, right = boxes[0, expected].T
    expected_sides = np.stack([left * 451, top * 300, (right - left) * 451, (bottom - top) * 300], axis=1)
    np.testing.assert_allclose(sides, expected_sides, atol=0.05)


def test_an_image_is_segmented(webnn: Harness) -> None:
    """Most of it is a cat; the labels are in the model's own metadata."""
    files = {
        "segmenter.tflite": (all_models()["deeplabv3_257"].content(), "application/octet-stream"),
        "*.png": (image_path("chelsea").read_bytes(), "image/png"),
    }
    (text,) = logged_messages(webnn, examples(TASKS)[1], files, count=1)
    label, share = text.split()
    assert label == "cat"
    assert float(share) > 0.5


@dataclass(frozen=True)
class Snippet:
    """The block of a document with a certain text, and what stands around it in a reader's program.

    Attributes:
        model: returns the file that it loads.
        before, after: the program's other lines.
        logs: what its last log message matches.
        messages: how many it logs.
    """

    document: str
    text: str
    model: Callable[[], bytes]
    before: str
    after: str
    logs: str
    messages: int = 1

    @property
    def page(self) -> str:
        blocks = re.findall(r"```js\n(.*?)```", (PROJECT_DIR / self.document).read_text(), re.DOTALL)
        (code,) = (block for block in blocks if self.text in block)
        imports = f'<script type="importmap">{json.dumps({"imports": IMPORTS})}</script>'
        script = "\n".join([self.before, code, self.after])
        return f'{imports}<script src="/package/tflite_cpu.js"></script><script type="module">{script}</script>'


SNIPPETS = {
    "a classifier": Snippet(
        VISION,
        "ImageClassifier",
        lambda: classifier("efficientnet_lite0_int8"),
        IMAGE.format("chelsea"),
        "",
        "^thing 285 0",
    ),
    "a program of LiteRT.js": Snippet(
        LITERT,
        "loadAndCompile",
        lambda: generated_models()["mobilenet_v2"].content(),
        "",
        "",
        r"^\d+(\.\d+)?(e-\d+)?$",
        messages=2,  # the first warns that there are no threads without isolation
    ),
    "a landmarker in a worker": Snippet(
        VISION,
        "TFLiteWorker",
        lambda: package_assets.path_of("programs", "face_landmarker.task").read_bytes(),
        IMAGE.format("astronaut"),
        "console.log((await landmarker.detectAsync(image)).faceLandmarks[0].length);",
        "^478$",
    ),
    "a model in a worker": Snippet(
        RUNTIME,
        "new TFLiteWorker()",
        handmade.tiny_network,
        "const pixels = new Float32Array(768);"
        "const images = () => [new Float32Array(768)];"
        "const show = (data) => data.length;",
        "console.log(pixels.length, scores.data.length);",
        "^0 5$",
        messages=2,
    ),
    "one script": Snippet(
        RUNTIME,
        "createTFLite({ module })",
        handmade.tiny_network,
        "const bytesAt = async (url) => new Uint8Array(await (await fetch(url)).arrayBuffer());"
        "const [module, bytes] = await Promise.all(['/package/simd/tflite_webnn.wasm', 'model.tflite'].map(bytesAt));"
        "const features = new Float32Array(768);",
        "console.log(scores.length);",
        "^5$",
    ),
}


@pytest.mark.parametrize("snippet", SNIPPETS.values(), ids=SNIPPETS)
def test_code_for_workers_runs(webnn: Harness, snippet: Snippet) -> None:
    kind = "application/octet-stream"
    files = {"*.tflite": (snippet.model(), kind), "face_landmarker.task": (snippet.model(), kind)}
    lines = logged_messages(webnn, snippet.page, files, count=snippet.messages)
    assert re.search(snippet.logs, lines[-1])


def logged_messages(webnn: Harness, example: str, files: Files, *, count: int) -> list[str]:
    """Open a page with files next to it, and return its first log messages."""
    browser = webnn.page.context.browser
    assert browser
    page = browser.new_page()
    logged: list[str] = []
    page.on("console", lambda message: logged.append(message.text))
    page.on("pageerror", lambda error: logged.append(f"error: {error}"))
    document = f"<!doctype html><title>README</title>{example}".encode()
    for name, (content, kind) in {**files, "readme.html": (document, "text/html")}.items():
        page.route(f"**/{name}", _serving(content, kind))
    try:
        with page.expect_console_message(lambda _: len(logged) >= count):
            page.goto(f"{webnn.server.origin}/readme.html")
        return logged[:count]
    finally:
        page.close()
        print(logged)


def _serving(body: bytes, content_type: str) -> Callable[[Route], None]:
    return lambda route: route.fulfill(body=body, content_type=content_type)
