"""Which results may be cited in documents: those of an idle machine and of the code as it is."""

import subprocess
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from support.errors import BuildError
from support.paths import PROJECT_DIR

MAX_LOAD = 1.0
# What a benchmark measures, as git's patterns.
MEASURED = ("wasm", "js", ":(exclude)*.md", ":(exclude)*/tests/*")


class NotCitableError(BuildError):
    """A result was made on a busy machine, or of other code than that of this checkout."""


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
    """Check the results that a document does not cite yet. A document may always be written again from its own ones.

    Raises:
        NotCitableError: one was made under load, or the code has changed since, or git cannot tell.
    """
    text = document.read_text(encoding="utf-8") if document.is_file() else ""
    for result in results:
        if line(result) in text:
            continue
        # Only the load before: afterwards it is that of the benchmark itself.
        load = result.load_average[0]
        busy = (
            f"it was made at a load average of {load:.1f}; at most {MAX_LOAD:g} is allowed" if load > MAX_LOAD else ""
        )
        if problem := busy or _staleness(result.revision, checkout):
            raise NotCitableError(
                f"the result of revision {result.revision} cannot be cited: {problem}",
                where=str(document),
                hint="measure again on an idle machine, at a commit: `python3 build.py bench --out FOLDER`",
            )


def _staleness(revision: str, checkout: Path) -> str:
    """Return why a revision is not what the checkout has; "" if it is."""
    command = ["git", "diff", "--quiet", revision, "--", *MEASURED]
    code = subprocess.run(command, cwd=checkout, capture_output=True, check=False).returncode
    if code == 1:
        return "wasm/ or js/ has changed since"
    return "" if code == 0 else "git does not know the revision, so it may be of other code"
