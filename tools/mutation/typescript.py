"""Mutants of the TypeScript, by Stryker with vitest: js/stryker.config.json."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from js.node import JS_DIR, add_package, run_tool
from support.paths import BUILD_DIR, PROJECT_DIR
from tools.mutation.result import KILLED, SURVIVED, Mutant

# Only this command needs it and its 150 packages, so package.json does not have it.
STRYKER_VERSION = "9.6.1"
STRYKER = ("@stryker-mutator/core", "@stryker-mutator/vitest-runner")
REPORT = BUILD_DIR / "mutation" / "typescript.json"
# Stryker's outcomes; those left out say nothing about the tests: ignored mutants, and code that does not compile.
OUTCOMES = {
    "Killed": KILLED,
    "Timeout": KILLED,
    "RuntimeError": KILLED,
    "Survived": SURVIVED,
    "NoCoverage": SURVIVED,
}
MOST_SHOWN = 120


def run(files: Sequence[str], *, jobs: int) -> list[Mutant]:
    """Mutate files of js/ (relative to the project) and return their mutants.

    Raises:
        CommandError: the tests fail without a mutation, or Stryker failed, and has printed why.
    """
    names = ",".join(str((PROJECT_DIR / file).relative_to(JS_DIR)) for file in files)
    REPORT.unlink(missing_ok=True)
    for package in STRYKER:
        add_package(package, STRYKER_VERSION)
    run_tool("stryker", "run", "--mutate", names, "--concurrency", str(jobs))
    return read(REPORT)


def read(report: Path) -> list[Mutant]:
    """Return the mutants of a report in the schema of mutation-testing-elements."""
    files: dict[str, Any] = json.loads(report.read_text())["files"]
    prefix = JS_DIR.relative_to(PROJECT_DIR)
    return [
        _mutant(str(prefix / name), file["source"], row)
        for name, file in files.items()
        for row in file["mutants"]
        if row["status"] in OUTCOMES
    ]


def _mutant(file: str, source: str, row: dict[str, Any]) -> Mutant:
    start, end = row["location"]["start"], row["location"]["end"]
    lines = source.splitlines()[start["line"] - 1 : end["line"]]
    lines[-1] = lines[-1][: end["column"] - 1]
    old = " ".join([lines[0][start["column"] - 1 :], *lines[1:]])
    change = f"{_shortened(old)} -> {_shortened(row['replacement'])}"
    return Mutant("typescript", file, start["line"], change, OUTCOMES[row["status"]], by=row.get("statusReason", ""))


def _shortened(code: str) -> str:
    text = " ".join(code.split())
    return text if len(text) <= MOST_SHOWN else f"{text[:MOST_SHOWN]}..."
