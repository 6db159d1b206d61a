"""Running programs: output, time limits and errors."""

import os
import shutil
import time
from pathlib import Path

import pytest

from tools.support.command import CommandError, NotRootError, as_root, run


def test_captured_output_is_returned() -> None:
    assert run(["sh", "-c", "echo out; echo err >&2"], capture=True, quiet=True) == "out\n"


def test_streamed_output_goes_to_standard_error(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["echo", "hello"]) == ""
    captured = capsys.readouterr()
    assert captured.out == ""
    assert "hello" in captured.err


def test_each_line_goes_to_its_reader_alone(capsys: pytest.CaptureFixture[str]) -> None:
    lines: list[str] = []
    run(["printf", "a\nb\n"], quiet=True, on_line=lines.append)
    assert lines == ["a", "b"]
    assert capsys.readouterr().err == ""


def test_environment_is_added_to(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OUTER", "1")
    assert run(["sh", "-c", "echo $OUTER$INNER"], env={"INNER": "2"}, capture=True, quiet=True) == "12\n"


def test_failure_tells_status_last_lines_and_command(tmp_path: Path) -> None:
    with pytest.raises(CommandError) as caught:
        run(["sh", "-c", "echo reason >&2; exit 7"], cwd=tmp_path, quiet=True)
    text = str(caught.value)
    assert "exited with 7" in text
    assert "reason" in text
    assert str(tmp_path) in text
    assert caught.value.exit_code == 3


def test_missing_program_is_told() -> None:
    with pytest.raises(CommandError, match="cannot start `no-such-program`"):
        run(["no-such-program"], quiet=True)


def test_time_limit_ends_the_whole_process_group() -> None:
    start = time.monotonic()
    with pytest.raises(CommandError, match=r"took longer than 0\.3 s"):
        run(["sh", "-c", "sleep 30 & wait"], quiet=True, timeout_seconds=0.3)
    assert time.monotonic() - start < 10


def test_root_needs_no_prefix(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    assert as_root(["true"]) == ["true"]


def test_others_use_sudo_where_there_is_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    monkeypatch.setattr(shutil, "which", lambda name: f"/usr/bin/{name}")
    assert as_root(["apt-get", "install"]) == ["sudo", "apt-get", "install"]


def test_without_root_and_sudo_the_command_to_type_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    monkeypatch.setattr(shutil, "which", lambda name: None)
    with pytest.raises(NotRootError, match="as root, run: apt-get install x"):
        as_root(["apt-get", "install", "x"])
