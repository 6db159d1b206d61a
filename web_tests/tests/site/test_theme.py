"""The visitor's theme: applied immediately and on every page, before the first paint."""

import pytest
from playwright.sync_api import Browser, Page
from site_generator import pages

from web_tests.tests.site.conftest import ServedSite
from web_tests.tests.site.visit import visiting

HOME = pages.load()["index"].file
DOCS = pages.load()["docs"].file
CHOICE = "#theme-choice"
PAPER = "getComputedStyle(document.body).backgroundColor"
# Records the theme when the parser reaches the body, before the first paint.
WATCH_FIRST_THEME = """new MutationObserver((_, observer) => {
    if (!document.body) return;
    observer.disconnect();
    self.firstTheme = document.documentElement.dataset.theme ?? 'auto';
}).observe(document, { childList: true, subtree: true });"""
# Of an API page, whose settings may be folded.
CHOOSE_LIGHT = "(select) => { select.value = 'light'; select.dispatchEvent(new Event('change')); }"
NO_STORAGE = "Object.defineProperty(self, 'localStorage', { get() { throw new DOMException('', 'SecurityError'); } });"


def is_dark(page: Page) -> bool:
    """Decide by the page's background."""
    paper: str = page.evaluate(PAPER)
    return paper == "rgb(20, 23, 28)"


@pytest.mark.parametrize("system", ["light", "dark"])
def test_the_system_decides_at_first(webnn_browser: Browser, site: ServedSite, system: str) -> None:
    with visiting(webnn_browser, site, HOME, color_scheme=system) as visit:
        assert visit.page.input_value(CHOICE) == "auto"
        assert is_dark(visit.page) == (system == "dark")


def test_the_choice_is_remembered(webnn_browser: Browser, site: ServedSite) -> None:
    with visiting(webnn_browser, site, HOME, color_scheme="dark") as visit:
        page = visit.page
        page.get_by_label("Theme").select_option("light")
        assert not is_dark(page)
        page.add_init_script(WATCH_FIRST_THEME)
        page.goto(site.address + DOCS)
        assert page.evaluate("firstTheme") == "light"
        assert page.input_value(CHOICE) == "light"
        assert not is_dark(page)
        page.select_option(CHOICE, "auto")
        assert is_dark(page)
        page.reload()
        assert page.evaluate("firstTheme") == "auto"
        assert visit.console_errors == []


def test_the_api_pages_follow_the_choice_of_a_theme(webnn_browser: Browser, site: ServedSite) -> None:
    """And the site follows a choice there."""
    with visiting(webnn_browser, site, HOME, color_scheme="light") as visit:
        page = visit.page
        page.select_option(CHOICE, "dark")
        page.goto(f"{site.address}api/modules/tflite-webnn.html")
        assert page.evaluate("document.documentElement.dataset.theme") == "dark"
        page.locator("#tsd-theme").evaluate(CHOOSE_LIGHT)
        page.goto(site.address + DOCS)
        assert page.input_value(CHOICE) == "light"


def test_other_tabs_follow_the_choice_of_a_theme(webnn_browser: Browser, site: ServedSite) -> None:
    with visiting(webnn_browser, site, HOME, color_scheme="light") as visit:
        other = visit.page.context.new_page()
        other.goto(site.address + DOCS)
        other.select_option(CHOICE, "dark")
        visit.page.wait_for_function("() => document.documentElement.dataset.theme === 'dark'")
        assert visit.page.input_value(CHOICE) == "dark"
        assert is_dark(visit.page)


def test_a_theme_can_be_chosen_without_storage(webnn_browser: Browser, site: ServedSite) -> None:
    with visiting(webnn_browser, site, HOME, color_scheme="light") as visit:
        page = visit.page
        page.add_init_script(NO_STORAGE)
        page.reload()
        assert page.input_value(CHOICE) == "auto"
        page.select_option(CHOICE, "dark")
        assert is_dark(page)
        assert visit.console_errors == []


def test_without_scripts_there_is_no_choice(webnn_browser: Browser, site: ServedSite) -> None:
    with visiting(webnn_browser, site, DOCS, java_script_enabled=False, color_scheme="dark") as visit:
        assert not visit.page.is_visible(CHOICE)
        assert visit.page.is_visible("h1")
