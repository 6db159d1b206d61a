"""Mutants of the C++: the edits of seeded.toml, each compiled in a scratch checkout and tested there."""

import subprocess
import sys
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from tools.mutation import checkout
from tools.mutation.checkout import CHECKOUT
from tools.mutation.result import KILLED, SURVIVED, Mutant
from tools.support.command import CommandError, run
from tools.support.console import step
from tools.support.errors import BuildError
from tools.support.paths import PROJECT_DIR

EDITS_FILE = Path(__file__).with_name("seeded.toml")
VARIANT = "simd"
# The tests of one op, cheapest first: a mutant that one file kills does not reach the next.
BROWSER_TESTS = "web_tests/tests/browser/test_ops.py"
TESTS = ("web_tests/tests/graphs/test_op_graphs.py", BROWSER_TESTS)
TEST_TIMEOUT_SECONDS = 1800
NO_TESTS_COLLECTED = 5


class EditError(BuildError):
    """The text that an edit replaces is not exactly once in its file."""


@dataclass(frozen=True)
class Edit:
    """Replace `old`, which is exactly once in `file`, with `new`; the tests of `op` should notice."""

    file: str
    op: str
    old: str
    new: str

    def line(self, project: Path = PROJECT_DIR) -> int:
        """Return the line of the text, from 1.

        Raises:
            EditError: the text is not there, or more than once.
        """
        text = (project / self.file).read_text()
        count = text.count(self.old)
        if count != 1:
            raise EditError(
                f"{self.old!r} is {count} times in {self.file}, and should be once",
                where=EDITS_FILE.name,
                mend="write the edit for the present code, with more of the text around it",
            )
        return text[: text.index(self.old)].count("\n") + 1

    def apply(self, project: Path) -> None:
        """Edit the file in `project`."""
        self.line(project)
        path = project / self.file
        path.write_text(path.read_text().replace(self.old, self.new))


def load(file: Path = EDITS_FILE) -> list[Edit]:
    return [Edit(row["file"], row["op"], row["old"], row["new"]) for row in tomllib.loads(file.read_text())["edit"]]


def run_edits(edits: Sequence[Edit], *, jobs: int) -> list[Mutant]:
    """Compile and test each edit alone and return the mutants.

    Raises:
        EditError: an edit does not fit the code, and nothing has been compiled; or its code does not compile.
        CommandError: the checkout cannot be copied, or its tests fail without an edit.
    """
    lines = [edit.line() for edit in edits]
    checkout.update()
    with step("The tests without an edit"):
        _build(CHECKOUT, jobs)
        failed = _failing_tests(CHECKOUT, sorted({edit.op for edit in edits}), jobs)
        if failed:
            raise CommandError(f"{failed} fails without an edit", where=str(CHECKOUT))
    return [_run_edit(edit, line, jobs) for edit, line in zip(edits, lines, strict=True)]


def _run_edit(edit: Edit, line: int, jobs: int) -> Mutant:
    change = f"{edit.old} -> {edit.new}"
    with step(f"{edit.file}:{line}: {change}"):
        file = CHECKOUT / edit.file
        before = file.read_text()
        edit.apply(CHECKOUT)
        try:
            killed_by = _killed_by(edit, jobs)
        finally:
            file.write_text(before)
    return Mutant("cpp", edit.file, line, change, KILLED if killed_by else SURVIVED, by=killed_by)


def _killed_by(edit: Edit, jobs: int) -> str:
    try:
        _build(CHECKOUT, jobs)
    except CommandError as error:
        where = f"{edit.file}: {edit.new}"
        raise EditError("a seeded edit does not compile", where=where, mend="write one that does") from error
    return _failing_tests(CHECKOUT, [edit.op], jobs)


def _build(folder: Path, jobs: int) -> None:
    run([sys.executable, "build.py", "build", "--variant", VARIANT, "--jobs", str(jobs)], cwd=folder)


def _failing_tests(folder: Path, ops: Sequence[str], jobs: int) -> str:
    """Return the first file of TESTS that fails for one of the ops; empty if none does."""
    for tests in TESTS:
        # Names of cases are OP-case; those of the golden files' tests are just the op.
        chosen = " or ".join(f"{op}-" if tests == BROWSER_TESTS else f"[{op}]" for op in ops)
        command = [sys.executable, "-m", "pytest", "-q", "-x", "-n", str(jobs), tests, "-k", chosen]
        try:
            status = subprocess.run(command, cwd=folder, check=False, timeout=TEST_TIMEOUT_SECONDS).returncode
        except subprocess.TimeoutExpired:
            return tests
        if status == NO_TESTS_COLLECTED:
            raise CommandError(f"{tests} has no test of {', '.join(ops)}", where=str(folder))
        if status != 0:
            return tests
    return ""
