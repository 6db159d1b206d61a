"""The home page: it names and colours an image without a click, on WebNN and on the CPU."""

from collections.abc import Callable
from contextlib import ExitStack

from playwright.sync_api import Browser, Request

from web_tests.tests.site.conftest import ServedSite
from web_tests.tests.site.demo_page import DemoPage
from web_tests.tests.site.visit import visiting

FOUND = "Egyptian cat, 79.7"
FIGURE = "#figures dt:text-is('{}')"
# The page's search for WebNN never ends.
NO_ANSWER = "navigator.ml.constructor.prototype.createContext = () => new Promise(() => {})"
REQUEST_MS = 60_000
LARGE_FILES = ("efficientnet_lite0_int8.tflite", "deeplabv3_257.tflite", "tflite_webnn.wasm")


def test_an_image_is_named_and_coloured_without_a_click(webnn_browser: Browser, site: ServedSite) -> None:
    with visiting(webnn_browser, site, "index.html") as visit:
        home = DemoPage(visit)
        assert "cat covers 76.9%" in home.says("ready", FOUND)
        assert home.page.is_checked("#execution-webnn")
        red, _, blue = home.pixel(200, 150)
        assert red - blue > 100  # the cat is orange
        home.page.wait_for_selector(FIGURE.format("WebNN"))
        home.page.check("#execution-cpu")
        home.page.wait_for_selector(FIGURE.format("CPU"))
        assert "cat covers 76.9%" in home.says("ready", FOUND)
        assert set(home.figures()) == {"WebNN", "CPU", "CPU ÷ WebNN"}
        assert visit.complaints == []
        assert visit.foreign_requests(site) == []


def test_the_cpu_serves_a_browser_without_webnn(webnn_browser: Browser, site: ServedSite) -> None:
    with visiting(webnn_browser, site, "docs.html") as visit:
        visit.page.add_init_script("delete Navigator.prototype.ml")
        visit.page.goto(site.address + "index.html")
        home = DemoPage(visit)
        home.says("ready", FOUND)
        assert home.page.is_disabled("#execution-webnn")
        home.page.wait_for_selector(FIGURE.format("CPU"))


def test_nothing_large_waits_for_the_search_for_webnn(webnn_browser: Browser, site: ServedSite) -> None:
    with visiting(webnn_browser, site, "docs.html") as visit, ExitStack() as requests:
        visit.page.add_init_script(NO_ANSWER)
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


def test_a_missing_model_is_an_error_in_words(webnn_browser: Browser, site: ServedSite) -> None:
    with visiting(webnn_browser, site, "docs.html") as visit:
        visit.page.route("**/*.tflite", lambda route: route.fulfill(status=404))
        visit.page.goto(site.address + "index.html")
        assert "404" in DemoPage(visit).says("error")
