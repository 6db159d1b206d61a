"""Prepares the saved reports of `python3 -m tools.probe` for the WebNN page."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from site_generator.pages import PageError
from site_generator.paths import SITE_DIR

RESULTS_DIR = SITE_DIR / "results" / "webnn"
FORMAT = 1  # of js/apps/probes/src/report.ts
# As isFused() of js/apps/probes/src/fusion.ts.
FUSED_RATIO = 0.75

Row = Mapping[str, Any]


@dataclass(frozen=True)
class Cell:
    """Graphs of one operator in one report: `kind` is of the badge, good or bad."""

    kind: str
    text: str


def content(directory: Path = RESULTS_DIR) -> Mapping[str, Any]:
    """Return the variable `saved` of the WebNN page's template.

    Raises:
        PageError: a report has another format.
    """
    files = sorted(directory.glob("*.json"))
    reports = [_read(file) for file in files]
    return {
        "saved": {
            "reports": [_about(report, file) for report, file in zip(reports, files, strict=True)],
            "operators": list(_operators(reports)),
            "features": list(_features(reports)),
        }
    }


def _read(file: Path) -> Row:
    report: Row = json.loads(file.read_text(encoding="utf-8"))
    if report["format"] != FORMAT:
        raise PageError(f"report format {report['format']}, expected {FORMAT}", where=str(file))
    return report


def _about(report: Row, file: Path) -> Row:
    operators = [row for context in report["contexts"] for row in context["operators"]]
    counts = [_counts(row) for row in operators]
    native = report["webnn"] == "browser"
    return {
        "browser": report["browser"],
        "webnn": "its own" if native else report["webnn"],
        "short": f"{_major(report['browser'])}{'' if native else ', polyfill'}",
        "created": report["created"][:10],
        "shortfalls": sum(len(context["shortfalls"]) for context in report["contexts"]),
        "failed": sum(total - works for works, total in counts),
        "graphs": sum(total for _, total in counts),
        "fused": _fused_text(report["fusion"]),
        "url": f"data/webnn/{file.name}",
    }


def _major(browser: str) -> str:
    return browser.split(".")[0]


def _counts(row: Row) -> tuple[int, int]:
    """Return how many graphs work, of how many."""
    parts: Sequence[Mapping[str, int]] = (row["edges"], row["values"])
    return sum(part.get("works", 0) for part in parts), sum(sum(part.values()) for part in parts)


def _fused_text(rows: Sequence[Row]) -> str:
    return f"{sum(map(_is_fused, rows))} of {len(rows)}" if rows else "not measured"


def _is_fused(row: Row) -> bool:
    if row["ms"] is None:
        return False
    return bool(row["differing"] > 0 or row["ms"] < FUSED_RATIO * row["unfusedMs"])


def _operators(reports: Iterable[Row]) -> Iterable[tuple[str, list[Cell | None]]]:
    """Yield each operator with a cell per report, of its first context."""
    by_report = [{row["op"]: row for row in _first_context(report)} for report in reports]
    for op in sorted({op for rows in by_report for op in rows}):
        yield op, [_cell(rows.get(op)) for rows in by_report]


def _first_context(report: Row) -> Sequence[Row]:
    rows: Sequence[Row] = next((one["operators"] for one in report["contexts"] if one["operators"]), [])
    return rows


def _cell(row: Row | None) -> Cell | None:
    if row is None:
        return None
    works, total = _counts(row)
    return Cell("good" if works == total else "bad", f"{works}/{total}")


def _features(reports: Sequence[Row]) -> Iterable[tuple[str, list[str]]]:
    """Yield each feature with yes or no per report."""
    by_report = [{row["feature"]: row["there"] for row in report["features"]} for report in reports]
    for feature in dict.fromkeys(feature for rows in by_report for feature in rows):
        yield feature, ["yes" if rows.get(feature) else "no" for rows in by_report]
