"""pytest's plugin for the TypeScript tests: a file is a test, each vitest test a subtest. `npm test` runs them."""

import json
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from support import npm
from support.command import CommandError
from support.errors import BuildError

SUFFIX = ".test.ts"  # of files with tests
TIMEOUT_SECONDS = 240


class VitestError(BuildError):
    """vitest crashed, or an error was thrown outside of the tests."""


@dataclass(frozen=True)
class TestResult:
    """One test. `failure` is empty if it passed."""

    __test__ = False  # not a class of tests, as pytest would take it by its name

    name: str
    failure: str


Results = dict[Path, list[TestResult]]


class TypeScriptFile(pytest.Module):
    """A file of vitest's tests: its only test is that of this module."""

    def _getobj(self) -> ModuleType:
        return sys.modules[__name__]


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Module | None:
    if not file_path.name.endswith(SUFFIX):
        return None
    file: TypeScriptFile = TypeScriptFile.from_parent(parent, path=file_path)
    if "describeOnModule(" in file_path.read_text():  # js/built_module.ts
        file.add_marker(pytest.mark.needs("package"))
    return file


@pytest.fixture(scope="session")
def vitest_results(
    once_per_run: Callable[[str, Callable[[Path], Results]], Results], request: pytest.FixtureRequest
) -> Results:
    """What vitest reports of the chosen files, all of which it runs in one process."""

    def run(folder: Path) -> Results:
        files = sorted({item.path for item in request.session.items if isinstance(item.parent, TypeScriptFile)})
        return run_vitest(files, folder / "report.json", seed=request.config.getoption("randomly_seed"))

    return once_per_run("vitest", run)


def test_every_vitest_test_of_the_file_passes(
    request: pytest.FixtureRequest, vitest_results: Results, subtests: pytest.Subtests
) -> None:
    for result in vitest_results[request.path]:
        with subtests.test(result.name):
            if result.failure:
                pytest.fail(result.failure, pytrace=False)


def run_vitest(files: Sequence[Path], report: Path, *, seed: int) -> Results:
    """Run the tests of files, in the random order of `seed`, and return the results of each file.

    Raises:
        VitestError: vitest crashed, or found an error outside of the tests; its output is in the message.
    """
    reporters = ["--reporter=default", "--reporter=json", f"--outputFile.json={report}"]
    options = [*reporters, f"--sequence.seed={seed}"]
    try:
        npm.run_script("test", *options, *files, quiet=True, timeout_seconds=TIMEOUT_SECONDS)
    except CommandError as error:
        # An error that no test has caught fails the run, and is in no test's result.
        if not (report.exists() and any(_failures(report))):
            raise VitestError(f"vitest failed:\n{error.tail}") from error
    return read(report)


def read(report: Path) -> Results:
    """Return the results of each file. One that could not be loaded has a single result, its error."""
    return {Path(row["name"]): _results(row) for row in json.loads(report.read_text())["testResults"]}


def _failures(report: Path) -> Iterator[TestResult]:
    return (result for results in read(report).values() for result in results if result.failure)


def _results(file: dict[str, Any]) -> list[TestResult]:
    if not file["assertionResults"]:
        return [TestResult("the file", file["message"] or "there are no tests in it")]
    return [
        TestResult(
            row["fullName"], "" if row["status"] == "passed" else "\n".join([row["status"], *row["failureMessages"]])
        )
        for row in file["assertionResults"]
    ]
