"""pytest's plugin for the tests in a browser: Playwright, and the browser with WebNN, whose absence is a failure."""

from collections.abc import Iterator
from typing import NoReturn

import pytest
from playwright.sync_api import Playwright, sync_playwright

from tools.suite.needs import WEBNN, needing
from tools.suite.running import may_be_missing
from web_tests.browsers import installed, setup
from web_tests.browsers.installed import BrowserProgram


@pytest.fixture(scope="session")
def playwright() -> Iterator[Playwright]:
    with sync_playwright() as driver:
        yield driver


@pytest.fixture(scope="session")
@needing(WEBNN)
def webnn_program(playwright: Playwright) -> BrowserProgram:
    """A browser with WebNN. Its absence is a failure, unless allowed."""
    setup.prepare(need_browser=False)
    found = installed.survey(playwright, installed.discover())
    program = next((program for program, probe in found if probe.webnn), None)
    if program is None:
        reasons = "; ".join(f"{program.title} {probe.version}: {probe.reason}" for program, probe in found)
        message = f"no browser with WebNN was found: {reasons or 'there is no browser at all'}"
        skip_or_fail(WEBNN, message)
    return program


def skip_or_fail(engine: str, message: str) -> NoReturn:
    """Skip the test of an engine that may be missing, else fail it."""
    if may_be_missing(engine):
        pytest.skip(message)
    pytest.fail(f"{message} (--allow-missing {engine} skips its tests)")
