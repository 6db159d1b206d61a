"""Fixtures of the tests for every engine: Chromium, Firefox and WebKitGTK, all without WebNN here, and Node."""

from collections.abc import Iterator

import pytest

from support.npm import pinned_node
from web_tests.browsers.engines import ENGINES, Engine
from web_tests.browsers.node import node
from web_tests.browsers.page import EngineBrowser, EnginePage
from web_tests.drivers.harness import PageHarness
from web_tests.server.server import Server
from web_tests.tests.conftest import SharedPage, new_page, skip_unless_installed, watched

NODE = Engine("node", "Node", [], lambda _: node(pinned_node()))


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "pages: what Node lacks: pages, their workers, images")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "engine" in metafunc.fixturenames:
        only_pages = "page" in metafunc.fixturenames or metafunc.definition.get_closest_marker("pages")
        engines = ENGINES if only_pages else (*ENGINES, NODE)
        rows = [
            pytest.param(one, id=one.name, marks=pytest.mark.needs("package" if one is NODE else one.name))
            for one in engines
        ]
        metafunc.parametrize("engine", rows, indirect=True, scope="session")


@pytest.fixture(scope="session")
def engine(request: pytest.FixtureRequest) -> Engine:
    """Each engine; skipped if not installed, with the command that installs it."""
    engine: Engine = request.param
    skip_unless_installed(engine)
    return engine


@pytest.fixture(scope="session")
def engine_shared_page(engine_browser: EngineBrowser, server: Server) -> Iterator[SharedPage[PageHarness]]:
    """The page in which the engine's tests load models."""
    shared = SharedPage(lambda: PageHarness(engine_browser.new_page(), server))
    yield shared
    shared.close()


@pytest.fixture
def harness(engine_shared_page: SharedPage[PageHarness]) -> Iterator[PageHarness]:
    """The shared page; the test fails when the page reports an uncaught error."""
    yield from watched(engine_shared_page.harness())


@pytest.fixture
def page(engine_browser: EngineBrowser) -> Iterator[EnginePage]:
    """A new page; the test fails when it reports an uncaught error."""
    yield from new_page(engine_browser)
