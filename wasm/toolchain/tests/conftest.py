"""Fixtures of the toolchain's tests: an empty user cache, and programs on PATH that log their arguments."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from tools.support import paths
from tools.support.apt_mirrors import MIRROR_VARIABLE
from wasm.toolchain import build as build_step
from wasm.toolchain import prebuilt
from wasm.toolchain.emscripten import choice
from wasm.toolchain.tests import fake_build
from wasm.toolchain.tests.fake_programs import FakePrograms


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
    monkeypatch.delenv(choice.VARIABLE, raising=False)
    monkeypatch.delenv(MIRROR_VARIABLE, raising=False)
    monkeypatch.delenv(prebuilt.VARIABLE, raising=False)
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


@pytest.fixture
def checkout(tmp_path: Path, cache_dir: Path, programs: FakePrograms, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A checkout with one C++ file, a fake compiler, and sources that need no fetching."""
    folder = tmp_path / "checkout"
    (folder / "wasm").mkdir(parents=True)
    (folder / "wasm" / "own.cc").write_text("int own;\n")
    generated = tmp_path / "generated"
    generated.mkdir()
    toolchain = fake_build.make(programs)
    monkeypatch.setattr(build_step, "INPUTS", [folder / "wasm"])
    monkeypatch.setattr(build_step, "BUILD_DIR", folder / "build")
    monkeypatch.setattr(paths, "BUILD_DIR", folder / "build")
    monkeypatch.setattr(build_step, "choose", lambda pin: toolchain)
    monkeypatch.setattr(build_step, "chosen_identity", lambda pin: toolchain.identity)
    source = tmp_path / "source"
    source.mkdir()
    (source / "LICENSE").write_text("free\n")
    monkeypatch.setattr(
        build_step,
        "fetch_patched",
        lambda sources, overrides: dict.fromkeys(sources.components, source) | dict(overrides),
    )
    monkeypatch.setattr(build_step, "make_headers", lambda toolchain, sources: generated)
    return folder
