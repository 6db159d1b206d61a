"""The explorer: its views, its saved files, and its errors for files that are not models."""

import io
import json
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from tools.explain.without_browser import Request, plan_memory
from web_tests.browsers.page import EngineBrowser
from web_tests.limits.saved import CHROMIUM_147, read_limits
from web_tests.models import handmade, stateful
from web_tests.models.catalogue import all_models
from web_tests.models.model_writer import ModelWriter
from web_tests.references.report import check_report
from web_tests.tests.site.conftest import ServedSite
from web_tests.tests.site.engine_pages import engine_visit, waited
from web_tests.tests.site.visit import Visit, page_function, visiting

QUANTIZED = "mlperftiny_kws_int8"
STATEFUL = "mww_hey_jarvis_int8"
BOXES = "() => document.querySelectorAll('.graph-box').length"
SHOW_TAB = "(name) => document.getElementById(`tab-${name}`).click()"
ROWS = "() => document.querySelectorAll('[role=tabpanel]:not([hidden]) tbody tr').length"
RECTANGLES = "() => document.querySelectorAll('.arena-tensor').length"
TITLE = "() => document.getElementById('results-title').textContent"
SAVED = {
    "save-report": f"{QUANTIZED}_report.json",
    "save-memory": f"{QUANTIZED}_memory.json",
    "save-graphs": f"{QUANTIZED}_webnn.json",
    "save-script": f"{QUANTIZED}_webnn.js",
}


@contextmanager
def exploring(browser: Browser, site: ServedSite, model: str = "") -> Iterator[Visit]:
    with visiting(browser, site, f"explorer.html#view=graph&model={model}") as visit:
        if model:
            visit.page.wait_for_selector(".graph-box")
        yield visit
        assert visit.console_errors == []
        assert visit.foreign_requests(site) == []


def provide(page: Page, name: str, content: bytes) -> None:
    page.set_input_files("#model-file", {"name": name, "mimeType": "application/octet-stream", "buffer": content})


def test_the_graph_is_shown_and_searched(webnn_browser: Browser, site: ServedSite) -> None:
    with exploring(webnn_browser, site, QUANTIZED) as visit:
        page = visit.page
        nodes = json.loads(page.inner_text("#summary").split("of ")[1].split()[0])
        assert page.locator(".graph-box-webnn").count() == nodes
        page.locator(".graph-box-webnn").first.click()
        assert "Runs on" in page.inner_text("#graph-details")
        assert "fused" in page.inner_text("#graph-details")
        page.fill("#graph-search", "softmax")
        assert page.locator(".graph-box.found").count() == 1
        assert "SOFTMAX" in page.locator(".graph-box.chosen").inner_html()
        page.check("#graph-collapsed")
        page.wait_for_function("() => document.querySelectorAll('.graph-box').length === 3")
        page.focus("#graph-frame")
        before = page.locator(".graph-diagram > g").get_attribute("transform")
        page.keyboard.press("+")
        page.keyboard.press("ArrowDown")
        assert page.locator(".graph-diagram > g").get_attribute("transform") != before


def test_the_explorer_shows_metadata_and_the_models_of_bundles(webnn_browser: Browser, site: ServedSite) -> None:
    inner, outer = io.BytesIO(), io.BytesIO()
    with zipfile.ZipFile(inner, "w") as archive:
        archive.writestr("sin.tflite", handmade.sin_example())
    with zipfile.ZipFile(outer, "w") as archive:
        archive.writestr("deeplab.tflite", all_models()["deeplabv3_257"].content())
        archive.writestr("inner.task", inner.getvalue())
    with exploring(webnn_browser, site) as visit:
        page = visit.page
        provide(page, "two.task", outer.getvalue())
        page.wait_for_selector(".graph-box")
        assert page.inner_text("#results-title") == "deeplab.tflite"
        page.click("#tab-file")
        text = page.inner_text("#panel-file")
        assert "(value - 127.5) / 127.5" in text
        assert "21 labels, labelmap.txt" in text
        assert page.locator("#panel-file li").nth(8).text_content() == "cat"
        page.select_option("#part", "inner.task/sin.tflite")
        page.wait_for_function("() => document.getElementById('results-title').textContent.includes('sin')")
        assert "The file has no metadata." in page.inner_text("#panel-file")
        provide(page, "sin.tflite", handmade.sin_example())
        page.wait_for_function("() => document.getElementById('part-field').hidden")


@pytest.mark.parametrize("model", ["hand_landmarker_lite.task", "language_model"])
def test_the_explorer_opens_each_model_of_the_demos(webnn_browser: Browser, site: ServedSite, model: str) -> None:
    with exploring(webnn_browser, site, model) as visit:
        assert visit.page.is_visible("#part") == model.endswith(".task")


def unrolled(steps: int) -> bytes:
    """Return a recurrent model of 10 nodes a step."""
    writer = ModelWriter()
    x = state = writer.tensor("x", (1, 8))
    for step in range(steps):

        def add(name: str, op: str, *inputs: int, step: int = step) -> int:
            output = writer.tensor(f"cell/step_{step}/{name}", (1, 8))
            writer.node(op, list(inputs), [output])
            return output

        total = add("total", "ADD", state, x)
        gate, reset = add("gate", "LOGISTIC", total), add("reset", "TANH", total)
        kept, new = add("kept", "MUL", gate, state), add("new", "MUL", reset, gate)
        both = add("both", "ADD", kept, new)
        remainder = add("remainder", "SUB", add("size", "ABS", both), reset)
        state = add("state", "ADD", add("positive", "RELU", remainder), both)
    return writer.finish([x], [state])


def test_a_graph_of_2000_nodes_is_drawn_in_parts(webnn_browser: Browser, site: ServedSite) -> None:
    """It starts grouped by block, whose nodes can be shown; all nodes are laid out without dagre."""
    with exploring(webnn_browser, site) as visit:
        page = visit.page
        provide(page, "unrolled.tflite", unrolled(200))
        page.wait_for_selector(".graph-box")
        assert page.is_checked("#graph-grouped")
        page.wait_for_function(f"{BOXES} === 202")
        page.locator(".graph-box").nth(1).click()
        assert page.inner_text("#graph-details h3").startswith("Block 1")
        page.click("#graph-details button")
        page.wait_for_function("() => document.querySelectorAll('.graph-box').length === 211")
        page.evaluate(page_function("countDrawn"))
        page.uncheck("#graph-grouped")
        page.wait_for_function("() => document.querySelectorAll('.graph-box').length === 2002")
        drawn = page.evaluate("() => window.drawn")
        assert sum(drawn) == 2002
        assert max(drawn) <= 150  # at a time: the page responds in between
        page.click("#tab-nodes")
        page.click("#panel-nodes .node-link >> nth=1999")
        page.wait_for_selector(".graph-box.chosen")
        assert "Node 1999" in page.inner_text("#graph-details")


def test_tables_and_memory_lead_back_to_the_graph(webnn_browser: Browser, site: ServedSite) -> None:
    with exploring(webnn_browser, site, STATEFUL) as visit:
        page = visit.page
        page.click("#tab-nodes")
        assert "READ_VARIABLE" in page.inner_text("#panel-nodes")
        page.click("#panel-nodes .node-link >> nth=20")
        page.wait_for_selector(".graph-box.chosen")
        assert "Node 20" in page.inner_text("#graph-details")
        page.click("#tab-memory")
        page.locator(".arena-tensor").first.dispatch_event("click")
        assert page.inner_text("#panel-memory [role=status]").startswith("Tensor ")
        page.keyboard.press("ArrowRight")  # from the tab that has the focus
        assert "CONV_2D" in page.inner_text("#panel-sizes")
        page.select_option("#subgraph", "1")
        assert "ASSIGN_VARIABLE" in page.inner_text("#panel-sizes")


def test_saved_files_are_what_explain_writes(webnn_browser: Browser, site: ServedSite, tmp_path: Path) -> None:
    texts = {}
    with exploring(webnn_browser, site, QUANTIZED) as visit:
        page = visit.page
        page.select_option("#limits", "chromium-147")
        page.wait_for_function("() => document.getElementById('status').textContent.includes('saved')")
        for button, name in SAVED.items():
            with page.expect_download() as download:
                page.click(f"#{button}")
            assert download.value.suggested_filename == name
            texts[button] = Path(download.value.path()).read_text(encoding="utf-8")
    check_report(json.loads(texts["save-report"]))
    plan = plan_memory(all_models()[QUANTIZED].path(), read_limits(CHROMIUM_147), Request("relaxed-simd")).plan
    assert json.loads(texts["save-memory"]) == plan
    assert len(json.loads(texts["save-graphs"])["graphs"]) == 1
    assert "export async function build(context)" in texts["save-script"]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (handmade.truncated(handmade.tiny_network()), "malformed TensorFlow Lite model"),
        (b"<!doctype html><title>not here</title>", "own.tflite is a web page"),
        (handmade.custom_op_model("FlexErf"), "'Erf' through Flex"),
    ],
    ids=["truncated", "html", "flex"],
)
def test_bad_files_are_reported_as_text(webnn_browser: Browser, site: ServedSite, content: bytes, message: str) -> None:
    with exploring(webnn_browser, site) as visit:
        page = visit.page
        provide(page, "own.tflite", content)
        page.wait_for_selector("#status[data-kind=error]")
        assert message in page.inner_text("#status")
        provide(page, "loop.tflite", stateful.doubling_loop())
        page.wait_for_selector(".graph-box")
        assert page.inner_text("#results-title") == "loop"
        assert page.locator("#subgraph option").count() == 3


def test_a_model_whose_analysis_fails_can_be_run(webnn_browser: Browser, site: ServedSite) -> None:
    with visiting(webnn_browser, site, "docs.html") as visit:
        page = visit.page
        page.context.route("**/explorer_worker.mjs", lambda route: route.abort())
        page.goto(f"{site.address}explorer.html#view=graph&model=face_detection_short_range")
        page.wait_for_selector("#status[data-kind=error]:text('could not be loaded')")
        assert page.locator("#graph-search").is_hidden()
        page.click("#tab-run")
        page.wait_for_selector("#run-status[data-kind=ready]:text('1 found: face 9')")
        assert page.locator("#status").is_hidden()
        page.click("#tab-nodes")
        page.wait_for_selector("#status[data-kind=error]:text('could not be loaded')")
        page.context.unroute("**/explorer_worker.mjs")
        page.select_option("#model", QUANTIZED)
        page.click("#tab-graph")
        page.wait_for_selector(".graph-box")


def test_labels_after_a_wrong_file_leave_no_error(webnn_browser: Browser, site: ServedSite) -> None:
    with visiting(webnn_browser, site, "explorer.html") as visit:
        page = visit.page
        page.wait_for_selector("#run-status[data-kind=ready]:text('1 found')")
        provide(page, "document.pdf", b"%PDF-1.7")
        page.wait_for_selector("#status[data-kind=error]:text('is a PDF document')")
        page.set_input_files("#model-file", {"name": "labels.txt", "mimeType": "text/plain", "buffer": b"person"})
        page.wait_for_selector("#status[data-kind=ready]", state="attached")
        page.wait_for_selector("#run-labels-name:text('labels.txt')", state="attached")


def test_the_explorer_shows_a_model_in_every_engine(engine_browser: EngineBrowser, site: ServedSite) -> None:
    with engine_visit(engine_browser, site, f"explorer.html#view=graph&model={QUANTIZED}", ready=BOXES) as page:
        assert page.evaluate(TITLE) == QUANTIZED
        for name in ("nodes", "tensors", "sizes"):
            page.evaluate(SHOW_TAB, name)
            waited(page, ROWS)
        page.evaluate(SHOW_TAB, "memory")
        waited(page, RECTANGLES)
