"""Fixtures of the tests in Node: those of tests/browser/engines, with Node as the engine."""

from collections.abc import Iterator
from contextlib import AbstractContextManager
from pathlib import Path

import pytest
from playwright.sync_api import Playwright

from support.npm import find_node, pinned_node
from web_tests.browsers.engines import Engine
from web_tests.browsers.node import NodePage, node
from web_tests.browsers.page import EngineBrowser
from web_tests.drivers.harness import PageHarness
from web_tests.models.handmade import sin_example
from web_tests.server.server import Server
from web_tests.tests.conftest import SharedPage, watched


def _start(_: Playwright) -> AbstractContextManager[EngineBrowser]:
    return node(pinned_node())


@pytest.fixture(scope="session")
def engine() -> Engine:
    """Node as an engine."""
    return Engine("node", "Node", [], _start)


@pytest.fixture(scope="session")
def node_page(engine: Engine, server: Server) -> Iterator[SharedPage[PageHarness]]:
    shared = SharedPage(lambda: PageHarness(NodePage(pinned_node()), server))
    yield shared
    shared.close()


@pytest.fixture
def harness(node_page: SharedPage[PageHarness]) -> Iterator[PageHarness]:
    """A process shared by tests; the test fails when the process reports an uncaught error."""
    yield from watched(node_page.harness())


@pytest.fixture
def sin_file(tmp_path: Path) -> Path:
    """A model's file whose name needs escaping in URLs: f(x) = sin(x) + x + sin(2x) of 8 values."""
    file = tmp_path / "sin #1 ä.tflite"
    file.write_bytes(sin_example())
    return file


@pytest.fixture(params=[find_node, pinned_node], ids=["on_path", "pinned"])
def program(request: pytest.FixtureRequest) -> str:
    return str(request.param())
