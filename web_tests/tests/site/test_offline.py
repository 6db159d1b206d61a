"""A page that was visited once works without a network."""

import pytest
from playwright.sync_api import Browser, Error

from web_tests.tests.site.conftest import ServedSite
from web_tests.tests.site.visit import visiting

READY = "() => document.documentElement.dataset.offline === 'ready'"
KEPT = "async () => (await (await caches.open('tflite-webnn-site')).keys()).map(({ url }) => url)"
# By page: what it shows when its workers and models have worked.
SHOWN = {
    "index": "#status[data-kind=ready]:text('Egyptian cat')",
    "demo-segmentation": "#status[data-kind=ready]:text('cat covers')",
    "demo-audio": "#execution",
    "explorer": ".graph-box",
    "benchmark": "#runtimes input",
    "docs/runtime": "h1:text('Runtime')",
}
# What only the home page's worker imports, while it runs: the page does not see it.
LOADED_BY_WORKER = "package/index-load_tflite_model-"


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


def test_what_a_worker_imports_is_kept(webnn_browser: Browser, site: ServedSite) -> None:
    with visiting(webnn_browser, site, "index.html") as visit:
        visit.page.wait_for_function(READY, timeout=60_000)
        assert any(LOADED_BY_WORKER in address for address in visit.page.evaluate(KEPT))
