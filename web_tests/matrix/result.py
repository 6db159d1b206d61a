"""What the matrix keeps: cells, and what they were measured in. matrix.schema.json is this as a JSON schema."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Literal

SCHEMA_FILE = Path(__file__).with_name("matrix.schema.json")
# Raised when a reader of older results could misunderstand newer ones.
FORMAT = 1
# Numbers are kept to this many significant digits: more would tell of the machine's mood only.
DIGITS = 4

Status = Literal["right", "wrong", "failed"]


@dataclass(frozen=True)
class Ran:
    """What ran where.

    Attributes:
        mode: the package's executionMode: direct, stepped or cpu.
        variant: the build of the wasm module.
        backend: the polyfill and its engine; empty where the browser's own WebNN or none was used.
        nodes, delegated, partitions: of the model; how many of them WebNN had, in how many pieces.
        threads: how many computed on the CPU.
    """

    mode: str
    variant: str
    backend: str
    nodes: int
    delegated: int
    partitions: int
    threads: int


@dataclass(frozen=True)
class Cell:
    """One model in one place of one engine, executed in one way.

    Attributes:
        status: right is within the tolerance of native LiteRT's answer, wrong beyond it, failed without an answer.
        note: why it failed, what is wrong, or that nothing of the model is worth to be delegated.
        difference, tolerance: in `unit`: the largest of all outputs, and what tolerances.toml allows.
        unit: range (of the output in native LiteRT) or steps (of a quantized output).
        ms: one run, input and output copies included: the median over so many `turns` of 10 ms or more.
        load_ms: loading the model; the first in a page includes fetching and compiling the module.
    """

    engine: str
    place: str
    execution: str
    model: str
    status: Status
    note: str = ""
    difference: float | None = None
    tolerance: float | None = None
    unit: Literal["range", "steps"] | None = None
    ms: float | None = None
    turns: int = 0
    load_ms: float | None = None
    ran: Ran | None = None


@dataclass(frozen=True)
class Impossible:
    """Why an execution cannot be in a place of an engine, whatever the model.

    Attributes:
        reason: what the page itself says that it lacks.
        package_says: what loadTFLiteModel answered when it was tried nevertheless.
    """

    engine: str
    place: str
    execution: str
    reason: str
    package_says: str = ""


@dataclass(frozen=True)
class PlaceFacts:
    """What a page of an engine has, as the page itself tells.

    Attributes:
        lacks: reasons, by need (axes.Need); what is there is not in it.
        gpu: the names of what is behind WebGPU and WebGL, where the browser tells them.
    """

    engine: str
    place: str
    isolated: bool
    lacks: Mapping[str, str]
    gpu: Mapping[str, str]


@dataclass(frozen=True)
class EngineRow:
    """An engine, and the machine that it ran on.

    Attributes:
        driver: what controls it.
        missing: why it did not take part, and the command that mends it; empty where it did.
        failure: why it did not start, or ended early: some of its cells are not there.
        measured, revision, machine, load_average: when, at which commit, and on what; `machine` and the load are null
            where a grid has the browser: it tells `platform` only.
        cores: as the browser tells them.
    """

    name: str
    title: str
    driver: str
    missing: str = ""
    failure: str = ""
    version: str = ""
    user_agent: str = ""
    platform: str = ""
    cores: int | None = None
    measured: str = ""
    revision: str = ""
    machine: Mapping[str, Any] | None = None
    load_average: float | None = None


@dataclass(frozen=True)
class Matrix:
    """All of a result. Rows of `executions`, `places` and `models` are names with titles or sizes."""

    created: str
    revision: str
    reference: str
    executions: Sequence[Mapping[str, Any]]
    places: Sequence[Mapping[str, Any]]
    models: Sequence[Mapping[str, Any]]
    engines: Sequence[EngineRow]
    facts: Sequence[PlaceFacts]
    impossible: Sequence[Impossible] = field(default_factory=list)
    cells: Sequence[Cell] = field(default_factory=list)

    def red(self) -> list[Cell]:
        """Return the cells that are not right."""
        return [cell for cell in self.cells if cell.status != "right"]

    def is_good(self) -> bool:
        """Whether something was looked at, no cell is red, and no engine failed."""
        looked_at = bool(self.cells or self.impossible)
        return looked_at and not self.red() and not any(row.failure for row in self.engines)

    def to_json(self) -> dict[str, Any]:
        """Return what matrix.schema.json describes."""
        rows = {name: [asdict(row) for row in getattr(self, name)] for name in ("engines", "facts", "impossible")}
        return {
            "format": FORMAT,
            "created": self.created,
            "revision": self.revision,
            "reference": self.reference,
            **{name: [dict(row) for row in getattr(self, name)] for name in ("executions", "places", "models")},
            **rows,
            "cells": [_rounded(asdict(cell)) for cell in self.cells],
        }


def _rounded(value: Any) -> Any:
    """Round numbers, and replace what JSON does not have by null."""
    if isinstance(value, Mapping):
        return {key: _rounded(item) for key, item in value.items()}
    if isinstance(value, float):
        return float(f"{value:.{DIGITS}g}") if math.isfinite(value) else None
    return value


def merged(new: Matrix, old: Mapping[str, Any]) -> dict[str, Any]:
    """Return a result as JSON to which an older one's engines, places and cells are added, where the new has none."""
    made = new.to_json()
    keys = {
        "executions": ("name",),
        "places": ("name",),
        "models": ("name",),
        "engines": ("name",),
        "facts": ("engine", "place"),
        "impossible": ("engine", "place", "execution"),
        "cells": ("engine", "place", "execution", "model"),
    }
    for table, key in keys.items():
        made[table] = _with_older(made[table], old[table], key)
    possible = {(cell["engine"], cell["place"], cell["execution"]) for cell in new.to_json()["cells"]}
    excluded = {(row.engine, row.place, row.execution) for row in new.impossible}
    made["impossible"] = [row for row in made["impossible"] if _way(row) not in possible]
    made["cells"] = [row for row in made["cells"] if _way(row) not in excluded]
    return made


def _way(row: Mapping[str, Any]) -> tuple[str, str, str]:
    return row["engine"], row["place"], row["execution"]


def _with_older(new: Iterable[Any], old: Iterable[Any], key: Sequence[str]) -> list[Any]:
    rows = {tuple(row[name] for name in key): row for row in old}
    return list({**rows, **{tuple(row[name] for name in key): row for row in new}}.values())


def write(found: Mapping[str, Any], file: Path) -> None:
    """Write a result: one line a row, so that two results can be compared."""
    parts = []
    for name, value in found.items():
        if isinstance(value, list):
            rows = ",\n".join("  " + json.dumps(row, allow_nan=False, ensure_ascii=False) for row in value)
            parts.append(f" {json.dumps(name)}: [\n{rows}\n ]" if value else f" {json.dumps(name)}: []")
        else:
            parts.append(f" {json.dumps(name)}: {json.dumps(value, allow_nan=False, ensure_ascii=False)}")
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("{\n" + ",\n".join(parts) + "\n}\n", encoding="utf-8")
