"""The home page: it names and colours a picture without a click, on WebNN and on the CPU."""

from playwright.sync_api import Browser

from web_tests.tests.site.conftest import ServedSite
from web_tests.tests.site.demo_page import DemoPage
from web_tests.tests.site.visit import visiting

FOUND = "Egyptian cat, 79.7"
FIGURE = "#figures dt:text-is('{}')"


def test_a_picture_is_named_and_coloured_at_once(webnn_browser: Browser, site: ServedSite) -> None:
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
