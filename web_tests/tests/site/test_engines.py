"""Every page in every engine, from a folder of a plain static server: it opens, says no error, asks no other host."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import suppress
from operator import attrgetter
from typing import Any

import pytest
from playwright.sync_api import Playwright
from site_generator import pages
from site_generator.pages import Page

from web_tests.engines import ENGINES, Engine
from web_tests.engines.page import EngineBrowser, EnginePage, PageError
from web_tests.tests.site.conftest import ServedSite

PAGES = pages.load()
PYTHON_SECONDS = 200.0
SETTLE_SECONDS = 60.0

# A page that wants isolation is loaded twice; in between there is none to be asked.
SETTLED = """() => document.readyState === 'complete' &&
    (crossOriginIsolated || !('isolated' in document.documentElement.dataset))"""
FETCHED = "() => [location, ...performance.getEntriesByType('resource')].map(({ href, name }) => href ?? name)"
RUN_PYTHON = "() => document.getElementById('run').click()"
PYTHON_STATE = """() => ({ running: document.getElementById('run').disabled,
    status: document.getElementById('status').textContent, output: document.getElementById('output').textContent })"""


@pytest.fixture(scope="module", params=ENGINES, ids=attrgetter("name"))
def browser(request: pytest.FixtureRequest, playwright: Playwright) -> Iterator[EngineBrowser]:
    """Each engine in turn; one that is not installed is skipped, with the command that installs it."""
    engine: Engine = request.param
    if missing := engine.missing_packages():
        pytest.skip(f"{engine.title} is not installed: apt-get install {' '.join(missing)}")
    with engine.start(playwright) as running:
        yield running


@pytest.mark.parametrize("page", PAGES.values(), ids=PAGES)
def test_page_opens(browser: EngineBrowser, site: ServedSite, page: Page) -> None:
    opened = _opened(browser, site, page)
    errors = opened.take_errors()
    fetched = opened.evaluate(FETCHED)
    heading = opened.evaluate("() => document.querySelector('h1').textContent")
    opened.close()
    assert errors == []
    assert [url for url in fetched if not url.startswith(site.address)] == []
    assert heading


def test_home_tells_what_the_browser_has(browser: EngineBrowser, site: ServedSite) -> None:
    """These builds have no WebNN, and a page says so."""
    opened = _opened(browser, site, PAGES["index"])
    verdict = _waited(opened, "() => document.getElementById('verdict').textContent", "no WebNN", SETTLE_SECONDS)
    opened.close()
    assert "models run on the CPU" in verdict


def test_python_classifies_a_picture(browser: EngineBrowser, site: ServedSite) -> None:
    opened = _opened(browser, site, PAGES["python"])
    opened.evaluate(RUN_PYTHON)
    state = _waited(opened, PYTHON_STATE, "'running': False", PYTHON_SECONDS)
    opened.close()
    assert "cat" in state, state
    assert "Done in" in state, state


def _opened(browser: EngineBrowser, site: ServedSite, page: Page) -> EnginePage:
    opened = browser.new_page()
    opened.open(site.address + page.file)
    _waited(opened, SETTLED, "True", SETTLE_SECONDS)
    return opened


def _waited(page: EnginePage, function: str, words: str, timeout_seconds: float) -> str:
    """Ask until the answer, as text, has these words; return it."""
    end = time.monotonic() + timeout_seconds
    answer: Any = None
    while time.monotonic() < end:
        with suppress(PageError):
            answer = page.evaluate(function)
            if words in str(answer):
                return str(answer)
        time.sleep(0.1)
    raise PageError(f"after {timeout_seconds} s the page says {answer!r}, and not {words!r}")
