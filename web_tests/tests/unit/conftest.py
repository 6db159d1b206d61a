"""A machine on which nothing is installed."""

from pathlib import Path

import pytest

from support import paths


@pytest.fixture
def bare_machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A machine without browsers: PATH and cache are empty directories."""
    monkeypatch.setenv(paths.CACHE_VARIABLE, str(tmp_path / "cache"))
    monkeypatch.setenv("PATH", str(tmp_path))
    return tmp_path


def program(path: Path) -> Path:
    """Create a program that does nothing."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("#!/bin/sh\n")
    path.chmod(0o755)
    return path
