"""The engine of an execution."""

from collections.abc import Iterator
from contextlib import ExitStack

import pytest
from playwright.sync_api import Playwright

from web_tests.properties.engines import Engine, Execution, engine
from web_tests.server.server import Server


@pytest.fixture(scope="session")
def engine_under_test(execution: Execution, server: Server, request: pytest.FixtureRequest) -> Iterator[Engine]:
    """The engine of an execution, shared by a worker's tests."""
    with ExitStack() as stack:
        playwright: Playwright | None = None
        if execution.host == "browser":
            request.getfixturevalue("webnn_program")
            playwright = request.getfixturevalue("playwright")
        yield stack.enter_context(engine(execution, server, playwright))
