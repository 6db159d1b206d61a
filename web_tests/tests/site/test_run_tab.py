"""The explorer's tab Run: a visitor's model on a visitor's input, and its lines of code as they stand in a page."""

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass

import numpy as np
import pytest
from playwright.sync_api import Browser, FilePayload, Route

from web_tests.models import detectors, handmade
from web_tests.models.catalogue import all_models
from web_tests.models.model_writer import ModelWriter
from web_tests.models.recipes import image_path
from web_tests.tests.site.conftest import ServedSite
from web_tests.tests.site.demo_page import IN_VIEW
from web_tests.tests.site.visit import PHONE, Visit, drop, visiting

MODELS_MIME = "application/octet-stream"
# The last run of the last device.
DONE = "() => document.getElementById('run-times').textContent.includes(' of ')"
FAILED = "() => document.getElementById('run-status').dataset.kind === 'error'"
NAMES = ("image", "metadata", "results", "sound", "tasks", "text")


def nchw_segmenter(side: int = 64) -> bytes:
    """Return f32[1,3,side,side] -> its negative: each pixel belongs to its darkest channel."""
    writer = ModelWriter()
    x, y = (writer.tensor(name, (1, 3, side, side)) for name in ("image", "mask"))
    writer.node("NEG", [x], [y])
    return writer.finish([x], [y])


def sound_classifier(length: int = 8000) -> bytes:
    """Return f32[1,length] -> softmax of three sums."""
    writer = ModelWriter()
    random = np.random.default_rng(8)
    x, sums, scores = writer.tensor("samples", (1, length)), writer.tensor("sums", (1, 3)), writer.tensor("y", (1, 3))
    weights = writer.constant("weights", random.normal(0, 0.01, (3, length)).astype(np.float32))
    bias = writer.constant("bias", np.array([0, 1, 2], np.float32))
    writer.node("FULLY_CONNECTED", [x, weights, bias], [sums])
    writer.node("SOFTMAX", [sums], [scores], {"beta": 1.0})
    return writer.finish([x], [scores])


def yolo_in_pixels(side: int = 64, cells: int = 400) -> bytes:
    """Return f32[1,side,side,3] -> f32[1,6,cells]: one box of class 1 in the middle, in pixels, and no metadata."""
    rows = np.zeros((6, cells), np.float32)
    rows[:, 0] = side / 2, side / 2, side / 2, side / 4, 0.1, 0.9
    writer = ModelWriter()
    image, means = writer.tensor("images", (1, side, side, 3)), writer.tensor("means", (1, 1, 1, 3))
    flat, found = writer.tensor("flat", (1, 6 * cells)), writer.tensor("output0", rows[None].shape)
    pool = {"padding": 1, "strideW": side, "strideH": side, "filterWidth": side, "filterHeight": side}
    weights = writer.constant("weights", np.zeros((6 * cells, 3), np.float32))
    writer.node("AVERAGE_POOL_2D", [image], [means], pool)
    writer.node("FULLY_CONNECTED", [means, weights, writer.constant("bias", rows.ravel())], [flat])
    writer.node("RESHAPE", [flat, writer.constant("shape", np.array(rows[None].shape, np.int32))], [found])
    return writer.finish([image], [found])


@dataclass(frozen=True)
class Kind:
    """A model file, the choices that the panel has to make for it, and what its result and its code print."""

    content: bytes
    choices: Mapping[str, str]
    shown: str
    printed: str


def kinds() -> Mapping[str, Kind]:
    return {
        "classifier": Kind(
            all_models()["efficientnet_lite0_int8"].content(),
            {"input": "image", "output": "classes", "range": "file"},
            "Egyptian cat",
            "Egyptian cat",
        ),
        "segmenter": Kind(
            all_models()["deeplabv3_257"].content(), {"input": "image", "output": "mask", "range": "file"}, "cat", "cat"
        ),
        "nchw": Kind(nchw_segmenter(), {"output": "mask", "range": "imagenet"}, "class 2", "2 0."),
        "ssd": Kind(detectors.ssd(), {"output": "boxes", "head": "file"}, "found", "class "),
        "yolo": Kind(
            handmade.yolo_export(),
            {"output": "boxes", "fit": "letterbox", "range": "file"},
            "found",
            "class ",
        ),
        "yolo in pixels": Kind(
            yolo_in_pixels(),
            {"output": "boxes", "fit": "letterbox", "range": "zeroToOne", "head": "yolo11"},
            "1 found: class 1 90.0%",
            "class 1 0.8999",
        ),
        "sound": Kind(sound_classifier(), {"input": "sound", "output": "classes"}, "class 2", ""),
        "numbers": Kind(handmade.sum_of_two("int32", (4,)), {"input": "zeros", "output": "tensors"}, "1 output", "sum"),
    }


@contextmanager
def running(browser: Browser, site: ServedSite) -> Iterator[Visit]:
    with visiting(browser, site, "explorer.html") as visit:
        visit.page.wait_for_function(DONE)
        yield visit
        assert visit.console_errors == []
        assert visit.foreign_requests(site) == []


def provide(visit: Visit, name: str, content: bytes) -> None:
    """Choose a model file, and wait for its result."""
    page = visit.page
    page.evaluate("() => document.getElementById('run-times').replaceChildren()")
    page.set_input_files("#model-file", {"name": name, "mimeType": MODELS_MIME, "buffer": content})
    page.wait_for_function(f"() => ({DONE})() || ({FAILED})()")
    page.wait_for_function("() => document.getElementById('run-status').dataset.kind !== 'busy'")


def printed(browser: Browser, site: ServedSite, content: bytes, code: str) -> list[str]:
    """Return what the lines of code print in a page with an image and the model next to it."""
    page = browser.new_page(service_workers="block")  # the site's worker would respond instead of the routes
    package = f"{site.address}package"
    imports = {
        "tflite-webnn": f"{package}/index.mjs",
        **{f"tflite-webnn/{name}": f"{package}/{name}.mjs" for name in NAMES},
    }
    sample = next((site.directory / "samples").glob("chelsea*")).name
    html = (
        f'<script type="importmap">{json.dumps({"imports": imports})}</script><img src="samples/{sample}">'
        f'<script type="module">await document.querySelector("img").decode();</script>'
        f'<script type="module">{code}\nconsole.log("end");</script>'
    )
    lines: list[str] = []
    page.on("console", lambda message: lines.append(message.text))
    page.on("pageerror", lambda error: lines.append(f"uncaught {error}"))

    def serve(route: Route) -> None:
        if route.request.url.endswith("pasted.html"):
            route.fulfill(body=html, content_type="text/html")
        else:
            route.fulfill(body=content, content_type=MODELS_MIME)

    page.route(f"{site.address}pasted.html", serve)
    page.route("**/mine.tflite", serve)
    page.goto(f"{site.address}pasted.html")
    for _ in range(300):
        if any(line == "end" or line.startswith("uncaught") for line in lines):
            break
        page.wait_for_timeout(100)
    page.close()
    return lines


@pytest.mark.parametrize("name", kinds())
def test_a_model_of_each_kind_is_run_and_its_code_does_the_same(
    webnn_browser: Browser, site: ServedSite, name: str
) -> None:
    kind = kinds()[name]
    with running(webnn_browser, site) as visit:
        page = visit.page
        provide(visit, "mine.tflite", kind.content)
        assert page.inner_text("#run-status").startswith("mine: "), page.inner_text("#run-status")
        choices = {choice: page.input_value(f"#run-{choice}") for choice in kind.choices}
        assert choices == kind.choices
        assert kind.shown in page.inner_text("#run-status")
        devices = page.locator("#run-times tbody th").all_inner_texts()
        assert devices == ["WebNN", "CPU"]
        if kind.printed:
            lines = printed(webnn_browser, site, kind.content, page.text_content("#run-code") or "")
            assert lines[-1] == "end", lines
            assert any(kind.printed in line for line in lines), lines


def test_boxes_in_pixels_are_drawn_where_they_are(webnn_browser: Browser, site: ServedSite) -> None:
    """The sample has 451 x 300 pixels: in the letterbox, a pixel of the input is 451 / 64 of its own."""
    content = yolo_in_pixels()
    with running(webnn_browser, site) as visit:
        provide(visit, "mine.tflite", content)
        box = visit.page.inner_text("#run-results tbody td:last-child")
        left, top, width, height = (int(side) for side in box.split(", "))
        assert (left, width) == pytest.approx((113, 226), abs=1)
        assert (top, height) == pytest.approx((94, 113), abs=5)  # a bar is one pixel of the input wider
        lines = printed(webnn_browser, site, content, visit.page.text_content("#run-code") or "")
        assert [round(float(side)) for side in lines[0].split()[3:]] == [left, top, width, height]


def test_a_sample_shows_its_result_on_a_phone(webnn_browser: Browser, site: ServedSite) -> None:
    with visiting(webnn_browser, site, "explorer.html", viewport=PHONE) as visit:
        page = visit.page
        page.wait_for_function(DONE)
        page.click("[data-sample=coffee]")
        page.wait_for_selector("#run-status[data-kind=ready]:text('nothing found')")
        assert page.evaluate(IN_VIEW, "#run-status")
        page.click("[data-sample=astronaut_small]")
        page.wait_for_selector("#run-status[data-kind=ready]:text('1 found')")
        assert page.evaluate(IN_VIEW, "#run-status")
        assert page.evaluate(IN_VIEW, "#run-results tbody tr")


def test_the_first_model_finds_a_face_without_a_click(webnn_browser: Browser, site: ServedSite) -> None:
    with running(webnn_browser, site) as visit:
        visit.page.wait_for_selector("#run-status[data-kind=ready]:text('face_detection_short_range: 1 found: face 9')")
        wasm = [url for url in visit.requests if url.endswith("tflite_webnn.wasm")]
        assert len(wasm) == 1, wasm  # fetched while the model came, and not analysed
        visit.page.click("#tab-graph")
        visit.page.wait_for_selector(".graph-box")
        assert visit.page.url.endswith("#model=face_detection_short_range&view=graph")


def test_labels_come_with_a_model_and_leave_with_it(webnn_browser: Browser, site: ServedSite) -> None:
    labels = FilePayload(name="labels.txt", mimeType="text/plain", buffer=b"low\nmiddle\nhigh\n")
    model = FilePayload(name="mine.tflite", mimeType=MODELS_MIME, buffer=sound_classifier())
    with running(webnn_browser, site) as visit:
        page = visit.page
        page.set_input_files("#model-file", [labels, model])
        page.wait_for_selector("#run-status[data-kind=ready]:text('mine: high')")
        assert "fetch('labels.txt')" in (page.text_content("#run-code") or "")
        page.set_input_files("#model-file", [model])
        page.wait_for_selector("#run-status[data-kind=ready]:text('mine: class 2')")


def test_the_image_is_shown_where_nothing_is_drawn_over_it(webnn_browser: Browser, site: ServedSite) -> None:
    with running(webnn_browser, site) as visit:
        provide(visit, "mine.tflite", all_models()["efficientnet_lite0_int8"].content())
        visit.page.set_input_files("#run-file", next((site.directory / "samples").glob("coffee*")))
        visit.page.wait_for_function("() => document.getElementById('run-status').textContent.includes('espresso')")
        width, red, _, _, alpha = visit.page.evaluate(
            """() => {
                const canvas = document.getElementById('run-canvas');
                return [canvas.width, ...canvas.getContext('2d').getImageData(300, 200, 1, 1).data];
            }"""
        )
        assert (width, alpha) == (600, 255)
        assert red > 0


def test_a_dropped_image_is_run_by_the_model_that_is_shown(webnn_browser: Browser, site: ServedSite) -> None:
    with running(webnn_browser, site) as visit:
        provide(visit, "mine.tflite", all_models()["efficientnet_lite0_int8"].content())
        drop(visit.page, "cup.png", image_path("coffee").read_bytes())
        visit.page.wait_for_function("() => document.getElementById('run-status').textContent.includes('espresso')")


def test_another_choice_changes_the_result_and_the_code(webnn_browser: Browser, site: ServedSite) -> None:
    with running(webnn_browser, site) as visit:
        page = visit.page
        page.select_option("#run-output", "tensors")
        page.wait_for_function("() => document.getElementById('run-results').textContent.includes('float32 [')")
        assert "model.run(" in (page.text_content("#run-code") or "")
        page.set_input_files("#run-file", {"name": "text.png", "mimeType": "image/png", "buffer": b"no image"})
        page.wait_for_function(FAILED)
        assert "cannot decode" in page.inner_text("#run-status")
