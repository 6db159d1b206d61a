"""`build.py mutate`: runs the parts, prints survivors and scores, and writes the JSON."""

import time
from collections.abc import Callable, Sequence
from fnmatch import fnmatch
from itertools import groupby
from pathlib import Path

from support.console import console, step
from support.paths import BUILD_DIR
from tools import result_file
from tools.mutation import edits, goals, python, result, seeded, typescript
from tools.mutation.goals import PARTS, NoSuchFileError
from tools.mutation.result import Mutant, Result

OUTPUT = BUILD_DIR / "mutation" / "result.json"


def run(parts: Sequence[str], patterns: Sequence[str], *, jobs: int, out: Path | None) -> int:
    """Mutate, and return 1 if a file is below its goal.

    Args:
        parts: of PARTS; none means all.
        patterns: the files to mutate instead of those with goals, relative to the project; * and ** match.
        jobs: processes.
        out: the JSON file; build/mutation/result.json if not given.

    Raises:
        NoSuchFileError: a pattern matches no file of the parts.
        BuildError: a part could not run.
    """
    found = run_parts(chosen_files(parts, patterns), jobs=jobs)
    result.show(found)
    file = out or OUTPUT
    file.parent.mkdir(parents=True, exist_ok=True)
    result_file.write(found, file)
    console.print(f"    every mutant is in {file}")
    return int(any(score.is_below for score in found.scores))


def chosen_files(parts: Sequence[str], patterns: Sequence[str]) -> dict[str, list[str]]:
    """Return the files to mutate of each part: those of `patterns`, else those that have goals.

    Raises:
        NoSuchFileError: a pattern matches no file of the parts.
    """
    wanted = [part for part in PARTS if not parts or part in parts]
    if not patterns:
        table = goals.load()
        return {part: goals.files_of(part, table) for part in wanted}
    files = sorted({file for pattern in patterns for file in goals.expanded(pattern)})
    chosen = {part: [file for file in files if fnmatch(file, f"*{SUFFIXES[part]}")] for part in wanted}
    if not any(chosen.values()):
        raise NoSuchFileError(f"{', '.join(patterns)}: none is of {', '.join(wanted)}")
    return {part: found for part, found in chosen.items() if found}


# C++ is .cc and .h.
SUFFIXES = {"typescript": ".ts", "python": ".py", "cpp": ".[ch]*"}


def run_parts(files: dict[str, list[str]], *, jobs: int) -> Result:
    mutants: list[Mutant] = []
    seconds: dict[str, float] = {}
    for part, names in files.items():
        started = time.monotonic()
        with step(f"Mutating {part}: {len(names)} files"):
            for batch in batches(part, names):
                mutants += RUNNERS[part](batch, jobs)
        seconds[part] = time.monotonic() - started
    table = goals.load()
    by_file = {file: goals.goal_of(file, table) for file in {mutant.file for mutant in mutants}}
    known = {file: goal for file, goal in by_file.items() if goal is not None}
    return Result(result.scores(mutants, known), seconds, tuple(mutants))


def batches(part: str, files: Sequence[str]) -> list[list[str]]:
    """Return the files that are mutated at once: TypeScript by folder, Python one by one, C++ all."""
    if part == "cpp":
        return [list(files)]
    folders = groupby(sorted(files), lambda file: file.rpartition("/")[0] if part == "typescript" else file)
    return [list(batch) for _, batch in folders]


def _run_edits(files: Sequence[str], jobs: int) -> list[Mutant]:
    return seeded.run_edits([edit for edit in edits.load() if edit.file in files], jobs=jobs)


RUNNERS: dict[str, Callable[[Sequence[str], int], list[Mutant]]] = {
    "typescript": lambda files, jobs: typescript.run(files, jobs=jobs),
    "python": lambda files, jobs: python.run(files, jobs=jobs),
    "cpp": _run_edits,
}
