"""Fixtures of all tests: the server, the browsers, and one page per worker that its tests share for speed."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser as PlaywrightBrowser
from playwright.sync_api import Page, Playwright, sync_playwright

from web_tests import browsers, setup
from web_tests.browsers import BrowserProgram
from web_tests.harness import Harness
from web_tests.server import Server
from web_tests.suite import ALLOW_NO_WEBNN_VARIABLE


class SharedPage:
    """A browser's page that tests share; a page that failed is replaced for the next test."""

    def __init__(self, browser: PlaywrightBrowser, server: Server) -> None:
        self._browser = browser
        self._server = server
        self._harness: Harness | None = None

    def harness(self) -> Harness:
        """Return the page, a new one where there is none or where the last one failed."""
        if self._harness is None or self._harness.failed:
            if self._harness:
                self._harness.page.close()
            self._harness = Harness(self._browser.new_page(), self._server)
        return self._harness


@pytest.fixture(scope="session")
def playwright() -> Iterator[Playwright]:
    with sync_playwright() as driver:
        yield driver


@pytest.fixture(scope="session")
def server() -> Iterator[Server]:
    with Server() as running:
        yield running


@pytest.fixture(scope="session")
def webnn_program(playwright: Playwright) -> BrowserProgram:
    """A browser in which WebNN works. None found is a failure, unless it was allowed."""
    setup.prepare(need_browser=False)
    found = browsers.survey(playwright, browsers.discover())
    program = next((program for program, probe in found if probe.webnn), None)
    if program is None:
        reasons = "; ".join(f"{program.title} {probe.version}: {probe.reason}" for program, probe in found)
        message = f"no browser with WebNN was found: {reasons or 'there is no browser at all'}"
        if os.environ.get(ALLOW_NO_WEBNN_VARIABLE):
            pytest.skip(message)
        pytest.fail(message)
    return program


@pytest.fixture(scope="session")
def webnn_page(playwright: Playwright, server: Server, webnn_program: BrowserProgram) -> Iterator[SharedPage]:
    """A page of a browser in which WebNN works."""
    with browsers.launched(playwright, webnn_program, extra_flags=browsers.BOUNDS_CHECK_FLAGS) as browser:
        yield SharedPage(browser, server)


@pytest.fixture(scope="session")
def plain_page(playwright: Playwright, server: Server) -> Iterator[SharedPage]:
    """A page of Debian's Chromium, which has no WebNN."""
    setup.prepare(need_browser=False)
    program = browsers.debian_chromium()
    if program is None:
        pytest.fail("Debian's chromium is not on PATH")
    with browsers.launched(playwright, program) as browser:
        yield SharedPage(browser, server)


@pytest.fixture
def webnn(webnn_page: SharedPage) -> Iterator[Harness]:
    """The shared page with WebNN; the test fails when the page reports an uncaught error."""
    yield from _watched(webnn_page.harness())


@pytest.fixture
def no_webnn(plain_page: SharedPage) -> Iterator[Harness]:
    """The shared page without WebNN; the test fails when the page reports an uncaught error."""
    yield from _watched(plain_page.harness())


@pytest.fixture
def own_page(webnn: Harness) -> Iterator[Page]:
    """A new page of the browser with WebNN; the test fails when it reports an uncaught error."""
    browser = webnn.page.context.browser
    assert browser
    page = browser.new_page()
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    yield page
    page.close()
    assert errors == []


def _watched(harness: Harness) -> Iterator[Harness]:
    yield harness
    harness.dispose_all()
    errors, harness.page_errors = harness.page_errors, []
    assert not errors, f"uncaught errors in the page: {errors}"
