"""Prepares the committed result of `build.py bench` for the benchmark page."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, get_args

from site_generator.pages import PageError
from site_generator.paths import SITE_DIR
from site_generator.templates import json_in_html
from tools.bench.result import FORMAT
from tools.bench.runtimes import OWN_LIBRARY, Group

RESULT_FILE = SITE_DIR / "results" / "bench.json"
GROUP_ORDER: Sequence[str] = get_args(Group)
# Badge kinds of the grades.
GRADE_KINDS = {"same bits": "good", "close": "good", "off": "caution", "WRONG": "bad"}
# SVG units: the bars stretch to the page.
BAR_WIDTH = 1000


@dataclass(frozen=True)
class Time:
    """A runtime's time on a model; `bar` has quartiles and median in thousandths of the group's longest."""

    runtime: str
    version: str
    is_own: bool
    ms: Mapping[str, float]
    ratio: Mapping[str, float] | None
    verdict: Mapping[str, Any]
    placement: str
    bar: Mapping[str, float]

    @property
    def badge(self) -> str:
        """Kind of the output's badge."""
        return GRADE_KINDS.get(self.verdict["grade"], "")


@dataclass(frozen=True)
class TimeGroup:
    """Times of comparable runtimes on one model, fastest first."""

    name: str
    measure: str
    times: Sequence[Time]


@dataclass(frozen=True)
class ModelTimes:
    """A model's times, and the runtimes of each failure."""

    model: Mapping[str, Any]
    groups: Sequence[TimeGroup]
    failures: Mapping[str, Sequence[str]]


def content(path: Path = RESULT_FILE) -> dict[str, Any]:
    """Return the variables of the benchmark page's template; `bench` is None if no result is committed.

    Raises:
        PageError: the file has another format.
    """
    if not path.is_file():
        return {"bench": None}
    result = json.loads(path.read_text(encoding="utf-8"))
    if result.get("format") != FORMAT:
        raise PageError(f"not a result of format {FORMAT}", where=str(path))
    by_model = [_model_times(result, model) for model in result["models"]]
    return {"bench": {**result, "by_model": by_model, "stored_json": json_in_html(_stored_times(result))}}


def _stored_times(result: Mapping[str, Any]) -> dict[str, Any]:
    """Return what the page compares its own benchmark with: StoredTimes of site/scripts/benchmark/stored.ts."""
    machine, browser = result["machine"], result["browser"]
    title = f"{machine['processor']}, {machine['cores']} cores, {browser['title']} {browser['version']}"
    medians: dict[str, dict[str, float]] = {model["name"]: {} for model in result["models"]}
    for row in result["speed"]:
        if row["ms"]:
            medians[row["model"]][row["runtime"]] = round(row["ms"]["median"], 3)
    return {"machine": f"{title}, {result['started'][:10]}", "ms": medians}


def _model_times(result: Mapping[str, Any], model: Mapping[str, Any]) -> ModelTimes:
    runtimes = {runtime["name"]: runtime for runtime in result["runtimes"]}
    rows = [row for row in result["speed"] if row["model"] == model["name"]]
    groups = []
    for name in GROUP_ORDER:
        timed = [row for row in rows if row["ms"] and runtimes[row["runtime"]]["group"] == name]
        if timed:
            longest = max(row["ms"]["high"] for row in timed)
            times = [_time(row, runtimes[row["runtime"]], model, longest) for row in timed]
            groups.append(TimeGroup(name, timed[0]["measure"], sorted(times, key=lambda time: time.ms["median"])))
    failures: dict[str, list[str]] = {}
    for row in rows:
        if row["failure"]:
            failures.setdefault(row["failure"], []).append(row["runtime"])
    return ModelTimes(model, groups, failures)


def _time(row: Mapping[str, Any], runtime: Mapping[str, Any], model: Mapping[str, Any], longest: float) -> Time:
    placement = row["placement"]
    delegated = placement["nodes_delegated"] if placement else 0
    where = f"{placement['execution_mode']}, {delegated} of {model['nodes']}" if delegated else ""
    bar = {key: round(BAR_WIDTH * row["ms"][key] / longest, 1) for key in ("low", "median", "high")}
    return Time(
        runtime=row["runtime"],
        version=runtime["version"],
        is_own=row["runtime"].split("/")[0] == OWN_LIBRARY,
        ms=row["ms"],
        ratio=row["ratio"],
        verdict=row["verdict"],
        placement=where,
        bar=bar,
    )
