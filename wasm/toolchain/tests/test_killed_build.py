"""Builds that are killed: what they leave is not trusted by the next one."""

import multiprocessing
import os
import shutil
import signal
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from support.tests.fake_programs import FakePrograms
from wasm.toolchain import build as build_step
from wasm.toolchain import manifest, notices
from wasm.toolchain.emscripten import debian_root, namespaces
from wasm.toolchain.sources import archive_origin, fetch, git_origin, selection
from wasm.toolchain.tests import fake_build, fake_sources
from wasm.toolchain.tests.test_emscripten import PIN, VERSIONS, write_status

# Half a module, and the end of the process that started ninja.
HALF = 'mkdir -p "$2/runtime/$5"; printf w > "$2/runtime/$5/tflite_webnn.wasm"; kill -9 $PPID; sleep 1'


def killed(prepare: Callable[[], None], step: Callable[[], object] = lambda: build_step.build(["simd"])) -> None:
    """Build, or do one step, in another process, which `prepare` lets end by SIGKILL."""

    def run() -> None:
        prepare()
        step()

    process = multiprocessing.get_context("fork").Process(target=run)
    process.start()
    process.join(60)
    assert process.exitcode == -signal.SIGKILL


def kill_process(*_: object, **__: object) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def assert_complete(checkout: Path) -> None:
    directory = checkout / "build" / "wasm" / "simd"
    assert (directory / "tflite_webnn.wasm").read_text() == "wasm\n"
    assert {*manifest.ARTEFACTS, manifest.FILE_NAME, notices.FILE_NAME} <= {path.name for path in directory.iterdir()}


def test_a_build_that_was_killed_while_it_compiled(checkout: Path, programs: FakePrograms) -> None:
    programs.make("ninja", HALF)
    killed(lambda: None)
    programs.make("ninja", fake_build.NINJA)
    build_step.build(["simd"])
    assert_complete(checkout)


@pytest.mark.parametrize(("owner", "name"), [(manifest, "write_manifest"), (notices, "write_notices")])
def test_a_build_that_was_killed_while_it_stored(owner: ModuleType, name: str, checkout: Path, cache_dir: Path) -> None:
    killed(lambda: setattr(owner, name, kill_process))
    entries = [path.name for path in (cache_dir / "artefacts").iterdir()]
    assert all(name.endswith(".partial") for name in entries), entries
    build_step.build(["simd"])
    assert_complete(checkout)


def test_a_build_that_was_killed_while_it_copied_into_the_checkout(checkout: Path) -> None:
    original = shutil.copyfile

    def copy(source: Path, target: Path) -> None:
        original(source, target)
        if target.parent == checkout / "build" / "wasm" / "simd":
            target.write_text("half")
            kill_process()

    killed(lambda: setattr(shutil, "copyfile", copy))
    build_step.build(["simd"])
    assert_complete(checkout)


def half_a_file(*arguments: Any) -> None:
    """Write a file of a component below the last argument, and kill the process."""
    target: Path = arguments[-1]
    (target / "src").mkdir(parents=True)
    (target / "src" / "plain.c").write_text("half")
    kill_process()


@pytest.mark.parametrize(
    ("owner", "name", "replacement"),
    [
        (git_origin, "fetch", half_a_file),  # downloads
        (archive_origin, "_revert_patches", kill_process),  # unpacked
        (selection, "select", half_a_file),
    ],
    ids=["download", "unpacking", "storing"],
)
def test_a_fetch_completes_after_one_that_was_killed(
    owner: ModuleType,
    name: str,
    replacement: Callable[..., None],
    tmp_path: Path,
    cache_dir: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    (tmp_path / "generated").mkdir()
    sources = fake_sources.make(tmp_path / "generated")
    (tmp_path / "served").mkdir()
    shutil.copy(tmp_path / "generated" / "x.tar.xz", tmp_path / "served")
    with fake_sources.serving(tmp_path / "served") as mirror:
        monkeypatch.setattr(archive_origin, "debian_mirrors", lambda: [mirror.url])
        monkeypatch.setattr(git_origin, "is_reachable", lambda component: owner is git_origin)
        killed(lambda: setattr(owner, name, replacement), lambda: fetch.fetch(sources, {}))
        assert all(path.name.startswith(".partial-") for path in (cache_dir / "sources").iterdir())
        directories = fetch.fetch(sources, {})
    for component, directory in directories.items():
        selection.verify(sources.components[component], directory, origin="the cache")


def test_a_debian_root_is_completed_after_a_killed_one(
    programs: FakePrograms, cache_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    programs.make_emcc("3.1.69")
    monkeypatch.setattr(namespaces, "entry", lambda: namespaces.Entry("none", (), {}, ""))

    def half_a_root(_: object, root: Path) -> None:
        write_status(root, {})
        kill_process()

    killed(lambda: setattr(debian_root, "_bootstrap", half_a_root), lambda: debian_root.make(PIN))
    assert not debian_root.exists(PIN)

    def complete_root(_: object, root: Path) -> None:
        debian_root.delete(root)  # as debootstrap's caller does
        write_status(root, VERSIONS)

    monkeypatch.setattr(debian_root, "_bootstrap", complete_root)
    root = debian_root.make(PIN).root
    assert "clang-19" in (root / "var" / "lib" / "dpkg" / "status").read_text()
    assert [path.name for path in (cache_dir / "toolchain").iterdir()] == [root.name]
