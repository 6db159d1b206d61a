"""Which results may be cited in documents: those of an idle machine and of the code as it is."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from support.command import CommandError, run
from support.errors import BuildError
from support.paths import PROJECT_DIR

MAX_LOAD = 1.0
# Results since then were measured on an idle machine, at a commit, or no page has them.
RULE_SINCE = "2026-11-28"
# What a benchmark measures, as git's patterns.
MEASURED = ("wasm", "js", ":(exclude)*.md", ":(exclude)*/tests/*")


class NotCitableError(BuildError):
    """A result was measured on a busy machine, or of other code than that of this checkout."""


class Measured(Protocol):
    """A result; `load_average` is the machine's before and after."""

    @property
    def started(self) -> str: ...

    @property
    def revision(self) -> str: ...

    @property
    def load_average(self) -> tuple[float, float]: ...


@dataclass(frozen=True)
class Row:
    """One row of a result whose rows are measured at different times."""

    started: str
    revision: str
    load_average: tuple[float, float]


def line(result: Measured) -> str:
    """Return what a page says of its result, by which it is known again."""
    return f"{result.started[:10]}, revision {result.revision}."


def check(document: Path, results: Iterable[Measured], checkout: Path = PROJECT_DIR) -> None:
    """Check the results that a document cites.

    A document may be written again from a result that it has, also after the code has changed; but not from one that
    was measured under load or between commits, unless it is older than RULE_SINCE.

    Raises:
        NotCitableError: one was measured under load, or the code has changed since, or git cannot tell.
    """
    text = document.read_text(encoding="utf-8") if document.is_file() else ""
    for result in results:
        is_cited = line(result) in text
        if is_cited and result.started < RULE_SINCE:
            continue
        reason = _conditions(result) or ("" if is_cited else _staleness(result.revision, checkout))
        if reason:
            raise NotCitableError(
                f"the result of revision {result.revision} cannot be cited: {reason}",
                where=str(document),
                hint="measure again on an idle machine, at a commit: `python3 build.py bench --out DIRECTORY`",
            )


def _conditions(result: Measured) -> str:
    """Return what was wrong when a result was measured; "" if nothing."""
    # Only the load before: afterwards it is that of the benchmark itself.
    load = result.load_average[0]
    if load > MAX_LOAD:
        return f"it was measured at a load average of {load:.1f}; at most {MAX_LOAD:g} is allowed"
    return "files had changes that were not committed" if result.revision.endswith("+") else ""


def _staleness(revision: str, checkout: Path) -> str:
    """Return why a revision is not what the checkout has; "" if it is."""
    command = ["git", "diff", "--name-only", revision, "--", *MEASURED]
    try:
        changed = run(command, cwd=checkout, capture=True, quiet=True)
    except CommandError:
        return "git does not know the revision, so it may be of other code"
    return "wasm/ or js/ has changed since" if changed else ""
