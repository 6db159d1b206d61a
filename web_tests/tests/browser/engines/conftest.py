"""Fixtures of the tests for every engine: Chromium, Firefox and WebKitGTK, all without WebNN here."""

from collections.abc import Iterator

import pytest

from web_tests.browsers.page import EngineBrowser, EnginePage
from web_tests.drivers.harness import PageHarness
from web_tests.server.server import Server
from web_tests.tests.conftest import SharedPage, new_page, watched


@pytest.fixture(scope="session")
def engine_shared_page(engine_browser: EngineBrowser, server: Server) -> SharedPage[PageHarness]:
    """The page in which the engine's tests load models."""
    return SharedPage(lambda: PageHarness(engine_browser.new_page(), server))


@pytest.fixture
def harness(engine_shared_page: SharedPage[PageHarness]) -> Iterator[PageHarness]:
    """The shared page; the test fails when the page reports an uncaught error."""
    yield from watched(engine_shared_page.harness())


@pytest.fixture
def page(engine_browser: EngineBrowser) -> Iterator[EnginePage]:
    """A new page; the test fails when it reports an uncaught error."""
    yield from new_page(engine_browser)
