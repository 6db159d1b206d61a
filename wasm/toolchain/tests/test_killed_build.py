"""Builds that are killed: what they leave is not trusted by the next one."""

import multiprocessing
import os
import shutil
import signal
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest

from wasm.toolchain import build as build_step
from wasm.toolchain import manifest, notices
from wasm.toolchain.tests import fake_build
from wasm.toolchain.tests.fake_programs import FakePrograms

# Half a module, and the end of the process that started ninja.
HALF = 'mkdir -p "$2/runtime/$5"; printf w > "$2/runtime/$5/tflite_webnn.wasm"; kill -9 $PPID; sleep 1'


def killed(prepare: Callable[[], None]) -> None:
    """Build in another process, which `prepare` lets end by SIGKILL."""

    def run() -> None:
        prepare()
        build_step.build(["simd"])

    process = multiprocessing.get_context("fork").Process(target=run)
    process.start()
    process.join(60)
    assert process.exitcode == -signal.SIGKILL


def die(*_: object, **__: object) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def assert_whole(checkout: Path) -> None:
    folder = checkout / "build" / "wasm" / "simd"
    assert (folder / "tflite_webnn.wasm").read_text() == "wasm\n"
    assert {*manifest.ARTEFACTS, manifest.FILE_NAME, notices.FILE_NAME} <= {path.name for path in folder.iterdir()}


def test_a_build_that_was_killed_while_it_compiled(checkout: Path, programs: FakePrograms) -> None:
    programs.make("ninja", HALF)
    killed(lambda: None)
    programs.make("ninja", fake_build.NINJA)
    build_step.build(["simd"])
    assert_whole(checkout)


@pytest.mark.parametrize(("owner", "name"), [(manifest, "write_manifest"), (notices, "write_notices")])
def test_a_build_that_was_killed_while_it_stored(owner: ModuleType, name: str, checkout: Path, cache_dir: Path) -> None:
    killed(lambda: setattr(owner, name, die))
    entries = [path.name for path in (cache_dir / "artefacts").iterdir()]
    assert all(name.endswith(".partial") for name in entries), entries
    build_step.build(["simd"])
    assert_whole(checkout)


def test_a_build_that_was_killed_while_it_copied_into_the_checkout(checkout: Path) -> None:
    original = shutil.copyfile

    def copy(source: Path, target: Path) -> None:
        original(source, target)
        if target.parent == checkout / "build" / "wasm" / "simd":
            target.write_text("half")
            die()

    killed(lambda: setattr(shutil, "copyfile", copy))
    build_step.build(["simd"])
    assert_whole(checkout)
