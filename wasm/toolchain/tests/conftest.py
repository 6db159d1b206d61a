"""A checkout with a fake compiler, and the fixtures of the shared support's tests."""

from pathlib import Path

import pytest

from support import paths
from support.tests.conftest import cache_dir, programs, write
from support.tests.fake_programs import FakePrograms
from wasm.toolchain import build as build_step
from wasm.toolchain.tests import fake_build

__all__ = ["cache_dir", "checkout", "programs", "write"]


@pytest.fixture
def checkout(tmp_path: Path, cache_dir: Path, programs: FakePrograms, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A checkout with one C++ file, a fake compiler, and sources that need no fetching."""
    directory = tmp_path / "checkout"
    (directory / "wasm").mkdir(parents=True)
    (directory / "wasm" / "own.cc").write_text("int own;\n")
    generated = tmp_path / "generated"
    generated.mkdir()
    toolchain = fake_build.make(programs)
    monkeypatch.setattr(build_step, "INPUTS", [directory / "wasm"])
    monkeypatch.setattr(build_step, "BUILD_DIR", directory / "build")
    monkeypatch.setattr(paths, "BUILD_DIR", directory / "build")
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
    return directory
