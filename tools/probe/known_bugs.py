"""The bugs that are known: js/apps/probes/src/known_bugs.json, which pages read, too."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from support.npm import JS_DIR

FILE = JS_DIR / "apps" / "probes" / "src" / "known_bugs.json"


@dataclass(frozen=True)
class KnownBug:
    """A bug of one or more operators.

    Attributes:
        outcome, stage: as of js/apps/probes/src/report.ts.
        reproduction: name of the smallest graph, without the operator's.
        seen: browsers, by name and major version.
        avoided: how this project avoids it; an id of tools/probe/workarounds.toml, if it needs a workaround.
    """

    ops: Sequence[str]
    outcome: str
    stage: str
    what: str
    reproduction: str
    seen: Sequence[str]
    avoided: str

    def names(self) -> list[str]:
        """Return what the reproductions may be called: a space follows the operator, or `_` in numpy cases."""
        return [f"{op}{separator}{self.reproduction}" for op in self.ops for separator in " _"]


@cache
def known_bugs() -> tuple[KnownBug, ...]:
    """Return all bugs."""
    return tuple(KnownBug(**row) for row in json.loads(FILE.read_text(encoding="utf-8")))


def unknown_bugs(report: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Yield the operator of each bug of a report that is not in the table, and the bug."""
    known = {(op, bug.outcome, bug.stage) for bug in known_bugs() for op in bug.ops}
    for context in report["contexts"]:
        for row in context["operators"]:
            for bug in row["bugs"]:
                if bug["outcome"] != "untried" and (row["op"], bug["outcome"], bug["stage"]) not in known:
                    yield row["op"], bug
