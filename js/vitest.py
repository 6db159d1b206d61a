"""The tests of the TypeScript: where they are, and what vitest reports of each."""

import json
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from js.bundle import own_files
from js.node import JS_DIR, MODULES_DIR, install
from tools.support.cache import make_once
from tools.support.command import run as run_command
from tools.support.errors import BuildError
from tools.support.paths import BUILD_DIR, PROJECT_DIR

PATTERNS = ("js/*/tests/**/*.test.ts", "site/scripts/tests/**/*.test.ts")
TIMEOUT_SECONDS = 240
# What the tests read besides installed packages.
READ = (JS_DIR, PROJECT_DIR / "site", PROJECT_DIR / "web_tests" / "limits")
WASM_DIR = BUILD_DIR / "wasm"


class VitestError(BuildError):
    """vitest crashed, or an error was thrown outside of the tests."""


class _FailedError(Exception):
    """A test failed: the report is not kept."""


@dataclass(frozen=True)
class TestResult:
    """One test. `failure` is empty if it passed."""

    __test__ = False  # not a class of tests, as pytest would take it by its name

    name: str
    failure: str


def files() -> list[Path]:
    """Return the files with tests."""
    return sorted(
        file for pattern in PATTERNS for file in PROJECT_DIR.glob(pattern) if "node_modules" not in file.parts
    )


def needs_module(file: Path) -> bool:
    """Whether a file has tests on the wasm module (js/built_module.ts)."""
    return "describeOnModule(" in file.read_text()


def run_once(files: Sequence[Path], report: Path, *, seed: int) -> None:
    """Do what `run` does, but if all these tests have passed before with the same files, in whatever order."""

    def create(passed: Path) -> None:
        run(files, report, seed=seed)
        if any(_failures(report)):
            raise _FailedError
        shutil.copyfile(report, passed)

    install()
    read = [file for folder in READ for file in own_files(folder)] + [WASM_DIR] * WASM_DIR.exists()
    # The report has the files' full names.
    about = [run_command(["node", "--version"], capture=True, quiet=True), *map(str, sorted(files))]
    try:
        passed = make_once("vitest", read, create, title="Testing the TypeScript", extra="\n".join(about))
    except _FailedError:
        return
    shutil.copyfile(passed, report)


def run(files: Sequence[Path], report: Path, *, seed: int) -> None:
    """Run the tests of files, in an order drawn by `seed`, and write vitest's report.

    Raises:
        VitestError: vitest crashed, or found an error outside of the tests; its output is in the message.
    """
    install()
    command: list[str | Path] = [
        MODULES_DIR / ".bin" / "vitest",
        "run",
        "--reporter=default",
        "--reporter=json",
        f"--outputFile.json={report}",
        f"--sequence.seed={seed}",
        *files,
    ]
    done = subprocess.run(command, cwd=JS_DIR, capture_output=True, text=True, timeout=TIMEOUT_SECONDS, check=False)
    # An error that no test has caught fails the run, and is in no test's result.
    if done.returncode and not (report.exists() and any(_failures(report))):
        raise VitestError(f"vitest failed:\n{done.stdout}{done.stderr}".rstrip())


def read(report: Path) -> dict[Path, list[TestResult]]:
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
