"""Runs with the caller's arrays allocate nothing."""

from typing import Any

import pytest
from playwright.sync_api import Page

from web_tests.browsers.process_memory import MemoryProbe
from web_tests.drivers.harness import ON_WEBNN
from web_tests.models import handmade
from web_tests.server.server import Server

RUNS = 10_000
# Measured: below 30 kB, mostly compiled code. One kept array per run would be 1 MB and more.
HEAP_GROWTH_BYTES = 256 * 1024


@pytest.fixture
def page(own_page: Page, server: Server) -> Page:
    own_page.goto(f"{server.origin}/probe.html")
    return own_page


def call(page: Page, name: str, *arguments: Any) -> Any:
    script = "async ([name, args]) => (await import('/dtypes.mjs'))[name](...args)"
    return page.evaluate(script, [name, list(arguments)])


@pytest.mark.parametrize(("on_webnn", "mode"), [(True, "direct"), (False, "cpu")])
def test_runs_with_provided_arrays_leave_nothing_behind(page: Page, server: Server, on_webnn: bool, mode: str) -> None:
    server.mailbox.put("sin", handmade.sin_example())
    assert call(page, "prepareRuns", "/exchange/sin", {**ON_WEBNN, "enableWebnnDelegate": on_webnn}) == mode
    browser = page.context.browser
    assert browser
    probe = MemoryProbe(browser, page.context.new_cdp_session(page))
    assert call(page, "runManyTimes", RUNS)  # lets the browser compile the hot code
    before = probe.sample().js_heap_bytes
    assert call(page, "runManyTimes", RUNS)
    assert probe.sample().js_heap_bytes - before < HEAP_GROWTH_BYTES
