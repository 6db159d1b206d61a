"""Runs a test file to its end: a case that aborts or hangs costs only itself."""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from tools.programs.hosts import Host, ProgramError
from tools.programs.invocation import invocation

Outcome = Literal["passed", "failed", "skipped"]
# Prefix of lines of wasm/tests/kernels/kernel_test_main.cc.
CASE_PREFIX = "@case "
# Text of js/apps/programs/src/run_program.ts for a program that aborts.
ABORTED = re.compile(r"WebNN had computed (\d+) graphs")
# Cases by which googletest tests the test files themselves.
NO_CASES = "GoogleTestVerification.*"
FILE_SECONDS = 240.0
FINISHED = "the program ended with status 0"
# Length of the output before an abort that a message quotes.
LAST_LINES = 5


@dataclass(frozen=True)
class CaseResult:
    """The result of a case.

    Attributes:
        name: googletest's.
        outcome: googletest's.
        dispatches: number of graphs that WebNN computed for it.
        message: why it failed or was skipped.
        rejection: why the delegate left nodes to the CPU, empty if it left none; None if unknown.
    """

    name: str
    outcome: Outcome
    dispatches: int
    message: str = ""
    rejection: str | None = None

    @property
    def delegated(self) -> bool:
        """Whether WebNN computed a part of it, or was to compute all."""
        return self.dispatches > 0 or self.rejection == ""


@dataclass
class _Log:
    """Parses a program's output so far."""

    results: list[CaseResult] = field(default_factory=list)
    # Graphs that WebNN computed for the running program, and those of finished cases.
    dispatches: int = 0
    told_dispatches: int = 0
    open_case: dict[str, Any] | None = None
    last_lines: list[str] = field(default_factory=list)

    def read_line(self, line: str, _is_error: bool) -> None:
        aborted = ABORTED.search(line)
        if aborted:
            self.dispatches = int(aborted[1])
        if not line.startswith(CASE_PREFIX):
            self.last_lines = [*self.last_lines, line][-LAST_LINES:]
            return
        event = json.loads(line.removeprefix(CASE_PREFIX))
        self.open_case = event if event["event"] == "started" else None
        if self.open_case is None:
            self.results.append(
                CaseResult(event["case"], event["event"], event["dispatches"], event["message"], event.get("rejection"))
            )
            self.told_dispatches += event["dispatches"]
        self.last_lines = []

    def close(self, why: str) -> None:
        """End the unfinished case with a failure."""
        assert self.open_case is not None
        text = "\n".join([why, *self.last_lines])
        dispatches = max(0, self.dispatches - self.told_dispatches)
        self.results.append(CaseResult(self.open_case["case"], "failed", dispatches, text))
        self.dispatches = self.told_dispatches = 0
        self.open_case = None


def run_file(
    host: Host, file: str, *, webnn: bool = True, only: Sequence[str] = (), skip: Sequence[str] = ()
) -> list[CaseResult]:
    """Run the cases of a test file and return their results, in order.

    Args:
        host: where the program runs.
        file: the program, e.g. "add_test".
        webnn: whether the delegate is applied.
        only: names or patterns of the cases to run; empty means all.
        skip: names or patterns of cases to skip.

    Raises:
        ProgramError: the program does not start.
    """
    log = _Log()
    while True:
        done = [result.name for result in log.results]
        negative = ":".join([NO_CASES, *skip, *done])
        arguments = [f"--use_webnn={str(webnn).lower()}", f"--gtest_filter={':'.join(only) or '*'}-{negative}"]
        try:
            status = host.run(invocation(file, arguments), log.read_line, timeout_seconds=FILE_SECONDS)
            why = f"the program ended with status {status}"
        except ProgramError as error:
            why = error.what
        if log.open_case is None and not log.results and why != FINISHED:
            raise ProgramError("\n".join([f"{file}: {why}", *log.last_lines]))
        if log.open_case is None:
            return log.results
        log.close(why)
