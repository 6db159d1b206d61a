"""The site's pages in every engine, from a subdirectory of a static server: no errors, no foreign requests."""

import pytest
from site_generator import pages
from site_generator.pages import Page

from web_tests.browsers.page import EngineBrowser
from web_tests.tests.site.conftest import ServedSite
from web_tests.tests.site.engine_pages import engine_visit, waited

PAGES = pages.load()
PYTHON_SECONDS = 200.0

# Tests of these pages open them in every engine, too: below, and in test_NAME_page.py, test_explorer.py and
# test_demos_in_engines.py.
WITH_OWN_TESTS = {"index", "python", "explorer", "benchmark", "webnn", *(name for name in PAGES if "demo-" in name)}
# Documents differ in their text only: test_every_page.py opens each, here one stands for all.
ONE_DOCUMENT = "docs/architecture"
OPENED = [page for name, page in PAGES.items() if name == ONE_DOCUMENT or not (page.source or name in WITH_OWN_TESTS)]

VERDICT = "() => document.getElementById('verdict').textContent.match(/.*no WebNN.*/s)?.[0]"
# Its script enables the button; a click on a disabled one does nothing.
PYTHON_READY = "() => !document.getElementById('run').disabled"
RUN_PYTHON = "() => document.getElementById('run').click()"
PYTHON_RESULT = """() => document.getElementById('run').disabled ? null :
    document.getElementById('status').textContent + document.getElementById('output').textContent"""


@pytest.mark.parametrize("page", OPENED, ids=lambda page: page.name)
def test_a_page_opens_in_an_engine_without_errors(engine_browser: EngineBrowser, site: ServedSite, page: Page) -> None:
    with engine_visit(engine_browser, site, page.file):
        pass


def test_home_shows_what_the_browser_has(engine_browser: EngineBrowser, site: ServedSite) -> None:
    """These builds have no WebNN, and the home page says so."""
    with engine_visit(engine_browser, site, PAGES["index"].file) as page:
        assert "models run on the CPU" in waited(page, VERDICT)


def test_python_classifies_an_image(engine_browser: EngineBrowser, site: ServedSite) -> None:
    with engine_visit(engine_browser, site, PAGES["python"].file, ready=PYTHON_READY) as page:
        page.evaluate(RUN_PYTHON)
        result = waited(page, PYTHON_RESULT, timeout_seconds=PYTHON_SECONDS)
        assert "cat" in result, result
        assert "Done in" in result, result
