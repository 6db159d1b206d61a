"""Running a test file to its end: a case that ends the whole program, or never ends, costs that case and no other."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from tools.programs.invocation import invocation
from tools.programs.places import Place, ProgramError

Outcome = Literal["passed", "failed", "skipped"]
# How a line of wasm/kernel_tests/kernel_test_main.cc starts.
CASE_PREFIX = "@case "
# What js/programs/src/run_program.ts says of a program that aborts.
ABORTED = re.compile(r"WebNN had computed (\d+) graphs")
# Cases by which googletest tests the test files themselves.
NO_CASES = "GoogleTestVerification.*"
FILE_SECONDS = 240.0
FINISHED = "the program ended with status 0"
# Of what the program printed before it ended in the middle of a case, so much is told.
LAST_LINES = 5


@dataclass(frozen=True)
class CaseResult:
    """What became of a case.

    Attributes:
        name: as googletest has it.
        outcome: what googletest says.
        dispatches: how many graphs WebNN computed for it.
        message: why it failed or was skipped.
        refusal: why the delegate left nodes to the CPU, empty where it left none; None where the program does not tell.
    """

    name: str
    outcome: Outcome
    dispatches: int
    message: str = ""
    refusal: str | None = None

    @property
    def delegated(self) -> bool:
        """Whether WebNN computed something of it, or was to compute all."""
        return self.dispatches > 0 or self.refusal == ""


@dataclass
class _Log:
    """What a program has said so far."""

    results: list[CaseResult] = field(default_factory=list)
    # Graphs that WebNN has computed for the program that runs, and those of cases that have ended.
    dispatches: int = 0
    told_dispatches: int = 0
    open_case: dict[str, Any] | None = None
    last_lines: list[str] = field(default_factory=list)

    def hear(self, line: str, _is_error: bool) -> None:
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
                CaseResult(event["case"], event["event"], event["dispatches"], event["message"], event.get("refusal"))
            )
            self.told_dispatches += event["dispatches"]
        self.last_lines = []

    def close(self, why: str) -> None:
        """Let the case that has not ended fail."""
        assert self.open_case is not None
        text = "\n".join([why, *self.last_lines])
        dispatches = max(0, self.dispatches - self.told_dispatches)
        self.results.append(CaseResult(self.open_case["case"], "failed", dispatches, text))
        self.dispatches = self.told_dispatches = 0
        self.open_case = None


def run_file(
    place: Place, file: str, *, webnn: bool = True, only: Sequence[str] = (), skip: Sequence[str] = ()
) -> list[CaseResult]:
    """Run the cases of a test file and return what became of them, in their order.

    Args:
        place: where.
        file: the program, e.g. "add_test".
        webnn: whether the delegate is applied.
        only: names or patterns of the cases to run; all without any.
        skip: names or patterns of those that are not run.

    Raises:
        ProgramError: the program does not run at all.
    """
    log = _Log()
    while True:
        done = [result.name for result in log.results]
        negative = ":".join([NO_CASES, *skip, *done])
        arguments = [f"--use_webnn={str(webnn).lower()}", f"--gtest_filter={':'.join(only) or '*'}-{negative}"]
        try:
            status = place.run(invocation(file, arguments), log.hear, timeout_seconds=FILE_SECONDS)
            why = f"the program ended with status {status}"
        except ProgramError as error:
            why = error.what
        if log.open_case is None and not log.results and why != FINISHED:
            raise ProgramError("\n".join([f"{file}: {why}", *log.last_lines]))
        if log.open_case is None:
            return log.results
        log.close(why)
