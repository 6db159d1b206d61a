"""The benchmark page: benchmarks of runtimes in each browser, and their results."""

import json
from pathlib import Path

from playwright.sync_api import Browser, FilePayload, Page

from web_tests.browsers.engines import Engine
from web_tests.browsers.page import EngineBrowser
from web_tests.models import handmade, stateful
from web_tests.tests.site.conftest import ServedSite
from web_tests.tests.site.engine_pages import engine_visit, waited
from web_tests.tests.site.visit import page_function, visiting

MODEL = "mlperftiny_vww_int8"
ADDRESS = f"benchmark.html#model={MODEL}"
READY = "() => document.getElementById('start')?.disabled === false"
DONE = "() => document.getElementById('results').hidden === false"
# In all browsers, with one thread or with all threads of the page.
LIBRARIES = ("tflite-webnn/", "litert.js/", "tfjs-tflite/")
BENCHMARK_MS = 120_000
START = page_function("startBenchmark")
RESULTS = """() => [...document.querySelectorAll('#result tbody tr')]
    .map((row) => [...row.children].map(({ textContent }) => textContent))"""


def run(page: Page, prefixes: tuple[str, ...]) -> list[list[str]]:
    page.wait_for_selector("#start:not([disabled])")
    page.evaluate(START, list(prefixes))
    page.wait_for_selector("#results:not([hidden])", timeout=BENCHMARK_MS)
    rows: list[list[str]] = page.evaluate(RESULTS)
    return rows


def test_a_link_repeats_the_choices(webnn_browser: Browser, site: ServedSite) -> None:
    choices = "&runtimes=tflite-webnn/cpu,litert.js/wasm&rounds=5"
    with visiting(webnn_browser, site, ADDRESS + choices) as visit:
        page = visit.page
        page.wait_for_selector("#start:not([disabled])")
        chosen = [box.get_attribute("value") for box in page.locator("#runtimes input:checked").all()]
        assert set(chosen) == {"tflite-webnn/cpu", "litert.js/wasm"}
        assert page.input_value("#rounds") == "5"
        page.uncheck("#runtimes input[value='litert.js/wasm']")
        page.select_option("#rounds", "100")
        state = page.evaluate("Object.fromEntries(new URLSearchParams(location.hash.slice(1)))")
        assert state == {"model": MODEL, "runtimes": "tflite-webnn/cpu", "rounds": "100"}
        page.click("#share")
        page.wait_for_selector("#status:text('link')")


def test_each_runtime_is_measured_and_saved(webnn_browser: Browser, site: ServedSite) -> None:
    with visiting(webnn_browser, site, ADDRESS) as visit:
        rows = run(visit.page, ("tflite-webnn/webnn", "litert.js/wasm", "tfjs-tflite/"))
        with visit.page.expect_download() as download:
            visit.page.click("#save-result")
        result = json.loads(Path(download.value.path()).read_text(encoding="utf-8"))
        boxes = visit.page.locator("#result .times-box").count()
        titles = visit.page.locator("#result thead th").all_inner_texts()
        note = visit.page.inner_text("#result .note >> nth=-1")
        foreign = visit.foreign_requests(site)
    assert foreign == []
    assert len(rows) == boxes == 4
    assert all("ms" in median and output in ("same bits", "reference") for _, median, _, _, _, output, *_ in rows)
    stored = titles.index("Stored machine")
    assert all(row[stored].endswith("ms") and float(row[stored + 1]) > 0 for row in rows), rows
    assert note.startswith("Stored machine: ")
    assert rows[0][-1].startswith("direct, 33 of 33 nodes")
    assert (result["format"], result["model"], result["rounds"]) == (1, MODEL, 5)
    assert all(len(runtime["turnsMs"]) == 5 and runtime["failure"] is None for runtime in result["runtimes"])
    assert result["browser"]["crossOriginIsolated"]


def test_a_benchmark_can_be_stopped(webnn_browser: Browser, site: ServedSite) -> None:
    with visiting(webnn_browser, site, ADDRESS) as visit:
        visit.page.wait_for_selector("#start:not([disabled])")
        visit.page.select_option("#rounds", "100")
        visit.page.click("#start")
        visit.page.click("#stop")
        visit.page.wait_for_selector("#stop", state="hidden")
        assert visit.page.inner_text("#status") == "Stopped."
        assert visit.page.locator("#start").is_enabled()


def test_what_cannot_run_is_reported(webnn_browser: Browser, site: ServedSite) -> None:
    with visiting(webnn_browser, site, "benchmark.html") as visit:
        page = visit.page

        def start(content: bytes) -> str:
            file = FilePayload(name="own.tflite", mimeType="application/octet-stream", buffer=content)
            page.set_input_files("#model-file", file)
            page.wait_for_function("() => document.getElementById('status').textContent.includes('is ready')")
            page.click("#start")
            page.wait_for_selector("#status[data-kind=error]")
            return page.inner_text("#status")

        page.wait_for_selector("#runtimes input")
        assert "malformed" in start(handmade.truncated(handmade.tiny_network()))
        assert "of type string" in start(stateful.string_picker())


def test_the_benchmark_measures_each_library_in_every_engine(
    engine: Engine, engine_browser: EngineBrowser, site: ServedSite
) -> None:
    # In 6 of 20 benchmarks, the threads of tfjs-tflite never started in a worker of Firefox 153.
    libraries = [name for name in LIBRARIES if engine.name != "firefox" or name != "tfjs-tflite/"]
    with engine_visit(engine_browser, site, ADDRESS, ready=READY) as page:
        page.evaluate(START, libraries)
        waited(page, DONE, timeout_seconds=BENCHMARK_MS / 1000)
        rows: list[list[str]] = page.evaluate(RESULTS)
    assert len(rows) == len(libraries) + 1
    assert all("ms" in row[1] for row in rows), rows
    assert {row[5] for row in rows} <= {"same bits", "reference"}, rows
