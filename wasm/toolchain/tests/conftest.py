"""Fixtures of the toolchain's tests: an empty user cache, and programs on PATH that log their arguments."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from tools.support import paths
from tools.support.apt_mirrors import MIRROR_VARIABLE


@dataclass(frozen=True)
class FakePrograms:
    """A folder first on PATH. Each program made in it appends its name and arguments to a log."""

    folder: Path
    log: Path

    def make(self, name: str, script: str = "") -> Path:
        """Make a program that logs its call and then runs `script` (sh, with the arguments as $@)."""
        path = self.folder / name
        path.write_text(f'#!/bin/sh\necho "{name} $*" >> "{self.log}"\n{script}\n')
        path.chmod(0o755)
        return path

    def make_emcc(self, version: str) -> Path:
        """Make an emcc that only knows its version."""
        return self.make("emcc", f'echo "emcc (Emscripten gcc/clang-like replacement) {version} ()"')

    def calls(self) -> list[str]:
        """Return the logged calls, e.g. "ninja -C build"."""
        return self.log.read_text().splitlines() if self.log.exists() else []


@pytest.fixture
def cache_dir(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty user cache."""
    folder = tmp_path / "cache"
    monkeypatch.setenv(paths.CACHE_VARIABLE, str(folder))
    return folder


@pytest.fixture
def programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> FakePrograms:
    """No programs yet; the test's programs come before the machine's own."""
    folder = tmp_path / "programs"
    folder.mkdir()
    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.delenv("EMSDK", raising=False)
    monkeypatch.delenv(MIRROR_VARIABLE, raising=False)
    return FakePrograms(folder, tmp_path / "calls.log")


@pytest.fixture
def write(tmp_path: Path) -> Callable[[str, str], Path]:
    """Write a text file below the test's folder and return its path."""

    def write_text(name: str, text: str) -> Path:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path

    return write_text
