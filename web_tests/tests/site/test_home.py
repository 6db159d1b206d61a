"""The home page: a model finds a face without a click, on WebNN and on the CPU, interleaved."""

import re
from collections.abc import Callable
from contextlib import ExitStack

from playwright.sync_api import Browser, Request

from web_tests.tests.site.conftest import ServedSite
from web_tests.tests.site.demo_page import DemoPage
from web_tests.tests.site.visit import visiting

FOUND = "The model finds the face: 9"
# The page's search for WebNN never ends.
NO_RESPONSE = "navigator.ml.constructor.prototype.createContext = () => new Promise(() => {})"
INTERLEAVED = "() => document.getElementById('status').textContent.startsWith('Round ')"
# The totals that the progress bar has shown.
WATCH_BAR = """self.totals = [];
    new MutationObserver(() => {
        const bar = document.querySelector('#progress progress[value]');
        if (bar) self.totals.push(bar.max);
    }).observe(document, { subtree: true, attributes: true, childList: true });"""
REQUEST_MS = 60_000
LARGE_FILES = ("face_detection_short_range.tflite", "tflite_webnn.wasm")


def test_both_sides_run_without_a_click_and_are_compared(webnn_browser: Browser, site: ServedSite) -> None:
    with visiting(webnn_browser, site, "index.html") as visit:
        home = DemoPage(visit)
        home.says("ready", FOUND)
        assert home.page.locator("#bars dt").all_inner_texts() == ["WebNN", "CPU"]
        assert re.search("times as fast as|equally fast", home.page.inner_text("#ratio"))
        assert home.page.is_hidden("#no-webnn")
        assert "This browser has WebNN" in home.page.inner_text("#verdict")
        assert home.page.locator("#capabilities dt").count() == 7
        assert visit.console_errors == []
        assert visit.foreign_requests(site) == []


def test_the_cpu_serves_a_browser_without_webnn(webnn_browser: Browser, site: ServedSite) -> None:
    with visiting(webnn_browser, site, "docs.html") as visit:
        visit.page.add_init_script("delete Navigator.prototype.ml")
        visit.page.goto(site.address + "index.html")
        home = DemoPage(visit)
        home.says("ready", FOUND)
        assert home.page.locator("#bars dt").all_inner_texts() == ["CPU"]
        assert "Turn it on" in home.page.inner_text("#no-webnn")


def test_other_runtimes_are_compared_on_request(webnn_browser: Browser, site: ServedSite) -> None:
    """Without WebNN: this project's CPU next to LiteRT.js and tfjs-tflite, from files of this site alone."""
    with visiting(webnn_browser, site, "docs.html") as visit:
        visit.page.add_init_script("delete Navigator.prototype.ml")
        visit.page.goto(site.address + "index.html")
        home = DemoPage(visit)
        home.says("ready", FOUND)
        assert not any("/vendor/" in address for address in visit.requests)
        home.page.click("#compare")
        home.page.wait_for_function(INTERLEAVED)
        home.says("ready", FOUND)
        titles = home.page.locator("#bars dt").all_inner_texts()
        assert titles == ["CPU", "LiteRT.js on the CPU", "tfjs-tflite on the CPU"]
        ratios = home.page.inner_text("#ratio")
        assert len(re.findall("times as fast as|equally fast", ratios)) == 2
        assert ratios.count("This project on the CPU") == 2
        assert visit.foreign_requests(site) == []


def test_one_bar_counts_the_bytes_of_model_and_module(webnn_browser: Browser, site: ServedSite) -> None:
    with visiting(webnn_browser, site, "docs.html") as visit:
        visit.page.add_init_script(WATCH_BAR)
        visit.page.goto(site.address + "index.html")
        DemoPage(visit).says("ready", FOUND)
        largest = visit.page.evaluate("Math.max(...self.totals)")
        model = site.directory / "models" / "face_detection_short_range.tflite"
        sizes = {
            file.stat().st_size + model.stat().st_size
            for file in (site.directory / "package").glob("*simd/tflite_webnn.wasm")
        }
        assert largest in sizes
        assert visit.page.locator(".progress").count() == 1


def test_nothing_large_waits_for_the_search_for_webnn(webnn_browser: Browser, site: ServedSite) -> None:
    with visiting(webnn_browser, site, "docs.html") as visit, ExitStack() as requests:
        visit.page.add_init_script(NO_RESPONSE)
        for name in LARGE_FILES:
            requests.enter_context(visit.page.context.expect_event("request", ends_with(name), timeout=REQUEST_MS))
        visit.page.goto(site.address + "index.html")


def ends_with(name: str) -> Callable[[Request], bool]:
    return lambda request: request.url.endswith(name)


def test_the_code_is_copied(webnn_browser: Browser, site: ServedSite) -> None:
    with visiting(webnn_browser, site, "index.html", permissions=["clipboard-read", "clipboard-write"]) as visit:
        visit.page.click("#copy")
        visit.page.wait_for_selector("#copy:text('Copied')")
        assert "ImageClassifier" in visit.page.evaluate("() => navigator.clipboard.readText()")


def test_a_missing_model_is_an_error_as_text(webnn_browser: Browser, site: ServedSite) -> None:
    with visiting(webnn_browser, site, "docs.html") as visit:
        visit.page.route("**/*.tflite", lambda route: route.fulfill(status=404))
        visit.page.goto(site.address + "index.html")
        DemoPage(visit).says("error", "404")
