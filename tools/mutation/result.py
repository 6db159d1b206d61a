"""The outcomes of mutants: the rows of the result, scores by file, and the table."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from rich.markup import escape
from rich.table import Table

from support.console import output
from tools.result_file import STRICT

SURVIVED = "survived"
KILLED = "killed"


@dataclass(frozen=True)
class Mutant:
    """One change of the code.

    Attributes:
        part: typescript, python or cpp.
        file: relative to the project.
        line: of the change, from 1.
        change: the new code, or both.
        outcome: "killed" by a failed test, an error or a timeout, or "survived".
        by: the tests that killed it; empty if unknown.
    """

    part: str
    file: str
    line: int
    change: str
    outcome: str
    by: str = ""


@dataclass(frozen=True)
class Score:
    """Mutants of one file, or of a folder; `percent` of them were killed, `goal` is how many should be, if any."""

    part: str
    file: str
    mutants: int
    killed: int
    goal: float | None

    @property
    def percent(self) -> float:
        return 100 * self.killed / self.mutants

    @property
    def is_below(self) -> bool:
        return self.goal is not None and self.percent < self.goal


@dataclass(frozen=True)
class Result:
    """The scores, the seconds that each part took, and every mutant: the JSON file."""

    __pydantic_config__ = STRICT

    scores: tuple[Score, ...]
    seconds: Mapping[str, float]
    mutants: tuple[Mutant, ...]


def scores(mutants: Sequence[Mutant], goals: Mapping[str, float]) -> tuple[Score, ...]:
    """Return the score of each file, the lowest first; `goals` has percentages by file."""
    by_file: dict[tuple[str, str], list[Mutant]] = defaultdict(list)
    for mutant in mutants:
        by_file[mutant.part, mutant.file].append(mutant)
    rows = (
        Score(part, file, len(found), sum(mutant.outcome == KILLED for mutant in found), goals.get(file))
        for (part, file), found in by_file.items()
    )
    return tuple(sorted(rows, key=lambda score: (score.percent, score.file)))


def by_folder(files: Sequence[Score]) -> tuple[Score, ...]:
    """Return the score of each folder, of the files right in it, the lowest first."""
    rows: dict[tuple[str, str], list[Score]] = defaultdict(list)
    for score in files:
        rows[score.part, f"{score.file.rpartition('/')[0]}/"].append(score)
    folders = (
        Score(part, folder, sum(score.mutants for score in found), sum(score.killed for score in found), None)
        for (part, folder), found in rows.items()
    )
    return tuple(sorted(folders, key=lambda score: (score.percent, score.file)))


def show(result: Result) -> None:
    """Print the survivors by file and line, and below them the scores of files and of folders."""
    for mutant in sorted(result.mutants, key=lambda mutant: (mutant.file, mutant.line)):
        if mutant.outcome == SURVIVED:
            output.print(f"{mutant.file}:{mutant.line}: {mutant.change}", markup=False, soft_wrap=True)
    table = Table("file", "mutants", "killed", "score", "goal", box=None, pad_edge=False)
    for score in (*result.scores, *by_folder(result.scores)):
        goal = "" if score.goal is None else f"{score.goal:g} %"
        percent = f"{score.percent:.1f} %"
        shown = f"[red]{percent}[/red]" if score.is_below else percent
        table.add_row(escape(score.file), str(score.mutants), str(score.killed), shown, goal)
    output.print(table)
    for part, seconds in result.seconds.items():
        output.print(f"{part}: {seconds:.0f} s")
