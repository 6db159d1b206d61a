"""Every page in a browser with WebNN: no console errors, no foreign requests, accessible, fits a phone."""

import gzip
from collections.abc import Sequence

import pytest
from playwright.sync_api import Browser
from playwright.sync_api import Page as PlaywrightPage
from site_generator import pages
from site_generator.pages import Page

from support.npm import MODULES_DIR
from web_tests.server.server import KEEP_ERRORS
from web_tests.tests.site.conftest import ServedSite
from web_tests.tests.site.test_engines import ONE_DOCUMENT
from web_tests.tests.site.visit import LOOKS, PHONE, SETTLE_MS, SETTLED, page_function, visiting

PAGES = pages.load()
AXE = MODULES_DIR / "axe-core" / "axe.min.js"
HOME_BUDGET_BYTES = 150_000

# After a change of the look, colours take a moment to become those that axe should compare. A transition of an element
# that is hidden meanwhile is cancelled, and its promise rejects.
SETTLE_COLOURS = """async () => {
    const transitions = document.getAnimations().filter((animation) => animation instanceof CSSTransition);
    await Promise.allSettled(transitions.map(({ finished }) => finished));
}"""
VIOLATIONS = """async (options) => {
    const { violations } = await axe.run(document, { resultTypes: ['violations'], ...options });
    return violations.map(({ id, help, nodes }) => `${id}: ${help}: ${nodes.map(({ html }) => html).join(' | ')}`);
}"""
SKIP_COUNTERPARTS = "axe.configure({ rules: [{ id: 'color-contrast', selector: ':not([data-counterpart])' }] })"
# Without `rules`, this would turn on rules that are off by default.
COLOUR_RULES = {"runOnly": ["cat.color"], "rules": {"color-contrast-enhanced": {"enabled": False}}}
# The looks in order. Axe applies all its rules in each theme and on each screen. In the other looks it applies those of
# colours, if elements differ from those of the same theme on the other screen.
COUNTERPARTS = {"desktop-light": "", "phone-light": "desktop-light", "phone-dark": "", "desktop-dark": "phone-dark"}
# Of what moved by itself: Lighthouse's cumulative layout shift.
SHIFT = """() => new Promise((resolve) => {
    const sum = (list) => list.getEntries().reduce((total, { value }) => total + value, 0);
    new PerformanceObserver((list) => resolve(sum(list))).observe({ type: 'layout-shift', buffered: true });
    setTimeout(resolve, 1000, 0);
})"""
MAX_SHIFT = 0.05
OVERFLOW_PIXELS = "document.documentElement.scrollWidth - document.documentElement.clientWidth"


# What a page without a script loads besides itself.
SHARED = ("styles", "thumbnails", "diagrams", "scripts/site.mjs", "scripts/theme_start.js", "service_worker.js")


@pytest.mark.parametrize("page", PAGES.values(), ids=PAGES)
def test_a_page_loads_without_errors_in_each_size(webnn_browser: Browser, site: ServedSite, page: Page) -> None:
    with visiting(webnn_browser, site, page.file) as visit:
        visit.page.wait_for_function(SETTLED, timeout=SETTLE_MS)
        visit.page.evaluate(AXE.read_text(encoding="utf-8"))
        visit.page.evaluate(SKIP_COUNTERPARTS)
        violations = violations_of(visit.page, looks_of(page))
        assert {look: found for look, found in violations.items() if found} == {}
        assert visit.console_errors == []
        assert visit.foreign_requests(site) == []
        assert visit.page.locator("h1").count() == 1
        loaded = {url.removeprefix(site.address) for url in visit.requests} - {page.file}
        assert page.script or {name for name in loaded if not name.startswith(SHARED)} <= {KEEP_ERRORS}


def looks_of(page: Page) -> list[str]:
    """Return the looks of a page. Documents share styles and frame: one of them has all looks."""
    return [look for look, same in COUNTERPARTS.items() if not same or not page.source or page.name == ONE_DOCUMENT]


def violations_of(opened: PlaywrightPage, looks: Sequence[str]) -> dict[str, list[str]]:
    """Return what is wrong with an open page in each look."""
    found, colours = {}, {}
    for look in looks:
        viewport, scheme = LOOKS[look]
        opened.set_viewport_size(viewport)
        opened.emulate_media(color_scheme=scheme)
        opened.evaluate(SETTLE_COLOURS)
        colours[look] = opened.evaluate(page_function("markCounterparts"))
        if COUNTERPARTS[look]:
            is_known = colours[look] == colours[COUNTERPARTS[look]]
            found[look] = [] if is_known else opened.evaluate(VIOLATIONS, COLOUR_RULES)
        else:
            found[look] = opened.evaluate(VIOLATIONS, {})
        if opened.evaluate(OVERFLOW_PIXELS) > 0:
            found[look].append("the page scrolls sideways")
    return found


@pytest.mark.parametrize("name", ["index", "demo-audio", "demo-segmentation", "explorer"])
def test_the_layout_does_not_shift(webnn_browser: Browser, site: ServedSite, name: str) -> None:
    with visiting(webnn_browser, site, PAGES[name].file, viewport=PHONE) as visit:
        visit.page.wait_for_function(SETTLED, timeout=SETTLE_MS)
        assert visit.page.evaluate(SHIFT) < MAX_SHIFT


def test_the_home_page_is_within_its_size(webnn_browser: Browser, site: ServedSite) -> None:
    """Bytes of the page and its scripts, as a host that compresses sends them; wasm, models and image come on top."""
    with visiting(webnn_browser, site, PAGES["index"].file) as visit:
        visit.page.wait_for_function(SETTLED, timeout=SETTLE_MS)
        addresses = {url.removeprefix(site.address) or "index.html" for url in visit.requests}
    text = (".html", ".css", ".mjs", ".js", ".svg")
    own = [site.directory / address for address in addresses if address.endswith(text)]
    # The server of the tests adds a script that is no file of the site.
    sizes = {file.name: len(gzip.compress(file.read_bytes())) for file in own if file.is_file()}
    assert sum(sizes.values()) < HOME_BUDGET_BYTES, sizes


@pytest.mark.parametrize(
    ("address", "worker", "again"),
    [
        ("demo-classification.html", "vision_worker", "#execution-cpu"),
        ("demo-classification.html", "vision_tasks_worker", "#execution-cpu"),  # which vision_worker imports
        ("explorer.html#view=graph", "explorer_worker", "#model"),
    ],
)
def test_a_worker_that_cannot_be_loaded_is_an_error_as_text(
    webnn_browser: Browser, site: ServedSite, address: str, worker: str, again: str
) -> None:
    """The next call starts it again."""
    with visiting(webnn_browser, site, PAGES["docs"].file) as visit:
        page = visit.page
        page.context.route(f"**/{worker}.mjs", lambda route: route.abort())
        page.goto(site.address + address)
        page.wait_for_selector("#status[data-kind=error]:text('could not be loaded')", timeout=SETTLE_MS)
        page.context.unroute(f"**/{worker}.mjs")
        page.focus(again)
        page.keyboard.press("Space" if again == "#execution-cpu" else "ArrowDown")
        page.wait_for_selector("#status[data-kind=ready]", timeout=SETTLE_MS)


def test_the_skip_link_comes_first(webnn_browser: Browser, site: ServedSite) -> None:
    with visiting(webnn_browser, site, PAGES["index"].file) as visit:
        visit.page.keyboard.press("Tab")
        visit.page.keyboard.press("Enter")
        assert visit.page.evaluate("document.activeElement.id") == "main"


def test_the_filter_of_ops_hides_the_others(webnn_browser: Browser, site: ServedSite) -> None:
    with visiting(webnn_browser, site, PAGES["ops"].file) as visit:
        visit.page.fill("#filter", "conv_2d int8")
        visible = visit.page.locator("#op-tables tbody tr:visible")
        assert any("CONV_2D" in text for text in visible.all_inner_texts())
        assert visible.count() < 10
        assert f"{visible.count()} of " in visit.page.inner_text("#filter-count")
        assert visit.page.locator(".table-frame:visible").count() == 1
        visit.page.fill("#filter", "no such words")
        assert visit.page.inner_text("#filter-count") == "No op has these words."
        assert visit.page.locator(".table-frame:visible").count() == 0
