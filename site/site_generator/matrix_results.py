"""Prepares the committed result of web_tests/tests/matrix for the matrix page."""

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from site_generator.pages import PageError
from site_generator.paths import SITE_DIR

RESULT_FILE = SITE_DIR / "results" / "matrix.json"
FORMAT = 1  # of tools/matrix/result.py

Row = Mapping[str, Any]
Way = tuple[str, str, str]


@dataclass(frozen=True)
class Summary:
    """Results over all models for one engine, host and execution.

    Attributes:
        kind: of the badge: good, bad, or empty if nothing ran.
        text: correct cells of all cells, or "no" if the combination is impossible.
        reason: number of the reason in the list of reasons; None if models ran.
    """

    kind: str
    text: str
    reason: int | None = None


@dataclass(frozen=True)
class Cell:
    """Result of one model."""

    ms: float | None
    is_right: bool
    note: str


def content(file: Path = RESULT_FILE) -> Mapping[str, Any]:
    """Return the variables of the matrix page's template; `matrix` is None if no result is committed.

    Raises:
        PageError: the result has another format.
    """
    if not file.is_file():
        return {"matrix": None}
    found = json.loads(file.read_text(encoding="utf-8"))
    if found["format"] != FORMAT:
        raise PageError(f"result format {found['format']}, expected {FORMAT}", where=str(file))
    return {"matrix": _Result(found).shown()}


class _Result:
    """A result with its rows indexed."""

    def __init__(self, found: Row) -> None:
        self._found = found
        self._cells: dict[Way, list[Row]] = defaultdict(list)
        for cell in found["cells"]:
            self._cells[_way(cell)].append(cell)
        self._impossible = {_way(row): row["reason"] for row in found["impossible"]}
        self._reasons = list(dict.fromkeys(self._impossible.values()))

    def shown(self) -> Mapping[str, Any]:
        engines = self._found["engines"]
        return {
            "result": self._found,
            "engines": engines,
            "executions": self._found["executions"],
            "reasons": self._reasons,
            "right_count": sum(cell["status"] == "right" for cell in self._found["cells"]),
            "red": [cell for cell in self._found["cells"] if cell["status"] != "right"],
            "hosts": [{"host": host, "rows": self._summaries(engines, host)} for host in self._found["hosts"]],
            "details": [{"engine": engine, "hosts": list(self._details(engine))} for engine in engines],
        }

    def _summaries(self, engines: Iterable[Row], host: Row) -> list[tuple[Row, list[Summary]]]:
        names = [execution["name"] for execution in self._found["executions"]]
        rows = [(engine, [self._summary((engine["name"], host["name"], name)) for name in names]) for engine in engines]
        return [(engine, summaries) for engine, summaries in rows if any(summary.text for summary in summaries)]

    def _summary(self, way: Way) -> Summary:
        cells = self._cells.get(way, [])
        if cells:
            right_count = sum(cell["status"] == "right" for cell in cells)
            return Summary("good" if right_count == len(cells) else "bad", f"{right_count}/{len(cells)}")
        reason = self._impossible.get(way)
        return Summary("", "no", self._reasons.index(reason) + 1) if reason is not None else Summary("", "")

    def _details(self, engine: Row) -> Iterable[Row]:
        """Yield the engine's tables of models by executions, one per host."""
        for host in self._found["hosts"]:
            ways = {
                row["name"]: self._cells.get((engine["name"], host["name"], row["name"]), [])
                for row in self._found["executions"]
            }
            executions = [row for row in self._found["executions"] if ways[row["name"]]]
            if executions:
                by_model = {name: {cell["model"]: cell for cell in cells} for name, cells in ways.items()}
                rows = [
                    (model["name"], [_cell(by_model[row["name"]].get(model["name"])) for row in executions])
                    for model in self._found["models"]
                ]
                yield {"host": host, "executions": executions, "rows": [row for row in rows if any(row[1])]}


def _cell(cell: Row | None) -> Cell | None:
    if cell is None:
        return None
    ran = cell["ran"]
    parts: Sequence[str] = [
        *([_difference(cell)] if cell["difference"] is not None else []),
        *([f"{ran['mode']} {ran['delegated']}/{ran['nodes']}"] if ran and ran["mode"] != "cpu" else []),
        *([cell["note"]] if cell["note"] else []),
    ]
    return Cell(cell["ms"], cell["status"] == "right", ", ".join(parts))


def _difference(cell: Row) -> str:
    if cell["unit"] == "steps":
        return f"Δ {cell['difference']:g} steps"
    return f"Δ {cell['difference']:.0e}" if cell["difference"] else "Δ 0"


def _way(row: Row) -> Way:
    return row["engine"], row["host"], row["execution"]
