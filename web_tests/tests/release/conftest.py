"""Fixtures of the proofs of a release: its directory, and a model."""

from pathlib import Path

import pytest

from tools.release.release import RELEASE_DIR
from web_tests.models import handmade


@pytest.fixture(scope="session")
def release() -> Path:
    return RELEASE_DIR


@pytest.fixture(scope="session")
def model() -> bytes:
    """A model that runs entirely on WebNN."""
    return handmade.wide_network()
