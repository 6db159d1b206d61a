"""The profile of Hypothesis for many nodes, `--hypothesis-profile=long`, and the engine of an execution."""

from collections.abc import Iterator
from contextlib import ExitStack

import pytest
from hypothesis import settings
from playwright.sync_api import Playwright

from web_tests.properties.engines import Engine, Execution, engine
from web_tests.server.server import Server

settings.register_profile("long", max_examples=20_000)


@pytest.fixture(scope="session")
def engine_under_test(execution: Execution, server: Server, request: pytest.FixtureRequest) -> Iterator[Engine]:
    """The engine of an execution, shared by a worker's tests."""
    with ExitStack() as stack:
        playwright: Playwright | None = None
        if execution.host == "browser":
            request.getfixturevalue("webnn_program")
            playwright = request.getfixturevalue("playwright")
        yield stack.enter_context(engine(execution, server, playwright))
