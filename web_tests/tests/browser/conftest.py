"""Fixtures of tests in a page of one browser."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest
from playwright.sync_api import Page

from web_tests.drivers.harness import CPU, POLYFILL, Harness, LoadOptions
from web_tests.drivers.tfjs_client import TfjsClient
from web_tests.drivers.vision_page import VisionPage

EXECUTIONS = {
    "cpu": CPU,
    "webnn": LoadOptions(),
    "polyfill": POLYFILL,
}


@pytest.fixture(params=EXECUTIONS)
def options(request: pytest.FixtureRequest) -> LoadOptions:
    """What computes a model."""
    return EXECUTIONS[request.param]


@pytest.fixture
def client(webnn: Harness, own_page: Page) -> TfjsClient:
    """The unmodified client of tfjs-tflite."""
    return TfjsClient(own_page, webnn.server, isolated=False)


@pytest.fixture(scope="module")
def pages() -> Iterator[dict[bool, VisionPage]]:
    """This project's page and that of the peer, opened for the first test that needs them."""
    opened: dict[bool, VisionPage] = {}
    yield opened
    for page in opened.values():
        page.page.close()


@pytest.fixture
def models(webnn: Harness) -> Iterator[Callable[[bytes], str]]:
    """A function that serves a model, and returns its address."""
    with webnn.server.serving() as serve:
        yield serve


@pytest.fixture
def tflite_webnn(webnn: Harness, pages: dict[bool, VisionPage]) -> Iterator[VisionPage]:
    """This project's page: it sends no request to another server."""
    with opened(webnn, pages, own=True) as page:
        yield page
        assert page.foreign == []


@pytest.fixture
def peer(webnn: Harness, pages: dict[bool, VisionPage]) -> Iterator[VisionPage]:
    with opened(webnn, pages, own=False) as page:
        yield page


@contextmanager
def opened(webnn: Harness, pages: dict[bool, VisionPage], *, own: bool) -> Iterator[VisionPage]:
    """A page of the harness' browser; its tasks are closed at the end."""
    browser = webnn.page.context.browser
    assert browser
    if own not in pages or pages[own].page.context.browser is not browser:
        pages[own] = VisionPage(browser.new_page(), webnn.server, own=own)
    yield pages[own]
    pages[own].call("closeAll")
