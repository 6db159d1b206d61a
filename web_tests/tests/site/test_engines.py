"""Every page in every engine, from a subfolder of a plain static server: no errors, no foreign requests."""

import pytest
from site_generator import pages
from site_generator.pages import Page

from web_tests.browsers.page import EngineBrowser, EnginePage
from web_tests.tests.site import engine_pages
from web_tests.tests.site.conftest import ServedSite
from web_tests.tests.site.engine_pages import waited

PAGES = pages.load()
PYTHON_SECONDS = 200.0

# A page that wants isolation reloads once; between the loads there is no page to query.
SETTLED = """() => document.readyState === 'complete' &&
    (crossOriginIsolated || !('isolated' in document.documentElement.dataset))"""
VERDICT = "() => document.getElementById('verdict').textContent.match(/.*no WebNN.*/s)?.[0]"
FETCHED = "() => [location, ...performance.getEntriesByType('resource')].map(({ href, name }) => href ?? name)"
RUN_PYTHON = "() => document.getElementById('run').click()"
PYTHON_RESULT = """() => document.getElementById('run').disabled ? null :
    document.getElementById('status').textContent + document.getElementById('output').textContent"""


@pytest.mark.parametrize("page", PAGES.values(), ids=PAGES)
def test_page_opens(engine_browser: EngineBrowser, site: ServedSite, page: Page) -> None:
    opened = open_settled(engine_browser, site, page)
    errors = opened.take_errors()
    fetched = opened.evaluate(FETCHED)
    heading = opened.evaluate("() => document.querySelector('h1').textContent")
    opened.close()
    assert errors == []
    assert [url for url in fetched if not url.startswith(site.address)] == []
    assert heading


def test_home_tells_what_the_browser_has(engine_browser: EngineBrowser, site: ServedSite) -> None:
    """These builds have no WebNN, and the home page says so."""
    opened = open_settled(engine_browser, site, PAGES["index"])
    verdict = waited(opened, VERDICT)
    opened.close()
    assert "models run on the CPU" in verdict


def test_python_classifies_a_picture(engine_browser: EngineBrowser, site: ServedSite) -> None:
    opened = open_settled(engine_browser, site, PAGES["python"])
    opened.evaluate(RUN_PYTHON)
    result = waited(opened, PYTHON_RESULT, timeout_seconds=PYTHON_SECONDS)
    opened.close()
    assert "cat" in result, result
    assert "Done in" in result, result


def open_settled(browser: EngineBrowser, site: ServedSite, page: Page) -> EnginePage:
    """Open a page of the site, and wait until it is settled."""
    return engine_pages.opened(browser, site.address + page.file, ready=SETTLED)
