"""Mutants of the C++: modules with all edits of seeded.toml, compiled in a scratch checkout, tested edit by edit."""

import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from js.bundle import VARIANTS
from support.command import run
from support.console import step
from tools.mutation import checkout, edit_by_edit, edits
from tools.mutation.edits import Edit
from tools.mutation.result import KILLED, SURVIVED, Mutant

GRAPH_TESTS = "web_tests/tests/graphs/test_op_graphs.py"
CASE_TESTS = "web_tests/tests/browser/test_ops.py"
MALFORMED_TESTS = "web_tests/tests/graphs/test_malformed_ops.py"
# The files of tests, and what names of an op's tests contain: its golden graphs; its cases, compared with native
# LiteRT; what is refused, of all ops in one test. An edit that one file notices does not reach the next, a slower one.
TESTS = {GRAPH_TESTS: "[{}]", MALFORMED_TESTS: "", CASE_TESTS: "[{}-"}


def run_edits(chosen: Sequence[Edit], *, jobs: int) -> list[Mutant]:
    """Compile modules with the edits, test them with each of them alone, and return the mutants.

    Raises:
        EditError: an edit does not fit the code.
        CommandError: the checkout cannot be copied, the edits do not compile, or the tests fail without an edit.
    """
    lines = [edit.line() for edit in chosen]
    folder = checkout.update()
    edits.apply(chosen, folder)
    run([sys.executable, "build.py", "build", "--variant", "all", "--jobs", str(jobs)], cwd=folder)
    killed_by: dict[int, str] = {}
    for tests in [*TESTS, *sorted({edit.tests for edit in chosen} - {""})]:
        names = {
            number: TESTS.get(tests, "{}").format(edit.op)
            for number, edit in enumerate(chosen, 1)
            if number not in killed_by and (edit.tests == tests if edit.tests else tests in TESTS)
        }
        with step(f"{tests} with {len(names)} edits, one by one"):
            killed_by |= dict.fromkeys(noticed(folder, tests, names), tests)
    return [
        Mutant("cpp", edit.file, line, f"{edit.old} -> {edit.new}", KILLED if by else SURVIVED, by=by)
        for (number, edit), line in zip(enumerate(chosen, 1), lines, strict=True)
        for by in [killed_by.get(number, "")]
    ]


def noticed(folder: Path, tests: str, names: Mapping[int, str]) -> list[int]:
    """Return the numbers of the edits with which the tests fail whose names contain an edit's part.

    Raises:
        CommandError: they fail without an edit, too.
    """
    if not names:
        return []
    places = [folder / "build" / place / variant for place in ("wasm", "package") for variant in VARIANTS]
    modules = [str(place / "tflite_webnn.wasm") for place in places]
    plan = folder / "build" / "seeded_edits.json"
    plan.write_text(json.dumps({"modules": modules, "names": names, "compares_graphs": tests in TESTS}))
    options = ["-q", "--tb=line", "-rN", "-n", "0", "-p", edit_by_edit.__name__]
    environment = {edit_by_edit.FILE_VARIABLE: str(plan)}
    run([sys.executable, "-m", "pytest", *options, tests], cwd=folder, env=environment)
    failed: list[int] = json.loads(plan.read_text())
    return failed
