"""The virtual environment of build.py, and the command line in it."""

import os
import re
import subprocess
import sys
import venv
from pathlib import Path

import pytest

from tools import bootstrap, command_line
from tools.support import paths
from tools.support.paths import PROJECT_DIR


def test_every_package_is_pinned_exactly() -> None:
    for requirement in bootstrap.requirements():
        assert re.fullmatch(r"[A-Za-z0-9_.-]+==[0-9][0-9a-z.]*", requirement), requirement


def test_both_ways_to_the_cache_folder_agree(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("TFLITE_WEBNN_CACHE", str(tmp_path))
    assert bootstrap.cache_dir() == paths.cache_dir() == tmp_path
    monkeypatch.delenv("TFLITE_WEBNN_CACHE")
    assert bootstrap.cache_dir() == paths.cache_dir()
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert bootstrap.cache_dir() == paths.cache_dir() == tmp_path / "tflite-webnn"


def test_the_environment_is_made_once_and_then_entered(cache_dir: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    entered: list[list[str]] = []
    monkeypatch.setattr(bootstrap, "requirements", list)
    monkeypatch.setattr(os, "execve", lambda python, argv, env: entered.append(argv))
    made: list[Path] = []

    def make_empty(folder: Path) -> None:
        made.append(folder)
        venv.create(folder, with_pip=False)

    monkeypatch.setattr(bootstrap, "_make_empty", make_empty)
    monkeypatch.setattr(subprocess, "run", lambda *_, **__: subprocess.CompletedProcess([], 0))
    bootstrap.enter(["build.py", "lint"])
    bootstrap.enter(["build.py", "lint"])
    folder = bootstrap.venv_dir()
    assert folder.parent == cache_dir / "venv"
    assert made == [folder]
    assert entered == [[str(folder / "bin" / "python"), "build.py", "lint"]] * 2


def test_compiled_modules_are_kept_in_the_cache(cache_dir: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    environments: list[dict[str, str]] = []
    monkeypatch.setattr(os, "execve", lambda python, argv, env: environments.append(env))
    monkeypatch.setattr(bootstrap, "make", lambda venv: None)
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")
    monkeypatch.delenv("PYTHONPYCACHEPREFIX", raising=False)
    bootstrap.enter(["build.py", "lint"])
    monkeypatch.setenv("PYTHONPYCACHEPREFIX", "/chosen")
    bootstrap.enter(["build.py", "lint"])
    assert [env["PYTHONPYCACHEPREFIX"] for env in environments] == [str(cache_dir / "bytecode"), "/chosen"]
    assert not any("PYTHONDONTWRITEBYTECODE" in env for env in environments)


def test_a_failed_installation_is_not_taken_for_an_environment(
    cache_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bootstrap, "_make_empty", Path.mkdir)
    monkeypatch.setattr(subprocess, "run", lambda *_, **__: subprocess.CompletedProcess([], 1))
    with pytest.raises(SystemExit, match="pip could not install"):
        bootstrap.make(cache_dir / "venv" / "key")
    assert not (cache_dir / "venv" / "key" / bootstrap.FINISHED_MARK).exists()


def test_help_needs_nothing_installed(tmp_path: Path) -> None:
    environment = {"PATH": os.environ["PATH"], "TFLITE_WEBNN_CACHE": str(tmp_path)}
    command = [sys.executable, "-I", str(PROJECT_DIR / "build.py"), "--help"]
    shown = subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout
    for name in ("setup", "build", "demo", "test", "lint", "doctor", "clean"):
        assert f"\n    {name}" in shown
    assert "TFLITE_WEBNN_CACHE" in shown
    assert list(tmp_path.iterdir()) == []


def test_arguments_unknown_to_test_go_to_pytest() -> None:
    arguments = command_line.parse(["test", "--allow-missing", "webnn", "-k", "sin", "-x"])
    assert arguments.allow_missing == ["webnn"]
    assert arguments.rest == ["-k", "sin", "-x"]


def test_arguments_unknown_elsewhere_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        command_line.parse(["build", "--varaint", "simd"])
    assert "--varaint" in capsys.readouterr().err


def test_a_source_without_a_folder_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        command_line.parse(["build", "--source", "tensorflow"])
    assert "'tensorflow' is not NAME=DIR" in capsys.readouterr().err


def test_ci_runs_the_tests() -> None:
    script = (PROJECT_DIR / ".ci" / "run").read_text()
    assert "exec python3 build.py test" in script
