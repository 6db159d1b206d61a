"""Mutants of the C++: a module with all edits of seeded.toml, compiled in a scratch checkout, tested edit by edit."""

import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from tools.mutation import checkout, edits
from tools.mutation.edits import VARIANT, Edit
from tools.mutation.result import KILLED, SURVIVED, Mutant
from tools.support.command import CommandError, run
from tools.support.console import step

GRAPH_TESTS = "web_tests/tests/graphs/test_op_graphs.py"
CASE_TESTS = "web_tests/tests/browser/test_ops.py"
MALFORMED_TESTS = "web_tests/tests/graphs/test_malformed_ops.py"
# The files of tests, and what names of an op's tests contain: its golden graphs; its cases, compared with native
# LiteRT; what is refused, of all ops in one test. An edit that one file notices does not reach the next, a slower one.
TESTS = {GRAPH_TESTS: "[{}]", CASE_TESTS: "[{}-", MALFORMED_TESTS: ""}
TEST_TIMEOUT_SECONDS = 1800
NO_TESTS_COLLECTED = 5


def run_edits(chosen: Sequence[Edit], *, jobs: int) -> list[Mutant]:
    """Compile a module with the edits, test it with each of them alone, and return the mutants.

    Raises:
        EditError: an edit does not fit the code.
        CommandError: the checkout cannot be copied, the edits do not compile, or the tests fail without an edit.
    """
    lines = [edit.line() for edit in chosen]
    folder = checkout.update()
    edits.apply(chosen, folder)
    run([sys.executable, "build.py", "build", "--variant", VARIANT, "--jobs", str(jobs)], cwd=folder)
    numbered = dict(enumerate(chosen, 1))
    killed_by: dict[int, str] = {}
    for tests in TESTS:
        left = {number: edit for number, edit in numbered.items() if number not in killed_by}
        killed_by |= dict.fromkeys(noticed(folder, tests, left), tests)
    return [
        Mutant("cpp", edit.file, line, f"{edit.old} -> {edit.new}", KILLED if by else SURVIVED, by=by)
        for (number, edit), line in zip(numbered.items(), lines, strict=True)
        for by in [killed_by.get(number, "")]
    ]


def noticed(folder: Path, tests: str, numbered: Mapping[int, Edit]) -> list[int]:
    """Return the numbers of the edits with which the tests of their op fail.

    Raises:
        CommandError: they fail without an edit, too, or an op has none.
    """
    if not numbered:
        return []
    modules = [folder / "build" / place / VARIANT / "tflite_webnn.wasm" for place in ("wasm", "package")]
    edits.choose(0, modules)
    with step(f"{tests} without an edit"):
        if not _pass(folder, tests, sorted({edit.op for edit in numbered.values()})):
            raise CommandError(f"{tests} fails without an edit", where=str(folder))
    found = []
    for number, edit in numbered.items():
        edits.choose(number, modules)
        with step(f"{edit.file}: {edit.old} -> {edit.new}"):
            if not _pass(folder, tests, [edit.op]):
                found.append(number)
    edits.choose(0, modules)
    return found


def _pass(folder: Path, tests: str, ops: Sequence[str]) -> bool:
    chosen = " or ".join(TESTS[tests].format(op) for op in ops if TESTS[tests])
    command = [sys.executable, "-m", "pytest", "-q", "-x", "-n", "0", tests, "-k", chosen]
    try:
        status = subprocess.run(command, cwd=folder, check=False, timeout=TEST_TIMEOUT_SECONDS).returncode
    except subprocess.TimeoutExpired:
        return False
    if status == NO_TESTS_COLLECTED:
        raise CommandError(f"{tests} has no test of {', '.join(ops)}", where=str(folder))
    return status == 0
