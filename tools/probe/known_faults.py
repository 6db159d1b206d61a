"""The faults that are known: js/probes/src/known_faults.json, which pages read, too."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from js.node import JS_DIR

FILE = JS_DIR / "probes" / "src" / "known_faults.json"


@dataclass(frozen=True)
class KnownFault:
    """A fault of one or more operators.

    Attributes:
        outcome, stage: as of tools.probe.campaign.Finding.
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
        """Return what the reproductions may be called: probes have a space after the operator, numpy cases a `_`."""
        return [f"{op}{separator}{self.reproduction}" for op in self.ops for separator in " _"]


@cache
def known_faults() -> tuple[KnownFault, ...]:
    """Return all faults."""
    return tuple(KnownFault(**row) for row in json.loads(FILE.read_text(encoding="utf-8")))


def unknown_faults(document: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """Return the faults of the prober's document that are not in the table."""
    known = {(op, fault.outcome, fault.stage) for fault in known_faults() for op in fault.ops}
    return [fault for fault in document["faults"] if (fault["op"], fault["outcome"], fault["stage"]) not in known]
