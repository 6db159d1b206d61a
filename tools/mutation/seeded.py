"""Mutants of the C++: a module with all edits of seeded.toml, compiled in a scratch checkout, tested edit by edit."""

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from tools.mutation import checkout, edits
from tools.mutation.edits import Edit
from tools.mutation.result import KILLED, SURVIVED, Mutant
from tools.support.command import CommandError, run
from tools.support.console import step

VARIANT = "simd"
GRAPH_TESTS = "web_tests/tests/graphs/test_op_graphs.py"
CASE_TESTS = "web_tests/tests/browser/test_ops.py"
# The tests of one op, cheapest first: its golden graphs, and its cases compared with native LiteRT in the browser. An
# edit that the first ones notice does not reach the others.
TESTS = (GRAPH_TESTS, CASE_TESTS)
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
    modules = [folder / "build" / place / VARIANT / "tflite_webnn.wasm" for place in ("wasm", "package")]
    edits.choose(0, modules)
    with step("The tests without an edit"):
        failed = failing_tests(folder, sorted({edit.op for edit in chosen}))
        if failed:
            raise CommandError(f"{failed} fails without an edit", where=str(folder))
    mutants = []
    for number, (edit, line) in enumerate(zip(chosen, lines, strict=True), 1):
        change = f"{edit.old} -> {edit.new}"
        with step(f"{edit.file}:{line}: {change}"):
            edits.choose(number, modules)
            killed_by = failing_tests(folder, [edit.op])
        mutants.append(Mutant("cpp", edit.file, line, change, KILLED if killed_by else SURVIVED, by=killed_by))
    edits.choose(0, modules)
    return mutants


def failing_tests(folder: Path, ops: Sequence[str]) -> str:
    """Return the first file of TESTS that fails for one of the ops; empty if none does."""
    return next((tests for tests in TESTS if not _pass(folder, tests, ops)), "")


def _pass(folder: Path, tests: str, ops: Sequence[str]) -> bool:
    # The test of an op's graphs is test_op[OP], that of a case test_op[OP-case].
    chosen = " or ".join(f"[{op}-" if tests == CASE_TESTS else f"[{op}]" for op in ops)
    command = [sys.executable, "-m", "pytest", "-q", "-x", "-n", "0", tests, "-k", chosen]
    try:
        status = subprocess.run(command, cwd=folder, check=False, timeout=TEST_TIMEOUT_SECONDS).returncode
    except subprocess.TimeoutExpired:
        return False
    if status == NO_TESTS_COLLECTED:
        raise CommandError(f"{tests} has no test of {', '.join(ops)}", where=str(folder))
    return status == 0
