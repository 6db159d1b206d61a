"""pytest's plugin for the TypeScript tests: a file is a test, each vitest test a subtest.

`npm test` runs them in Node, `npm run test:browser` those of js/browser_tests in the browser with WebNN.
"""

import json
import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from support import npm
from support.command import CommandError
from support.errors import BuildError
from tools.suite.needs import PACKAGE, WEBNN
from web_tests.browsers.installed import BrowserProgram

SUFFIX = ".test.ts"  # of files with tests
BROWSER_TESTS_DIR = npm.JS_DIR / "browser_tests"
# A file's line about what must be built besides, e.g. `// needs: variants`.
NEEDS = re.compile(r"^// needs: (.+)$", re.MULTILINE)
TIMEOUT_SECONDS = 280  # below pytest's limit of a test; all files take 189 s on a busy machine
BROWSER_TIMEOUT_SECONDS = 900  # one after the other, on a busy machine


class VitestError(BuildError):
    """vitest crashed, or an error was thrown outside of the tests."""


@dataclass(frozen=True)
class TestResult:
    """One test. `failure` is empty if it passed."""

    __test__ = False  # not a class of tests, as pytest would infer from its name

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
    text = file_path.read_text()
    if is_in_browser(file_path):
        file.add_marker(
            pytest.mark.needs(PACKAGE, WEBNN, *(name for line in NEEDS.findall(text) for name in line.split()))
        )
        file.add_marker(pytest.mark.timeout(BROWSER_TIMEOUT_SECONDS + TIMEOUT_SECONDS))
    elif "describeOnModule(" in text:  # js/built_module.ts
        file.add_marker(pytest.mark.needs(PACKAGE))
    return file


def is_in_browser(file: Path) -> bool:
    return file.is_relative_to(BROWSER_TESTS_DIR)


@pytest.fixture(scope="session")
def vitest_results(
    once_per_run: Callable[[str, Callable[[Path], Results]], Results], request: pytest.FixtureRequest
) -> Results:
    """What vitest reports of the chosen files for Node, all of which it runs in one process."""
    return once_per_run("vitest", lambda directory: run_chosen(request, directory, in_browser=False))


@pytest.fixture(scope="session")
def browser_results(
    once_per_run: Callable[[str, Callable[[Path], Results]], Results],
    request: pytest.FixtureRequest,
    webnn_program: BrowserProgram,
) -> Results:
    """The same of those for the browser."""
    # Here, because it imports native LiteRT, which every run of pytest would wait for.
    from web_tests.drivers import browser_tests

    def run(directory: Path) -> Results:
        browser_tests.write_fixtures()
        return run_chosen(request, directory, in_browser=True, env=browser_tests.environment(webnn_program))

    return once_per_run("vitest_in_browser", run)


def test_every_vitest_test_of_the_file_passes(request: pytest.FixtureRequest, subtests: pytest.Subtests) -> None:
    results: Results = request.getfixturevalue("browser_results" if is_in_browser(request.path) else "vitest_results")
    for result in results[request.path]:
        with subtests.test(result.name):
            if result.failure:
                pytest.fail(result.failure, pytrace=False)


def run_chosen(
    request: pytest.FixtureRequest, directory: Path, *, in_browser: bool, env: Mapping[str, str] | None = None
) -> Results:
    """Run vitest over the files that pytest's arguments choose; `directory` gets its report."""
    chosen = {item.path for item in request.session.items if isinstance(item.parent, TypeScriptFile)}
    files = sorted(file for file in chosen if is_in_browser(file) == in_browser)
    seed = request.config.getoption("randomly_seed")
    return run_vitest(files, directory / "report.json", seed=seed, in_browser=in_browser, env=env)


def run_vitest(
    files: Sequence[Path], report: Path, *, seed: int, in_browser: bool = False, env: Mapping[str, str] | None = None
) -> Results:
    """Run the tests of files, in the random order of `seed`, and return the results of each file.

    Raises:
        VitestError: vitest crashed, or found an error outside of the tests; its output is in the message.
    """
    reporters = ["--reporter=default", "--reporter=json", f"--outputFile.json={report}"]
    options = [*reporters, f"--sequence.seed={seed}"]
    script, seconds = ("test:browser", BROWSER_TIMEOUT_SECONDS) if in_browser else ("test", TIMEOUT_SECONDS)
    try:
        npm.run_script(script, *options, *files, env=env, quiet=True, timeout_seconds=seconds)
    except CommandError as error:
        # An error that no test has caught fails the run, and is in no test's result.
        if not (report.exists() and any(_failures(report))):
            raise VitestError(f"vitest failed:\n{error.tail}") from error
        return read(report, error.tail)
    return read(report)


def read(report: Path, output: str = "") -> Results:
    """Return the results of each file. One that could not be loaded has a single result, its error.

    Args:
        report: the JSON file that vitest wrote.
        output: vitest's end, for tests without a reason of their own: the report has no errors of hooks.
    """
    return {Path(row["name"]): _results(row, output) for row in json.loads(report.read_text())["testResults"]}


def _failures(report: Path) -> Iterator[TestResult]:
    return (result for results in read(report).values() for result in results if result.failure)


def _results(file: dict[str, Any], output: str) -> list[TestResult]:
    if not file["assertionResults"]:
        return [TestResult("the file", file["message"] or "there are no tests in it")]
    return [TestResult(row["fullName"], _failure(row, output)) for row in file["assertionResults"]]


def _failure(row: dict[str, Any], output: str) -> str:
    if row["status"] == "passed":
        return ""
    return "\n".join([row["status"], *(row["failureMessages"] or filter(None, [output]))])
