"""The goals of goals.toml: which files are mutated, and the share of their mutants that tests have to kill."""

import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from support.errors import BuildError
from support.paths import PROJECT_DIR
from wasm.toolchain.build import TEST_SUFFIX

GOALS_FILE = Path(__file__).with_name("goals.toml")
PARTS = ("typescript", "python", "cpp")


class NoSuchFileError(BuildError):
    """A pattern of files matches none."""


@dataclass(frozen=True)
class Goal:
    """The files of `part` must each reach `score` percent of killed mutants."""

    part: str
    score: float
    files: tuple[str, ...]

    def paths(self, project: Path = PROJECT_DIR) -> list[str]:
        """Return the files, relative to the project.

        Raises:
            NoSuchFileError: a pattern matches none, e.g. because the file has another name now.
        """
        return [path for pattern in self.files for path in expanded(pattern, project)]


def load(file: Path = GOALS_FILE) -> list[Goal]:
    rows = tomllib.loads(file.read_text())["goal"]
    return [Goal(row["part"], float(row["score"]), tuple(row["files"])) for row in rows]


def files_of(part: str, goals: Sequence[Goal]) -> list[str]:
    """Return the files of one part, relative to the project."""
    return sorted({path for goal in goals if goal.part == part for path in goal.paths()})


def goal_of(file: str, goals: Sequence[Goal]) -> float | None:
    """Return the goal of a file in percent; None if it has none."""
    return next((goal.score for goal in goals if file in goal.paths()), None)


def expanded(pattern: str, project: Path = PROJECT_DIR) -> list[str]:
    """Return the files that match a pattern, relative to the project.

    Raises:
        NoSuchFileError: there is none.
    """
    files = (path for path in project.glob(pattern) if path.is_file() and not path.name.endswith(TEST_SUFFIX))
    found = sorted(str(path.relative_to(project)) for path in files)
    if not found:
        raise NoSuchFileError(f"no file matches {pattern}", where=str(project), hint=f"correct it in {GOALS_FILE.name}")
    return found
