"""The virtual environment of build.py, and the command line in it."""

import os
import re
import shutil
import subprocess
import venv
from pathlib import Path

import pytest

from support import paths
from support.paths import PROJECT_DIR
from tools import bootstrap
from tools.locks import lock_files


def test_every_package_is_pinned_exactly() -> None:
    for requirements in bootstrap.groups_of_project().values():
        for requirement in requirements:
            assert re.fullmatch(r"[A-Za-z0-9_.-]+==[0-9][0-9a-z.]*", requirement), requirement


def locked(file: Path) -> list[str]:
    """Return the lines of a lock, which must have hashes and no address, without comments and hashes."""
    text = file.read_text()
    assert "://" not in text
    lines = re.sub(r"#.*\n", "", text).replace("\\\n", "").splitlines()
    for line in lines:
        assert re.fullmatch(r"\S+==\S+( ; [^-]+)?( +--hash=sha256:[0-9a-f]{64})+", line), f"{line} in {file}"
    return [line.partition(" --hash")[0].strip() for line in lines]


def test_locks_agree_and_have_each_package() -> None:
    versions: dict[str, set[str]] = {}
    for group, requirements in bootstrap.groups_of_project().items():
        lines = locked(bootstrap.lock_file(group))
        for line in lines:
            name, _, version = line.partition("==")
            versions.setdefault(f"{name}{line.partition(';')[2]}", set()).add(version)
        assert set(requirements) <= set(lines)
    assert [name for name, found in versions.items() if len(found) > 1] == []


def test_lists_of_packages_outside_the_environment_have_hashes() -> None:
    files = [file for directory in lock_files.COMPLETE_LISTS for file in directory.iterdir()]
    assert len(files) == 3
    for file in files:
        assert locked(file)


def test_both_ways_to_the_cache_directory_agree(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("TFLITE_WEBNN_CACHE", str(tmp_path))
    assert bootstrap.cache_dir() == paths.cache_dir() == tmp_path
    monkeypatch.delenv("TFLITE_WEBNN_CACHE")
    assert bootstrap.cache_dir() == paths.cache_dir()
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert bootstrap.cache_dir() == paths.cache_dir() == tmp_path / "tflite-webnn"


class FakeVenv:
    """What bootstrap requests from pip, and what it executes."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.created: list[Path] = []
        self.installed: list[list[str]] = []
        self.ignored_installed: list[bool] = []
        self.entered: list[tuple[list[str], dict[str, str]]] = []
        self.pip_status = 0
        monkeypatch.setattr(os, "execve", lambda python, argv, env: self.entered.append((argv, env)))
        monkeypatch.setattr(bootstrap, "_make_empty", self._make_empty)
        monkeypatch.setattr(subprocess, "run", self._run)
        for name in (bootstrap.INSIDE_VARIABLE, "TFLITE_WEBNN_TOOLCHAIN"):
            monkeypatch.delenv(name, raising=False)

    def _make_empty(self, directory: Path) -> None:
        self.created.append(directory)
        venv.create(directory, with_pip=False)

    def _run(self, command: list[str], **_: object) -> subprocess.CompletedProcess[str]:
        assert "--require-hashes" in command
        self.installed.append([Path(word).stem for word in command if word.endswith(".txt")])
        self.ignored_installed.append("--ignore-installed" in command)
        return subprocess.CompletedProcess(command, self.pip_status)


@pytest.fixture
def fake(cache_dir: Path, monkeypatch: pytest.MonkeyPatch) -> FakeVenv:
    del cache_dir
    return FakeVenv(monkeypatch)


def test_the_environment_is_created_once_and_then_entered(fake: FakeVenv, cache_dir: Path) -> None:
    for _ in range(2):
        bootstrap.enter(["build.py", "lint"], ["run"])
    directory = bootstrap.venv_dir()
    assert directory.parent == cache_dir / "venv"
    assert fake.created == [directory]
    assert fake.installed == [["base", "run"]]
    assert [argv for argv, _ in fake.entered] == [[str(directory / "bin" / "python"), "build.py", "lint"]] * 2


def test_a_command_adds_the_groups_that_it_needs(fake: FakeVenv) -> None:
    bootstrap.enter(["build.py", "doctor"], [])
    bootstrap.enter(["build.py", "lint"], ["run", "lint"])
    bootstrap.enter(["build.py", "doctor"], [])
    assert fake.installed == [["base"], ["run", "lint"]]
    assert len(fake.created) == 1


def test_cmake_comes_with_the_users_own_compiler(fake: FakeVenv, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TFLITE_WEBNN_TOOLCHAIN", "native")
    bootstrap.enter(["build.py", "build"], ["run"])
    assert fake.installed == [["base", "run", "native"]]


def test_compiled_modules_are_cached(fake: FakeVenv, cache_dir: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")
    monkeypatch.delenv("PYTHONPYCACHEPREFIX", raising=False)
    bootstrap.enter(["build.py", "lint"], [])
    monkeypatch.setenv("PYTHONPYCACHEPREFIX", "/chosen")
    bootstrap.enter(["build.py", "lint"], [])
    environments = [environment for _, environment in fake.entered]
    assert [env["PYTHONPYCACHEPREFIX"] for env in environments] == [str(cache_dir / "bytecode"), "/chosen"]
    assert not any("PYTHONDONTWRITEBYTECODE" in env for env in environments)


def test_a_failed_installation_is_repeated_without_the_finished_groups(fake: FakeVenv) -> None:
    bootstrap.enter(["build.py", "doctor"], [])
    fake.pip_status = 1
    with pytest.raises(SystemExit, match=r"pip could not install[^$]*run the same command again"):
        bootstrap.enter(["build.py", "lint"], ["lint"])
    assert bootstrap.missing(bootstrap.venv_dir(), ["base", "lint"]) == ["lint"]
    fake.pip_status = 0
    for group in ("site", "lint", "test"):
        bootstrap.enter(["build.py", "x"], [group])
    assert len(fake.created) == 1
    assert fake.installed == [["base"], ["lint"], ["site"], ["lint"], ["test"]]
    # What the failed pip left counts as missing until its group is installed.
    assert fake.ignored_installed == [False, False, True, True, False]


def test_an_environment_that_was_not_finished_is_created_again(fake: FakeVenv, monkeypatch: pytest.MonkeyPatch) -> None:
    def stop(directory: Path) -> None:
        venv.create(directory, with_pip=False)
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(bootstrap, "_make_empty", stop)
        with pytest.raises(KeyboardInterrupt):
            bootstrap.enter(["build.py", "doctor"], [])
    bootstrap.enter(["build.py", "doctor"], [])
    assert len(fake.created) == 1
    assert fake.installed == [["base"]]


def test_another_state_of_the_locks_is_another_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    first = bootstrap.venv_dir()
    shutil.copytree(bootstrap.LOCKS_DIR, tmp_path / "locks")
    monkeypatch.setattr(bootstrap, "LOCKS_DIR", tmp_path / "locks")
    assert bootstrap.venv_dir() == first
    (tmp_path / "locks" / "lint.txt").write_text("other")
    assert bootstrap.venv_dir() != first


def test_ci_runs_the_tests() -> None:
    script = (PROJECT_DIR / ".ci" / "run").read_text()
    assert "exec python3 build.py test" in script
