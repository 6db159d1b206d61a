"""The C++ unit tests, *_test.cc below wasm/: one process of Node runs all cases, and each is a test here."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

from support.command import CommandError, run
from support.npm import find_node
from support.paths import PROJECT_DIR
from tools.suite.plugin import OncePerRun
from wasm.toolchain import prebuilt
from wasm.toolchain.programs import PROGRAMS_DIR, UNIT_TESTS

pytestmark = [
    pytest.mark.needs("unit_tests"),
    pytest.mark.skipif(bool(prebuilt.chosen()), reason=f"{prebuilt.VARIABLE} is set: C++ unit tests need the compiler"),
]

DIRECTORIES = [
    PROJECT_DIR / "wasm" / name for name in ("support", "delegate", "tflite_kernels", "runtime", "third_party")
]
SCRIPT = Path(__file__).with_name("run_unit_tests.mjs")
CASE = re.compile(r"^TEST(?:_F)?\(\s*(\w+),\s*(\w+)\)", re.MULTILINE)
# The lines before and after a case's output.
START = re.compile(r"\[ RUN      \] (\S+)")
END = re.compile(r"\[( {7}OK|  FAILED ) \] (\S+) \(\d+ ms\)")
TIMEOUT_SECONDS = 120
# googletest runs these only where they are named: each ends the program.
ABORTING = ".DISABLED_"


def _cases() -> list[str]:
    """Return the cases in the sources: they are collected before the program is built."""
    files = sorted(file for directory in DIRECTORIES for file in directory.rglob("*_test.cc"))
    return [f"{suite}.{name}" for file in files for suite, name in CASE.findall(file.read_text(encoding="utf-8"))]


@dataclass(frozen=True)
class CaseResult:
    """The result of a case; `output` has why it failed."""

    passed: bool
    output: str


def _run(*flags: str) -> tuple[int, str]:
    """Return (the exit status, the output)."""
    command: list[str | Path] = [find_node(), SCRIPT, PROGRAMS_DIR / f"{UNIT_TESTS}.mjs", *flags]
    lines: list[str] = []
    try:
        run(command, quiet=True, timeout_seconds=TIMEOUT_SECONDS, on_line=lines.append)
    except CommandError as error:
        if error.status is None:
            raise
        return error.status, "\n".join(lines)
    return 0, "\n".join(lines)


def results_of(output: str) -> dict[str, CaseResult]:
    """Return the results in googletest's output. The case that ended the program has failed."""
    results: dict[str, CaseResult] = {}
    name, lines = "", list[str]()
    for line in output.splitlines():
        if start := START.match(line):
            name, lines = start[1], []
        elif end := END.match(line):
            results[end[2]] = CaseResult("OK" in end[1], "\n".join(lines))
            name = ""
        else:
            lines.append(line)
    if name:
        results[name] = CaseResult(False, "\n".join(["it ended the program:", *lines]))
    return results


@pytest.fixture(scope="session")
def results(once_per_run: OncePerRun) -> Mapping[str, CaseResult]:
    """The results of all cases that do not abort, by name."""
    return once_per_run("cpp_unit_tests", lambda _: results_of(_run("--gtest_fail_if_no_test_linked")[1]))


@pytest.mark.parametrize("case", [case for case in _cases() if ABORTING not in case])
def test_the_cpp_case_passes(case: str, results: Mapping[str, CaseResult]) -> None:
    if case not in results:
        failed = [name for name, result in results.items() if not result.passed]
        pytest.fail(f"did not run: the program ended early. Failed: {failed}", pytrace=False)
    if not results[case].passed:
        pytest.fail(results[case].output, pytrace=False)


@pytest.mark.parametrize("case", [case for case in _cases() if ABORTING in case])
def test_a_failed_dcheck_aborts(case: str) -> None:
    status, output = _run("--gtest_also_run_disabled_tests", f"--gtest_filter={case}")
    assert status != 0
    assert re.search(r"delegate/.*:\d+: WEBNN_DCHECK\(.*\) failed", output), output


def test_every_case_of_the_program_is_collected(results: Mapping[str, CaseResult]) -> None:
    assert set(results) <= set(_cases())
