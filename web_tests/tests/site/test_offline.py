"""A page that was visited once works without a network."""

import pytest
from playwright.sync_api import Browser, Error

from web_tests.tests.site.conftest import ServedSite
from web_tests.tests.site.demo_page import DemoPage
from web_tests.tests.site.visit import visiting

KEPT = "() => document.documentElement.dataset.offline === 'ready'"


def test_home_runs_its_models_without_a_network(webnn_browser: Browser, site: ServedSite) -> None:
    with visiting(webnn_browser, site, "index.html") as visit:
        visit.page.wait_for_function(KEPT, timeout=60_000)
        visit.page.context.set_offline(True)
        with pytest.raises(Error, match="ERR_"):
            # Was not visited, so it is not kept.
            visit.page.context.new_page().goto(site.address + "ops.html")
        visit.page.goto(site.address + "index.html")
        assert "Egyptian cat" in DemoPage(visit).says("ready")
