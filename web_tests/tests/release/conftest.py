"""Fixtures of the proofs of a release: its folder, and servers as its users have them."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from tools.release.release import RELEASE_DIR
from web_tests.models import handmade
from web_tests.server.server import Routes, Server

# What a content delivery network sends: any page may load its files.
CDN_HEADERS = {"Access-Control-Allow-Origin": "*", "Cross-Origin-Resource-Policy": "cross-origin"}


@pytest.fixture(scope="session")
def release() -> Path:
    return RELEASE_DIR


@pytest.fixture(scope="session")
def model() -> bytes:
    """A model that WebNN takes as a whole."""
    return handmade.wide_network()


@pytest.fixture
def serve() -> Iterator[Callable[..., Server]]:
    """Starts servers that end with the test; arguments as for Server."""
    with ExitStack() as stack:

        def start(routes: Routes, **options: object) -> Server:
            return stack.enter_context(Server(routes, **options))  # type: ignore[arg-type]

        yield start
