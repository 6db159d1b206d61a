"""Fixtures: an empty user cache, and programs on PATH that log their arguments."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from support import paths
from support.apt_mirrors import MIRROR_VARIABLE
from support.tests.fake_programs import FakePrograms

# What a developer may have set, and what a test must not meet.
SETTINGS = ("EMSDK", "TFLITE_WEBNN_TOOLCHAIN", "TFLITE_WEBNN_PREBUILT", MIRROR_VARIABLE)


@pytest.fixture
def cache_dir(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty user cache."""
    directory = tmp_path / "cache"
    monkeypatch.setenv(paths.CACHE_VARIABLE, str(directory))
    return directory


@pytest.fixture
def programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> FakePrograms:
    """No programs yet; the test's programs come before the machine's own."""
    directory = tmp_path / "programs"
    directory.mkdir()
    monkeypatch.setenv("PATH", f"{directory}{os.pathsep}{os.environ['PATH']}")
    for name in SETTINGS:
        monkeypatch.delenv(name, raising=False)
    return FakePrograms(directory, tmp_path / "calls.log")


@pytest.fixture
def write(tmp_path: Path) -> Callable[[str, str], Path]:
    """Write a text file below the test's directory and return its path."""

    def write_text(name: str, text: str) -> Path:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path

    return write_text
