"""The result of `benchmarks.gpu`, which check.mjs writes."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import pydantic

from tools.bench.verdict import WRONG_BEYOND
from tools.measuring.statistics import Spread, spread
from tools.result_file import STRICT

Grade = Literal["close", "off", "WRONG"]
# More than a new result may have to be cited.
UNKNOWN_LOAD = (100.0, 100.0)


@dataclass(frozen=True)
class Adapter:
    """WebGPU's GPUAdapterInfo; `software`: it emulates a GPU on the processor."""

    vendor: str
    architecture: str
    device: str
    description: str
    software: bool


@dataclass(frozen=True)
class RuntimeVersion:
    """A runtime's name and version."""

    name: str
    version: str


@dataclass(frozen=True)
class SpeedRow:
    """A model on a runtime.

    Attributes:
        mode: the execution mode of this project's.
        error: largest difference from native LiteRT over the output's range; None if the output has NaN.
        limit: the tests' tolerance for it.
        load_ms, first_ms: loading the model, and the first run, which compiles the GPU's kernels.
        ms: the timed runs.
        failure: why there are none.
    """

    model: str
    runtime: str
    mode: str = ""
    error: float | None = None
    limit: float = 0.0
    load_ms: float = 0.0
    first_ms: float = 0.0
    ms: Sequence[float] = ()
    failure: str = ""

    @property
    def grade(self) -> Grade:
        """Close is within the tests' tolerance, off beyond it, WRONG another output."""
        if self.error is None or self.error > WRONG_BEYOND:
            return "WRONG"
        return "close" if self.error <= self.limit else "off"

    @property
    def spread(self) -> Spread | None:
        """Median and quartiles of the timed runs."""
        return spread(self.ms) if self.ms else None


@dataclass(frozen=True)
class Check:
    """A check of tensors, losses or memory, and its result."""

    name: str
    passed: bool
    detail: str


@pydantic.dataclasses.dataclass(frozen=True, kw_only=True, config=STRICT)
class GpuResult:
    """The result.

    Attributes:
        card: what nvidia-smi says: the card's name and its driver.
        load_average: before and after; that of the first result is not known.
    """

    started: str
    revision: str
    adapter: Adapter
    card: str
    processor: str
    cores: int
    node: str
    dawn: str
    runtimes: Sequence[RuntimeVersion]
    speed: Sequence[SpeedRow]
    checks: Sequence[Check]
    load_average: tuple[float, float] = UNKNOWN_LOAD

    def problems(self, own: Sequence[str]) -> list[str]:
        """Return failures and wrong outputs of this project's runtimes, and failed checks."""
        rows = [row for row in self.speed if row.runtime in own]
        failed = [f"{row.model} on {row.runtime}: {row.failure}" for row in rows if row.failure]
        wrong = [
            f"{row.model} on {row.runtime}: {row.grade}" for row in rows if not row.failure and row.grade == "WRONG"
        ]
        return [*failed, *wrong, *(f"{check.name}: {check.detail}" for check in self.checks if not check.passed)]
