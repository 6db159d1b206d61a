"""What the tests of the polyfill in Node share."""

from __future__ import annotations

import pytest

from js.scripts import VARIANT_FLAGS
from tools.support.paths import PACKAGE_DIR


@pytest.fixture(scope="session")
def built_wasm() -> None:
    """Skip where there is no wasm module to run in Node."""
    if not any((PACKAGE_DIR / variant).exists() for variant in VARIANT_FLAGS):
        pytest.skip(f"{PACKAGE_DIR} has no wasm module; python3 build.py build makes it")
