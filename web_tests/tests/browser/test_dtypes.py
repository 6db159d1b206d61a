"""Every element type passes unchanged, on WebNN if it has the type, else on the CPU; runs allocate nothing."""

from typing import Any

import pytest
from playwright.sync_api import Page

from web_tests.browsers.process_memory import MemoryProbe
from web_tests.drivers.harness import ON_WEBNN
from web_tests.models import handmade
from web_tests.server.server import Server

KINDS = {
    "float32": "Float32Array",
    "float16": "Float16Array",
    "int8": "Int8Array",
    "uint8": "Uint8Array",
    "int16": "Int16Array",
    "int32": "Int32Array",
    "uint32": "Uint32Array",
    "int64": "BigInt64Array",
    "bool": "Uint8Array",
    "complex64": "Float32Array",
    "string": "Uint8Array",
}
# Why a type stays on the CPU with WebNN requested.
NOT_ON_WEBNN = {dtype: f"{dtype.upper()}, which WebNN does not have" for dtype in ("int16", "complex64", "string")}
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


@pytest.mark.parametrize("on_webnn", [True, False], ids=["webnn", "cpu"])
@pytest.mark.parametrize("dtype", KINDS)
def test_values_of_every_type_cross_unchanged(page: Page, server: Server, dtype: str, on_webnn: bool) -> None:
    server.mailbox.put("flattened", handmade.flattened(dtype))
    found = call(page, "through", "/exchange/flattened", dtype, {**ON_WEBNN, "enableWebnnDelegate": on_webnn})
    reason = NOT_ON_WEBNN.get(dtype, "")
    assert found["mode"] == ("direct" if on_webnn and not reason else "cpu"), found["reason"]
    if on_webnn and reason:
        assert reason in found["reason"]
    assert found["declared"] == [dtype, dtype]
    assert found["answered"] == [dtype, [6]]
    assert found["kind"] == KINDS[dtype]
    assert found["areSame"] == [True] * 3
    assert found["isReused"]


@pytest.mark.parametrize("on_webnn", [True, False], ids=["webnn", "cpu"])
@pytest.mark.parametrize("dtype", KINDS)
def test_what_does_not_fit_is_an_error_and_never_converted(
    page: Page, server: Server, dtype: str, on_webnn: bool
) -> None:
    server.mailbox.put("flattened", handmade.flattened(dtype))
    found = call(page, "through", "/exchange/flattened", dtype, {**ON_WEBNN, "enableWebnnDelegate": on_webnn})
    expected = f"Input x is {dtype}"
    assert found["wrongType"]["code"] == "INPUT_DTYPE"
    assert expected in found["wrongType"]["message"]
    for kind in ("wrongShape", "wrongCount"):
        assert found[kind]["code"] == "INPUT_SHAPE"
        assert f"{expected}[2, 3] (6 elements)" in found[kind]["message"]
    assert found["wrongOutput"]["code"] == "OUTPUT_BUFFER"
    assert f"Output y is {dtype}" in found["wrongOutput"]["message"]


@pytest.mark.parametrize(("on_webnn", "mode"), [(True, "direct"), (False, "cpu")])
def test_runs_with_given_arrays_leave_nothing_behind(page: Page, server: Server, on_webnn: bool, mode: str) -> None:
    server.mailbox.put("sin", handmade.sin_example())
    assert call(page, "prepareRuns", "/exchange/sin", {**ON_WEBNN, "enableWebnnDelegate": on_webnn}) == mode
    browser = page.context.browser
    assert browser
    probe = MemoryProbe(browser, page.context.new_cdp_session(page))
    assert call(page, "runManyTimes", RUNS)  # lets the browser compile the hot code
    before = probe.sample().js_heap_bytes
    assert call(page, "runManyTimes", RUNS)
    assert probe.sample().js_heap_bytes - before < HEAP_GROWTH_BYTES
