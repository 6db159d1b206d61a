"""Fixtures of tests in a page of one browser."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from playwright.sync_api import Page

from web_tests.drivers.harness import Harness, LoadOptions
from web_tests.drivers.tfjs_client import TfjsClient
from web_tests.drivers.vision_page import VisionPage
from web_tests.tests.conftest import Call

EXECUTIONS = {
    "cpu": LoadOptions(webnn=False),
    "webnn": LoadOptions(),
    "polyfill": LoadOptions(webnn_options={"polyfill": "tflite"}),
}

# An abort discards asynchronously.
HELD_MS = 20_000
HELD_AT_LAST = """async (ms) => {
    const { heldCount } = await import('/fault_injection.mjs');
    const end = performance.now() + ms;
    while (heldCount() > 0 && performance.now() < end) await new Promise((resolve) => setTimeout(resolve, 5));
    return heldCount();
}"""


@pytest.fixture(params=EXECUTIONS)
def options(request: pytest.FixtureRequest) -> LoadOptions:
    """What computes a model."""
    return EXECUTIONS[request.param]


@pytest.fixture
def watched(webnn: Harness) -> Iterator[Call]:
    """Calls a function of one of web_tests/pages; at the end every context, graph and tensor must be destroyed."""

    def call(module: str, name: str, *arguments: Any) -> Any:
        script = "async ([module, name, args]) => (await import(`/${module}.mjs`))[name](...args)"
        return webnn.page.evaluate(script, [module, name, list(arguments)])

    call("fault_injection", "watch")
    yield call
    left = webnn.page.evaluate(HELD_AT_LAST, HELD_MS)
    call("fault_injection", "end")
    assert left == 0, f"{left} contexts, graphs or tensors were not destroyed"


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
    """This project's page: it asks no other server for anything."""
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
