"""A model whose first run crashes the browser's GPU process: the node is found, denied and remembered.

The delegate avoids the nodes that crash Chromium 147; the page undoes that: gatherND gets indices of five axes.
"""

from collections.abc import Iterator

import numpy as np
import pytest
from playwright.sync_api import BrowserContext, Playwright

from web_tests.browsers import installed
from web_tests.browsers.installed import BrowserProgram
from web_tests.drivers.harness import Harness, LoadedModel, LoadOptions, ModelError
from web_tests.drivers.tfjs_client import OWN_WASM, TfjsClient
from web_tests.models.model_writer import ModelWriter
from web_tests.models.recipes import Array
from web_tests.server.server import ISOLATION_HEADERS, Server

WIDEN = "async () => (await import('/fault_injection.mjs')).widenIndices()"
WIDENING_HELPER = "/faulty_helper.mjs?fault=%5B%22widenIndices%22%2C%5B%5D%5D"
X = np.arange(12, dtype=np.float32).reshape(3, 4) - 5
INDICES = np.array([[1, 0], [2, 3], [0, 2]], dtype=np.int32)
GATHER_NODES = [2, 3]


def model() -> bytes:
    """Return f(x) = g(2x) + g(x + x * x), where g gathers three elements: the bug is in the middle, twice."""
    writer = ModelWriter()
    x = writer.tensor("x", X.shape, "float32")
    indices = writer.constant("indices", INDICES)
    twice, sum_, picked, other, result = (
        writer.tensor(name, shape, "float32")
        for name, shape in (("twice", X.shape), ("sum", X.shape), ("picked", (3,)), ("other", (3,)), ("result", (3,)))
    )
    writer.node("ADD", [x, x], [twice])
    writer.node("MUL", [x, x], [sum_])
    writer.node("GATHER_ND", [twice, indices], [picked])
    writer.node("GATHER_ND", [sum_, indices], [other])
    writer.node("ADD", [picked, other], [result])
    return writer.finish([x], [result])


def expected() -> Array:
    rows, columns = INDICES.T
    result: Array = (2 * X + X * X)[rows, columns]
    return result


@pytest.fixture
def context(playwright: Playwright, webnn_program: BrowserProgram) -> Iterator[BrowserContext]:
    """The storage of a separate browser, whose GPU process may crash."""
    with installed.launched(playwright, webnn_program) as browser:
        yield browser.new_context()


def load(harness: Harness, **webnn_options: object) -> LoadedModel:
    return harness.load(model(), LoadOptions(webnn_options={"ignorePartitionCost": True, **webnn_options}))


def assert_nodes_are_excluded(loaded: LoadedModel, losses: int) -> None:
    """Run the model; it loses `losses` contexts in total."""
    for _ in range(2):
        (found,) = loaded.run([X])
        np.testing.assert_array_equal(found, expected())
    webnn = loaded.report_now()["webnn"]
    assert (webnn["used"], webnn["reason"], webnn["contextLosses"]) == (True, None, losses)
    assert [row["node"] for row in webnn["excludedNodes"]] == GATHER_NODES
    assert all("GPU process crashed when it ran such a node alone, " in row["reason"] for row in webnn["excludedNodes"])
    assert all("gatherND(float32:2, int32:2)" in row["reason"] for row in webnn["excludedNodes"])


def test_a_page_finds_the_node_and_later_pages_know_it(context: BrowserContext, server: Server) -> None:
    page = Harness(context.new_page(), server)
    page.page.evaluate(WIDEN)
    loaded = load(page)
    assert loaded.execution_mode == "direct"
    assert_nodes_are_excluded(loaded, losses=2)
    assert_nodes_are_excluded(load(page), losses=0)
    later = Harness(context.new_page(), server)
    later.page.evaluate(WIDEN)
    assert_nodes_are_excluded(load(later), losses=0)


def test_a_worker_finds_the_node_and_later_pages_know_it(context: BrowserContext, server: Server) -> None:
    worker = Harness(context.new_page(), server, in_worker=True)
    (thread,) = worker.page.workers
    thread.evaluate(WIDEN)
    assert_nodes_are_excluded(load(worker), losses=2)
    later = Harness(context.new_page(), server)
    later.page.evaluate(WIDEN)
    assert_nodes_are_excluded(load(later), losses=0)


def test_blocking_mode_finds_the_node(context: BrowserContext, server: Server) -> None:
    worker = Harness(context.new_page(), server, in_worker=True)
    loaded = load(worker, blocking=True, blockingHelper=WIDENING_HELPER)
    assert loaded.execution_mode == "blocking"
    assert_nodes_are_excluded(loaded, losses=2)
    again = load(worker, blocking=True, blockingHelper=WIDENING_HELPER)
    assert_nodes_are_excluded(again, losses=0)
    np.testing.assert_array_equal(again.run_sync([X])[0], expected())


def test_run_sync_reports_what_has_happened(context: BrowserContext, server: Server) -> None:
    """It cannot wait for the model's next preparation; run() can."""
    worker = Harness(context.new_page(), server, in_worker=True)
    loaded = load(worker, blocking=True, blockingHelper=WIDENING_HELPER)
    with pytest.raises(ModelError, match="GPU process crashed when it ran such a node alone") as caught:
        loaded.run_sync([X])
    assert caught.value.name == "ContextLostError"
    assert_nodes_are_excluded(loaded, losses=2)


def test_the_drop_in_finds_the_node(context: BrowserContext, server: Server) -> None:
    """The client's predict() is synchronous, and has no other way to run a model."""
    headers = {**ISOLATION_HEADERS, "Content-Type": "text/javascript"}
    script = "import '/package/webnn_helper.mjs'; import { widenIndices } from '/fault_injection.mjs'; widenIndices();"
    context.route("**/tfjs-tflite/webnn_helper.mjs*", lambda route: route.fulfill(body=script, headers=headers))
    server.mailbox.put("model.tflite", model())
    client = TfjsClient(context.new_page(), server, isolated=True, in_worker=True)
    options = {"enableWebnnDelegate": True, "webnnDelegateOptions": {"ignorePartitionCost": True}}
    loaded = client.load("/exchange/model.tflite", OWN_WASM, options)
    for _ in range(2):
        (found,) = loaded.predict([X], [expected()])
        np.testing.assert_array_equal(found, expected())
    assert not client.warnings


def test_models_run_without_storage(context: BrowserContext, server: Server) -> None:
    page = Harness(context.new_page(), server)
    page.page.evaluate(WIDEN)
    page.page.evaluate(
        "() => { IDBFactory.prototype.open = () => { throw new DOMException('no', 'SecurityError'); }; }"
    )
    assert_nodes_are_excluded(load(page), losses=2)
    assert_nodes_are_excluded(load(page), losses=0)
