"""The result of the matrix: cells and their engines. These dataclasses define matrix.json."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

import pydantic

from tools.bench.result import ExecutionMode, Machine
from tools.matrix.axes import Host
from tools.result_file import STRICT, Rounded

# Increase it, here and in `Matrix`, if readers of older results could misunderstand newer ones.
FORMAT: Literal[1] = 1
# The tables of a result, and the key columns of each.
KEYS: Mapping[str, tuple[str, ...]] = {
    "executions": ("name",),
    "hosts": ("name",),
    "models": ("name",),
    "engines": ("name",),
    "pages": ("engine", "host"),
    "impossible": ("engine", "host", "execution"),
    "cells": ("engine", "host", "execution", "model"),
}

Status = Literal["right", "wrong", "failed"]


@dataclass(frozen=True)
class Ran:
    """How a model ran.

    Attributes:
        mode: the package's executionMode.
        variant: of the wasm module.
        backend: the polyfill and its engine; empty for the browser's own WebNN or none.
        nodes, delegated, partitions: the model's nodes, those on WebNN, and their partitions.
        threads: number of computing threads on the CPU.
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
    """One model in one host of one engine, executed in one way.

    Attributes:
        status: right: within the tolerance of native LiteRT's outputs; wrong: beyond it; failed: no outputs.
        note: why it failed, what is wrong, or that delegating any node costs more than it saves.
        difference, tolerance: in `unit`: the largest difference of all outputs, and the limit of tolerances.toml.
        unit: range (of the output in native LiteRT) or steps (of a quantized output).
        ms: one run, input and output copies included: the median over so many `turns` of 10 ms or more.
        load_ms: loading the model; the first in a page includes fetching and compiling the module.
    """

    engine: str
    host: str
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
    """Why an execution is impossible in a host of an engine, for any model.

    Attributes:
        reason: what the page reports as missing.
        package_says: the error of loadTFLiteModel in an attempt.
    """

    engine: str
    host: str
    execution: str
    reason: str
    package_says: str = ""


@dataclass(frozen=True)
class HostInfo:
    """The features of an engine's page, as the page reports them.

    Attributes:
        lacks: reasons by missing need (axes.Need).
        gpu: the adapters behind WebGPU and WebGL, if the browser reports them.
    """

    engine: str
    host: str
    isolated: bool
    lacks: Mapping[str, str]
    gpu: Mapping[str, str]


@dataclass(frozen=True)
class EngineRow:
    """An engine and its machine.

    Attributes:
        driver: the tool that controls it.
        measured, revision, machine, load_average: time, commit and machine; `machine` and the load are null
            for a grid's browser, which reports only `platform`.
        cores: as the browser reports them.
    """

    name: str
    title: str
    driver: str
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
    """A way to execute models: its name in other tables, and its title."""

    name: str
    title: str


@dataclass(frozen=True)
class ModelRow:
    name: str
    size_bytes: int
    quantized: bool


@pydantic.dataclasses.dataclass(frozen=True, kw_only=True, config=STRICT)
class Matrix:
    """The entire result.

    Attributes:
        created: ISO 8601; each engine has its own `measured`.
        revision: the commit of this project; + if files have changed since.
        reference: the reference implementation and its version.
    """

    format: Literal[1] = FORMAT
    created: str
    revision: str
    reference: str
    executions: Sequence[ExecutionRow]
    hosts: Sequence[Host]
    models: Sequence[ModelRow]
    engines: Sequence[EngineRow]
    pages: Sequence[HostInfo]
    impossible: Sequence[Impossible] = field(default_factory=list)
    cells: Sequence[Cell] = field(default_factory=list)
