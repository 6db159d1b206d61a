"""What a benchmark keeps: numbers, and what they were measured on. bench.schema.json is this as a JSON schema."""

from __future__ import annotations

import json
import math
import os
import platform
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from wasm.toolchain.support.paths import PROJECT_DIR
from web_tests.bench.engines import Engine
from web_tests.bench.statistics import Spread
from web_tests.bench.verdict import Verdict
from web_tests.demo_table import BrowserFacts

SCHEMA_FILE = Path(__file__).with_name("bench.schema.json")
# Raised when a reader of older results could misunderstand newer ones.
FORMAT = 1


@dataclass(frozen=True)
class Placement:
    """How ours runs a model: direct, stepped, blocking or cpu, and what of it WebNN has."""

    execution_mode: str
    nodes_delegated: int
    partitions: int


@dataclass(frozen=True)
class SpeedRow:
    """An engine's speed on a model.

    Attributes:
        ms: one run, input and output copies included; None where there was none.
        measure: the engine that this one is compared with, the same model in the same round.
        ratio: its time over the measure's: above 1, the measure is faster.
        failure: why there are no times, or why they end early.
    """

    model: str
    engine: str
    verdict: Verdict
    ms: Spread | None = None
    measure: str = ""
    ratio: Spread | None = None
    placement: Placement | None = None
    failure: str = ""


@dataclass(frozen=True)
class LoadRow:
    """An engine's way to the first result, each time in a browser that has seen nothing.

    Attributes:
        library_ms, compile_ms, first_run_ms: getting the library, loading the model, running it once.
        total_ms: the sum.
        measure, ratio: as of SpeedRow, of the sums.
        longest_wait_ms: how long a timer of the page had to wait until the model was loaded, in the worst case.
        long_tasks: how many tasks of 50 ms or more the browser saw meanwhile.
        downloaded_bytes, gzip_bytes: of the library; the second is what a server sends with gzip -9.
        files: the same file by file: [size, size with gzip -9].
        memory_bytes, peak_memory_bytes: what the browser's processes hold more than before, after and meanwhile.
    """

    model: str
    engine: str
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
    """A model: its size, its nodes, and why engines that take another form of it do not run it."""

    name: str
    size_bytes: int
    nodes: int
    quantized: bool
    missing_forms: Mapping[str, str]


@dataclass(frozen=True)
class Result:
    """All of a benchmark. `load_average` is that of the machine, before and after, over the last minute."""

    machine: Mapping[str, Any]
    browser: BrowserFacts
    engines: Sequence[Engine]
    rounds: int
    load_rounds: int
    models: Sequence[ModelRow]
    speed: Sequence[SpeedRow]
    loading: Sequence[LoadRow]
    load_average: tuple[float, float]
    started: str
    revision: str

    def to_json(self) -> dict[str, Any]:
        """Return what bench.schema.json describes."""
        engines = [
            {"name": engine.name, "group": engine.group, "version": engine.version, "is_measure": engine.is_measure}
            for engine in self.engines
        ]
        return {"format": FORMAT, **finite({**_fields(self), "engines": engines})}


def _fields(result: Result) -> dict[str, Any]:
    rows = ("models", "speed", "loading")
    simple = ("machine", "rounds", "load_rounds", "load_average", "started", "revision")
    return {
        **{name: getattr(result, name) for name in simple},
        "browser": asdict(result.browser),
        **{name: [asdict(row) for row in getattr(result, name)] for name in rows},
    }


def finite(value: Any) -> Any:
    """Replace what JSON does not have: tuples by lists, and what is no finite number by null."""
    if isinstance(value, Mapping):
        return {key: finite(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [finite(item) for item in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


def machine_facts() -> dict[str, Any]:
    """Return what of this machine decides about speed."""
    text = Path("/proc/cpuinfo").read_text(encoding="utf-8") if Path("/proc/cpuinfo").exists() else ""
    lines = [line.partition(":") for line in text.split("\n\n")[0].splitlines()]
    fields = {key.strip(): value.strip() for key, _, value in lines}
    wanted = ("avx2", "fma", "avx512f", "avx512_vnni", "avx_vnni", "asimd", "asimddp", "i8mm")
    features = set((fields.get("flags") or fields.get("Features") or "").split())
    return {
        "processor": fields.get("model name", platform.processor() or platform.machine()),
        "cores": os.cpu_count(),
        "features": [name for name in wanted if name in features],
        "memory_bytes": os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"),
        "system": f"{platform.system()} {platform.release()}",
    }


def revision() -> str:
    """Return this checkout's commit, with + where files were changed since; empty outside of git."""
    command = ["git", "describe", "--always", "--abbrev=12", "--dirty=+"]
    done = subprocess.run(command, cwd=PROJECT_DIR, capture_output=True, text=True, check=False)
    return done.stdout.strip()


def now() -> str:
    """Return the time as ISO 8601 has it, in seconds."""
    return datetime.now(UTC).isoformat(timespec="seconds")


def write(result: Result, file: Path) -> None:
    """Write a result as JSON."""
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps(result.to_json(), indent=1, allow_nan=False) + "\n", encoding="utf-8")


def read(file: Path) -> Result:
    """Read a result as it was written; engines have only what the JSON has of them."""
    data = json.loads(file.read_text(encoding="utf-8"))
    rows: dict[str, Any] = {
        "browser": BrowserFacts(**data["browser"]),
        "engines": [Engine(**row) for row in data["engines"]],
        "models": [ModelRow(**row) for row in data["models"]],
        "speed": [SpeedRow(**_typed(row)) for row in data["speed"]],
        "loading": [LoadRow(**_typed(row)) for row in data["loading"]],
        "load_average": tuple(data["load_average"]),
    }
    simple = ("machine", "rounds", "load_rounds", "started", "revision")
    return Result(**rows, **{name: data[name] for name in simple})


def _typed(row: Mapping[str, Any]) -> dict[str, Any]:
    """Make a row's parts what they were."""
    classes = {"verdict": Verdict, "placement": Placement}
    spreads = {key: Spread for key, value in row.items() if isinstance(value, Mapping) and "median" in value}
    made = {**classes, **spreads}
    return {key: made[key](**value) if key in made and value is not None else value for key, value in row.items()}
