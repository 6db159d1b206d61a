"""Runs other programs: prints the command, streams its output, limits its time, and explains failures.

`run()` is for every program that is started, waited for and read as text. Classes own the processes that they talk to.
"""

import os
import shlex
import shutil
import signal
import subprocess
import sys
import threading
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from rich.markup import escape

from support.console import console
from support.errors import BuildError

TAIL_LINES = 40
SHOWN_CHARACTERS = 600


class CommandError(BuildError):
    """A program could not be started, failed, or ran out of time.

    `status` is its exit status (None: it did not start, or ran out of time), `stdout` what `capture` would have
    returned, `tail` the last lines of all output, unless they were streamed.
    """

    def __init__(
        self,
        what: str,
        *,
        status: int | None = None,
        stdout: str = "",
        tail: str = "",
        where: str = "",
        hint: str = "",
    ) -> None:
        super().__init__(what if not tail else f"{what}\n{tail}", where=where, hint=hint)
        self.status, self.stdout, self.tail = status, stdout, tail


class NotRootError(BuildError):
    """A command needs root, and neither root nor sudo is available."""


def run(
    command: Sequence[str | Path],
    *,
    cwd: Path | None = None,
    env: Mapping[str, str] | None = None,
    stdin: str | None = None,
    capture: bool = False,
    quiet: bool = False,
    timeout_seconds: float | None = None,
    on_line: Callable[[str], None] | None = None,
) -> str:
    """Run a command and return its standard output when `capture`, else an empty string.

    Prints the command and streams its output to standard error; `quiet` does neither. `env` is added to os.environ.
    `stdin` is the text that it reads, with `capture`. `on_line` gets each line of output instead of the terminal.

    Raises:
        CommandError: the program is missing, exits with another status than 0, or exceeds `timeout_seconds`.
    """
    words = [str(word) for word in command]
    if not quiet:
        console.print(f"    [dim]$ {escape(_shortened(words))}[/dim]", soft_wrap=True)
    process = _start(words, cwd, env, stdin=subprocess.DEVNULL if stdin is None else subprocess.PIPE, separate=capture)
    timer = _Timer(process, timeout_seconds)
    try:
        captured, tail = _collect(process, stdin, capture=capture, show=not quiet and not capture, on_line=on_line)
        status = process.wait()
    except BaseException:
        _kill(process)
        raise
    finally:
        timer.cancel()
    if status == 0:
        return captured
    what = f"took longer than {timeout_seconds:g} s" if timer.expired else f"exited with {status}"
    where = f"{_shortened(words)} (in {cwd or Path.cwd()})"
    raise CommandError(
        f"`{words[0]}` {what}", status=None if timer.expired else status, stdout=captured, tail=tail, where=where
    )


def as_root(command: Sequence[str | Path]) -> list[str]:
    """Return the command to run as root: unchanged for root, else with sudo.

    Raises:
        NotRootError: neither is possible; the message has the command to type as root.
    """
    words = [str(word) for word in command]
    if os.geteuid() == 0:
        return words
    if shutil.which("sudo"):
        return ["sudo", *words]
    raise NotRootError("this needs root, and sudo is not installed", hint=f"as root, run: {shlex.join(words)}")


def _shortened(words: list[str]) -> str:
    """Return a command as typed; a long one is shortened to its ends."""
    text = shlex.join(words)
    return (
        text
        if len(text) <= SHOWN_CHARACTERS
        else f"{text[: SHOWN_CHARACTERS // 2]} ... {text[-SHOWN_CHARACTERS // 2 :]}"
    )


def _start(
    words: list[str], cwd: Path | None, env: Mapping[str, str] | None, *, stdin: int, separate: bool
) -> subprocess.Popen[str]:
    try:
        return subprocess.Popen(
            words,
            cwd=cwd,
            env={**os.environ, **(env or {})},
            stdin=stdin,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE if separate else subprocess.STDOUT,
            text=True,
            errors="replace",
            # sudo reads a password from the terminal, which another session lacks.
            start_new_session=words[0] != "sudo",
        )
    except OSError as error:
        raise CommandError(
            f"cannot start `{words[0]}`: {error.strerror}",
            where=_shortened(words),
            hint="`python3 build.py doctor` reports what is missing",
        ) from error


def _collect(
    process: subprocess.Popen[str],
    stdin: str | None,
    *,
    capture: bool,
    show: bool,
    on_line: Callable[[str], None] | None,
) -> tuple[str, str]:
    """Return (standard output if `capture`, the last lines for an error message)."""
    if capture:
        stdout, stderr = process.communicate(stdin)
        return stdout, "\n".join((stdout + stderr).splitlines()[-TAIL_LINES:])
    tail: deque[str] = deque(maxlen=TAIL_LINES)
    assert process.stdout is not None
    for line in process.stdout:
        tail.append(line.rstrip("\n"))
        if on_line:
            on_line(line.rstrip("\n"))
        elif show:
            sys.stderr.write(line)
            sys.stderr.flush()
    # Streamed output need not be repeated.
    return "", "" if show and not on_line else "\n".join(tail)


class _Timer:
    """Kills a process after its time, and records that."""

    def __init__(self, process: subprocess.Popen[str], seconds: float | None) -> None:
        self.expired = False
        self._process = process
        self._timer = threading.Timer(seconds, self._expire) if seconds is not None else None
        if self._timer:
            self._timer.start()

    def _expire(self) -> None:
        self.expired = True
        _kill(self._process)

    def cancel(self) -> None:
        if self._timer:
            self._timer.cancel()


def _kill(process: subprocess.Popen[str]) -> None:
    """Kill a process and, if it leads its own group, its children."""
    if process.poll() is not None:
        return
    if os.getpgid(process.pid) == process.pid:
        os.killpg(process.pid, signal.SIGKILL)
    else:
        process.kill()
