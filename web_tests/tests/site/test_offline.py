"""A page that was visited once works without a network."""

import pytest
from playwright.sync_api import Browser, Error

from web_tests.tests.site.conftest import ServedSite
from web_tests.tests.site.visit import page_function, visiting

READY = "() => document.documentElement.dataset.offline === 'ready'"
KEPT = "async () => (await (await caches.open('tflite-webnn-site')).keys()).map(({ url }) => url)"
# By page: what it shows when its workers and models have worked.
SHOWN = {
    "index": "#status[data-kind=ready]:text('finds the face')",
    "demo-segmentation": "#status[data-kind=ready]:text('cat covers')",
    "demo-audio": "#execution",
    "explorer": "#run-status[data-kind=ready]:text('1 found: face 9')",
    "benchmark": "#runtimes input",
    "docs/runtime": "h1:text('Runtime')",
}
# What only the home page's worker imports, while it runs: the page does not see it.
LOADED_BY_WORKER = "/tflite_webnn.wasm"
TIMED = "#bars dt:text-is('WebNN')"


@pytest.mark.parametrize("page", SHOWN)
def test_a_visited_page_works_without_a_network(webnn_browser: Browser, site: ServedSite, page: str) -> None:
    with visiting(webnn_browser, site, f"{page}.html") as visit:
        visit.page.wait_for_function(READY, timeout=60_000)
        visit.page.context.set_offline(True)
        with pytest.raises(Error, match="ERR_"):
            # Was not visited, so it is not kept.
            visit.page.context.new_page().goto(site.address + "ops.html")
        visit.page.goto(site.address + f"{page}.html")
        visit.page.wait_for_selector(SHOWN[page], state="attached", timeout=60_000)


def test_what_was_loaded_before_the_service_worker_is_kept(webnn_browser: Browser, site: ServedSite) -> None:
    """Also by the page's worker."""
    hold = f"({page_function('holdServiceWorker')})()"
    with visiting(webnn_browser, site, "index.html", first_script=hold) as visit:
        visit.page.wait_for_selector(TIMED, timeout=60_000)
        loaded = {address.partition("#")[0] for address in visit.requests if address.startswith(site.address)}
        assert any(LOADED_BY_WORKER in address for address in loaded)
        visit.page.evaluate("releaseServiceWorker()")
        visit.page.wait_for_function(READY, timeout=60_000)
        assert loaded - set(visit.page.evaluate(KEPT)) == set()
