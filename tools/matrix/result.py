"""What the matrix keeps: cells, and what they were measured in. These dataclasses define matrix.json."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from operator import attrgetter
from typing import Any, Literal

import pydantic

from js.report import ExecutionMode
from tools.bench.result import Machine
from tools.matrix.axes import Place
from tools.result_file import STRICT, Rounded

# Raised, here and in `Matrix`, when a reader of older results could misunderstand newer ones.
FORMAT: Literal[1] = 1
# The tables of a result, and what names a row of each.
KEYS: Mapping[str, tuple[str, ...]] = {
    "executions": ("name",),
    "places": ("name",),
    "models": ("name",),
    "engines": ("name",),
    "facts": ("engine", "place"),
    "impossible": ("engine", "place", "execution"),
    "cells": ("engine", "place", "execution", "model"),
}

Status = Literal["right", "wrong", "failed"]


@dataclass(frozen=True)
class Ran:
    """What ran where.

    Attributes:
        mode: the package's executionMode.
        variant: the build of the wasm module.
        backend: the polyfill and its engine; empty where the browser's own WebNN or none was used.
        nodes, delegated, partitions: of the model; how many of them WebNN had, in how many pieces.
        threads: how many computed on the CPU.
    """

    mode: ExecutionMode
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
    difference: Rounded = None
    tolerance: Rounded = None
    unit: Literal["range", "steps"] | None = None
    ms: Rounded = None
    turns: int = 0
    load_ms: Rounded = None
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
    machine: Machine | None = None
    load_average: float | None = None


@dataclass(frozen=True)
class ExecutionRow:
    """A way to execute models: its name in other tables, and its title for people."""

    name: str
    title: str


@dataclass(frozen=True)
class ModelRow:
    """A model."""

    name: str
    size_bytes: int
    quantized: bool


@pydantic.dataclasses.dataclass(frozen=True, kw_only=True, config=STRICT)
class Matrix:
    """All of a result.

    Attributes:
        created: ISO 8601; each engine has its own `measured`.
        revision: the commit of this project; + where files were changed since.
        reference: what answers are compared with, and its version.
    """

    format: Literal[1] = FORMAT
    created: str
    revision: str
    reference: str
    executions: Sequence[ExecutionRow]
    places: Sequence[Place]
    models: Sequence[ModelRow]
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


def merged(new: Matrix, old: Matrix) -> Matrix:
    """Return a result to which an older one's rows are added where the new one has none."""
    both: dict[str, Any] = {
        table: _with_older(getattr(new, table), getattr(old, table), key) for table, key in KEYS.items()
    }
    way = attrgetter(*KEYS["impossible"])
    possible, excluded = set(map(way, new.cells)), set(map(way, new.impossible))
    both["impossible"] = [row for row in both["impossible"] if way(row) not in possible]
    both["cells"] = [row for row in both["cells"] if way(row) not in excluded]
    return replace(new, **both)


def _with_older(new: Iterable[Any], old: Iterable[Any], key: Sequence[str]) -> list[Any]:
    name = attrgetter(*key)
    return list(({name(row): row for row in old} | {name(row): row for row in new}).values())
