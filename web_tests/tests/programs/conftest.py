"""Hosts for programs: a browser with WebNN, and Node."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Playwright

from tools.programs import tested
from tools.programs.hosts import NodeHost, PageHost
from web_tests.browsers import installed
from web_tests.browsers.installed import BrowserProgram
from web_tests.server.server import Server


@pytest.fixture(scope="session")
def programs() -> None:
    """Compiles the programs."""
    tested.prepare()


@pytest.fixture(scope="session")
def webnn_host(
    playwright: Playwright, server: Server, webnn_program: BrowserProgram, programs: None
) -> Iterator[PageHost]:
    """Workers of a browser with WebNN."""
    with installed.launched(playwright, webnn_program) as browser:
        yield PageHost(browser, server, "never")


@pytest.fixture(scope="session")
def node_host(programs: None) -> NodeHost:
    """Node on the polyfill."""
    return NodeHost()
