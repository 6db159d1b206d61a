"""Running programs: output, time limits and errors."""

import os
import shutil
import sys
import time
from pathlib import Path

import pytest

from support.command import CommandError, NotRootError, as_root, run


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


def test_the_command_is_printed_as_typed(capsys: pytest.CaptureFixture[str]) -> None:
    run(["echo", "a b", "[red]"], capture=True)
    assert "    $ echo 'a b' '[red]'\n" in capsys.readouterr().err
    run(["echo", "a b"], quiet=True)
    assert capsys.readouterr().err == ""


def test_a_long_command_is_printed_by_its_ends(capsys: pytest.CaptureFixture[str]) -> None:
    run(["true", "first", *["x" * 50] * 100, "last"])
    (line,) = capsys.readouterr().err.splitlines()
    assert len(line) < 700
    assert line.startswith("    $ true first xxx")
    assert line.endswith("xxx last")


def test_captured_output_is_not_streamed(capsys: pytest.CaptureFixture[str]) -> None:
    run(["sh", "-c", "echo out; echo err >&2"], capture=True)
    assert capsys.readouterr().err.splitlines() == ["    $ sh -c 'echo out; echo err >&2'"]


def test_a_command_has_no_input() -> None:
    assert run(["cat"], capture=True, quiet=True, timeout_seconds=10) == ""


def test_output_that_is_not_utf_8_is_kept_as_far_as_possible() -> None:
    assert run(["printf", r"a\377b"], capture=True, quiet=True) == "a\ufffdb"


def test_a_reader_that_fails_ends_the_command() -> None:
    def fail(_line: str) -> None:
        raise ValueError("enough")

    start = time.monotonic()
    with pytest.raises(ValueError, match="enough"):
        run(["sh", "-c", "echo a; sleep 30"], quiet=True, on_line=fail)
    assert time.monotonic() - start < 10


def test_environment_is_added_to(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OUTER", "1")
    assert run(["sh", "-c", "echo $OUTER$INNER"], env={"INNER": "2"}, capture=True, quiet=True) == "12\n"


def test_failure_has_status_last_lines_and_command(tmp_path: Path) -> None:
    with pytest.raises(CommandError) as caught:
        run(["sh", "-c", "echo reason >&2; exit 7"], cwd=tmp_path, quiet=True)
    text = str(caught.value)
    assert "exited with 7" in text
    assert "reason" in text
    assert str(tmp_path) in text


def test_failure_has_the_last_forty_lines() -> None:
    with pytest.raises(CommandError) as caught:
        run(["sh", "-c", "seq 100; exit 1"], quiet=True, on_line=lambda _line: None)
    assert caught.value.tail.splitlines() == [str(number) for number in range(61, 101)]
    with pytest.raises(CommandError) as caught:
        run(["sh", "-c", "seq 50; seq 51 100 >&2; exit 1"], quiet=True, capture=True)
    assert caught.value.tail.splitlines() == [str(number) for number in range(61, 101)]
    assert str(caught.value).startswith("`sh` exited with 1\n61\n")


def test_failure_has_the_status_and_what_was_captured() -> None:
    with pytest.raises(CommandError) as caught:
        run(["sh", "-c", "echo out; echo err >&2; exit 7"], quiet=True, capture=True)
    assert (caught.value.status, caught.value.stdout) == (7, "out\n")
    with pytest.raises(CommandError) as caught:
        run(["sleep", "30"], quiet=True, timeout_seconds=0.1)
    assert caught.value.status is None


def test_failure_does_not_repeat_what_was_streamed(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(CommandError) as caught:
        run(["sh", "-c", "echo reason; exit 1"])
    assert "reason\n" in capsys.readouterr().err
    assert caught.value.tail == ""
    assert "`sh` exited with 1" in str(caught.value)


def test_failure_shortens_a_long_command() -> None:
    with pytest.raises(CommandError) as caught:
        run(["sh", "-c", "exit 1", "x" * 400, "y" * 400], quiet=True)
    start, end = caught.value.where.split(" ... ")
    assert (start[:16], len(start)) == ("sh -c 'exit 1' x", 300)
    assert end == f"{'y' * 300} (in {Path.cwd()})"
    with pytest.raises(CommandError) as caught:
        run(["sh", "-c", "exit 1", "x" * 585], quiet=True)
    assert caught.value.where == f"sh -c 'exit 1' {'x' * 585} (in {Path.cwd()})"


def test_missing_program_is_reported() -> None:
    with pytest.raises(CommandError, match="cannot start `no-such-program`: No such file or directory") as caught:
        run(["no-such-program", "an argument"], quiet=True)
    assert caught.value.where == "no-such-program 'an argument'"
    assert caught.value.hint == "`python3 build.py doctor` reports what is missing"


def test_time_limit_ends_the_entire_process_group() -> None:
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


def test_without_root_and_sudo_the_command_to_type_is_printed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    monkeypatch.setattr(shutil, "which", lambda name: None)
    with pytest.raises(NotRootError, match="this needs root, and sudo is not installed") as caught:
        as_root(["apt-get", "install", "x"])
    assert caught.value.hint == "as root, run: apt-get install x"


def test_a_command_runs_in_its_directory(tmp_path: Path) -> None:
    assert run(["pwd"], cwd=tmp_path, capture=True).strip() == str(tmp_path)


def test_a_command_gets_its_input() -> None:
    command = [sys.executable, "-c", "import sys; print(sys.stdin.read().upper())"]
    assert run(command, stdin="abc", capture=True, quiet=True) == "ABC\n"
