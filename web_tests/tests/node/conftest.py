"""Fixtures of the tests in Node: a process shared by tests, programs, and a model's file."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from support.npm import find_node, pinned_node
from web_tests.browsers.node import NodePage
from web_tests.drivers.harness import PageHarness
from web_tests.models.handmade import sin_example
from web_tests.server.server import Server
from web_tests.tests.conftest import SharedPage, watched


@pytest.fixture(scope="session")
def node_page(server: Server) -> Iterator[SharedPage[PageHarness]]:
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
