"""Fixtures of the site's tests: the site, served from a subdirectory of a static server."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Playwright
from site_generator.paths import OUTPUT_DIR

from tools.suite.needs import SITE, needing
from web_tests.browsers import installed
from web_tests.browsers.installed import BrowserProgram
from web_tests.server.server import Server, site_routes

# A subdirectory: absolute paths in the site would fail here.
PREFIX = "some/directory/"


@dataclass(frozen=True)
class ServedSite:
    """The site on a server: `address` ends with a slash."""

    directory: Path
    address: str


@pytest.fixture(scope="session")
@needing(SITE)
def site_directory() -> Path:
    return OUTPUT_DIR


@pytest.fixture(scope="session")
def site(site_directory: Path) -> Iterator[ServedSite]:
    """The site on a server that sends no isolation headers, like simple hosts."""
    with Server(site_routes(site_directory, PREFIX), headers={}, errors_below=PREFIX) as server:
        yield ServedSite(site_directory, f"{server.origin}/{PREFIX}")


@pytest.fixture(scope="session")
def webnn_browser(playwright: Playwright, webnn_program: BrowserProgram) -> Iterator[Browser]:
    """A browser with WebNN."""
    with installed.launched(playwright, webnn_program) as browser:
        yield browser
