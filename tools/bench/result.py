"""The result of a benchmark, with the machine and the browser. These dataclasses define bench.json."""

import os
import platform
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal

import pydantic

from support.command import CommandError, run
from support.paths import PROJECT_DIR
from tools.bench.runtimes import RuntimeRow
from tools.bench.verdict import Verdict
from tools.measuring.browser import BrowserInfo
from tools.measuring.statistics import Spread
from tools.result_file import STRICT

# ModelReport.executionMode, and xnnpack.dotProduct
ExecutionMode = Literal["direct", "stepped", "blocking", "cpu"]
DotProduct = Literal["none", "signed", "unsigned"]
# Increase it, here and in `Result`, if readers of older results could misunderstand newer ones.
FORMAT: Literal[1] = 1


@dataclass(frozen=True)
class Machine:
    """What decides a machine's speed; `features` are those of the processor that kernels use."""

    processor: str
    cores: int
    features: Sequence[str]
    memory_bytes: int
    system: str


@dataclass(frozen=True)
class Placement:
    """How our runtime runs a model: WebNN's part of it, the dot product that XNNPACK used in the engine, the threads.

    Old results have no dot product and no threads.
    """

    execution_mode: ExecutionMode
    nodes_delegated: int
    partitions: int
    dot_product: DotProduct | None = None
    threads: int | None = None


@dataclass(frozen=True)
class SpeedRow:
    """A runtime's speed on a model.

    Attributes:
        ms: one run, input and output copies included; None without a run.
        measure: the runtime that this one is compared with, on the same model in the same round.
        ratio: its time over that of the group's reference runtime: above 1, that one is faster.
        failure: why times are missing or end early.
    """

    model: str
    runtime: str
    verdict: Verdict
    ms: Spread | None = None
    measure: str = ""
    ratio: Spread | None = None
    placement: Placement | None = None
    failure: str = ""


@dataclass(frozen=True)
class LoadRow:
    """A runtime's time to the first result, each time in a fresh browser.

    Attributes:
        library_ms, compile_ms, first_run_ms: loading the library, loading the model, one run.
        total_ms: the sum.
        measure, ratio: as in SpeedRow, of the sums.
        longest_wait_ms: the longest delay of a timer in the page while the model loads.
        long_tasks: number of tasks of 50 ms or more meanwhile.
        downloaded_bytes, gzip_bytes: of the library, uncompressed and with gzip -9.
        files: the same per file: [size, size with gzip -9].
        memory_bytes, peak_memory_bytes: growth of the browser's processes, after loading and at the peak.
    """

    model: str
    runtime: str
    library_ms: Spread | None = None
    compile_ms: Spread | None = None
    first_run_ms: Spread | None = None
    total_ms: Spread | None = None
    measure: str = ""
    ratio: Spread | None = None
    longest_wait_ms: Spread | None = None
    long_tasks: float | None = None
    downloaded_bytes: int | None = None
    gzip_bytes: int | None = None
    files: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    memory_bytes: int | None = None
    peak_memory_bytes: int | None = None
    failure: str = ""


@dataclass(frozen=True)
class ModelRow:
    """A model: its size, its nodes (0 for a vision task), and why runtimes of other forms do not run it."""

    name: str
    size_bytes: int
    nodes: int
    quantized: bool
    missing_forms: Mapping[str, str]


@pydantic.dataclasses.dataclass(frozen=True, kw_only=True, config=STRICT)
class Result:
    """The entire result. Times are milliseconds; `load_average` is the machine's over a minute, before and after."""

    format: Literal[1] = FORMAT
    started: str
    revision: str
    machine: Machine
    browser: BrowserInfo
    load_average: tuple[float, float]
    rounds: int
    load_rounds: int
    runtimes: Sequence[RuntimeRow]
    models: Sequence[ModelRow]
    speed: Sequence[SpeedRow]
    loading: Sequence[LoadRow]


def machine_info() -> Machine:
    text = Path("/proc/cpuinfo").read_text(encoding="utf-8") if Path("/proc/cpuinfo").exists() else ""
    lines = [line.partition(":") for line in text.split("\n\n")[0].splitlines()]
    fields = {key.strip(): value.strip() for key, _, value in lines}
    relevant = ("avx2", "fma", "avx512f", "avx512_vnni", "avx_vnni", "asimd", "asimddp", "i8mm")
    features = set((fields.get("flags") or fields.get("Features") or "").split())
    return Machine(
        processor=fields.get("model name", platform.processor() or platform.machine()),
        cores=os.cpu_count() or 1,
        features=[name for name in relevant if name in features],
        memory_bytes=os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"),
        system=f"{platform.system()} {platform.release()}",
    )


def revision() -> str:
    """Return this checkout's commit, with + if files have changed since; empty outside git."""
    command = ["git", "describe", "--always", "--abbrev=12", "--dirty=+"]
    try:
        return run(command, cwd=PROJECT_DIR, capture=True, quiet=True).strip()
    except CommandError:
        return ""


def now() -> str:
    """Return the present time as ISO 8601, in seconds."""
    return datetime.now(UTC).isoformat(timespec="seconds")
