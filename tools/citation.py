"""Which results may be cited in documents: those of an idle machine and of the code as it is."""

import json
from pathlib import Path
from typing import Any, Protocol

from support.command import CommandError, run
from support.errors import BuildError
from support.paths import PROJECT_DIR

RESULTS_DIR = PROJECT_DIR / "site" / "results"
MAX_LOAD = 1.0
# What a benchmark measures, as git's patterns.
MEASURED = ("wasm", "js", ":(exclude)*.md", ":(exclude)*/tests/*")


class NotCitableError(BuildError):
    """A result was measured on a busy machine, or of other code than that of this checkout."""


class Measured(Protocol):
    """A result."""

    @property
    def started(self) -> str: ...

    @property
    def revision(self) -> str: ...


def line(result: Measured) -> str:
    """Return what a page says of its result."""
    return f"{result.started[:10]}, revision {result.revision}."


def check(file: Path) -> None:
    """Check a result in a file of JSON, or the results in one of JSON lines.

    One that the last commit has remains, also after the code has changed. Without git, do nothing.

    Raises:
        NotCitableError: one was measured under load or between commits; or it is new, and of other code.
    """
    if not _git(file, "rev-parse", "HEAD"):
        return
    committed = _parts(file, _git(file, "show", f"HEAD:./{file.name}"))
    for part in _parts(file, file.read_text(encoding="utf-8")):
        result, is_new = json.loads(part), part not in committed
        # Committed results without the load before and after, a pair, are older than this rule.
        reason = _conditions(result) if is_new or isinstance(result.get("load_average"), list) else ""
        reason = reason or (_staleness(file, result["revision"]) if is_new else "")
        if reason:
            raise NotCitableError(
                f"the result of revision {result['revision']} cannot be cited: {reason}",
                where=str(file),
                hint="measure again on an idle machine, at a commit: `python3 build.py bench --out DIRECTORY`",
            )


def _parts(file: Path, text: str) -> list[str]:
    return text.splitlines() if file.suffix == ".jsonl" else [text] if text else []


def _conditions(result: dict[str, Any]) -> str:
    """Return what was wrong when a result was measured; "" if nothing."""
    load = result.get("load_average", 0.0)
    # Only the load before: afterwards it is that of the benchmark itself.
    before = load[0] if isinstance(load, list) else load
    if before > MAX_LOAD:
        return f"it was measured at a load average of {before:.1f}; at most {MAX_LOAD:g} is allowed"
    return "files had changes that were not committed" if result["revision"].endswith("+") else ""


def _staleness(file: Path, revision: str) -> str:
    """Return why a revision is not what the checkout has; "" if it is."""
    if not _git(file, "rev-parse", "--verify", "--quiet", f"{revision}^{{commit}}"):
        return "git does not know the revision, so it may be of other code"
    top = _git(file, "rev-parse", "--show-toplevel").strip()
    changed = _git(file, "-C", top, "diff", "--name-only", revision, "--", *MEASURED)
    return "wasm/ or js/ has changed since" if changed else ""


def _git(file: Path, *words: str) -> str:
    """Return what git prints in a file's directory; "" if it fails."""
    try:
        return run(["git", *words], cwd=file.parent, capture=True, quiet=True)
    except CommandError:
        return ""
