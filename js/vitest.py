"""Runs vitest, and reads what it reports of each test."""

import json
import os
import subprocess
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from js.node import JS_DIR, MODULES_DIR, install
from support.errors import BuildError

SUFFIX = ".test.ts"  # of files with tests
TEST_FOLDERS = ("packages/**/tests", "apps/*/tests", "scripts/*/tests", "tests")
TIMEOUT_SECONDS = 240


class VitestError(BuildError):
    """vitest crashed, or an error was thrown outside of the tests."""


@dataclass(frozen=True)
class TestResult:
    """One test. `failure` is empty if it passed."""

    __test__ = False  # not a class of tests, as pytest would take it by its name

    name: str
    failure: str


def test_files() -> list[Path]:
    """Return the files with tests in js/."""
    folders = (folder for name in TEST_FOLDERS for folder in JS_DIR.glob(name))
    return [file for folder in folders for file in folder.rglob(f"*{SUFFIX}")]


def needs_module(file: Path) -> bool:
    """Whether a file has tests on the wasm module (js/built_module.ts)."""
    return "describeOnModule(" in file.read_text()


def run(files: Sequence[Path], report: Path, *, seed: int) -> None:
    """Run the tests of files, in an order drawn by `seed`, and write vitest's report.

    Raises:
        VitestError: vitest crashed, or found an error outside of the tests; its output is in the message.
    """
    install()
    command: list[str | Path] = [
        MODULES_DIR / ".bin" / "vitest",
        "run",
        f"--maxWorkers={os.cpu_count() or 1}",  # by default one less, which is half of two
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
