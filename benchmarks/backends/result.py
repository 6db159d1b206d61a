"""The result of `benchmarks.backends`, JSON lines: a model each."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pydantic

from tools import result_file
from tools.bench.result import ExecutionMode, SpeedRow
from tools.result_file import STRICT

# The file in a result's directory.
FILE = "backends.jsonl"
WEBNN, LITERT_WEBNN, LITERT_CPU = "tflite-webnn/webnn", "litert.js/webnn", "litert.js/wasm"
# The default backend is behind the faster one if it takes more than this share of its time.
BEHIND = 1.05


@dataclass(frozen=True)
class SignatureBackends:
    """A signature of a model.

    Attributes:
        signature: its key; empty for a model without signatures.
        by_default: where the default device runs it: `direct` is WebNN, `stepped` both.
        speed: of this project on WebNN and on the CPU, LiteRT.js on WebNN and on the CPU. The first has its ratio to
            the second, LiteRT.js to this project on the same backend.
    """

    signature: str
    by_default: ExecutionMode
    speed: Sequence[SpeedRow]

    @property
    def webnn_over_cpu(self) -> float | None:
        """This project's time on WebNN over that on the CPU."""
        return _ratio(self.speed[0])

    @property
    def webnn_over_litert(self) -> float | None:
        """Our time over LiteRT.js's, both on WebNN."""
        return _inverse(_ratio(self.speed[2]))

    @property
    def cpu_over_litert(self) -> float | None:
        """Our time over LiteRT.js's, both on the CPU."""
        return _inverse(_ratio(self.speed[3]))

    @property
    def behind(self) -> float:
        """The default backend's time over the faster one's; 1 where that is the default, or where one is missing."""
        ratio = self.webnn_over_cpu
        if ratio is None or self.by_default not in ("direct", "cpu"):
            return 1.0
        return max(1.0, ratio if self.by_default == "direct" else 1 / ratio)


@pydantic.dataclasses.dataclass(frozen=True, kw_only=True, config=STRICT)
class ModelBackends:
    """A model.

    Times are milliseconds; `failure` is why signatures are missing; `load_average` is the machine's before the run.
    """

    model: str
    started: str
    revision: str
    browser: str
    rounds: int
    load_average: float
    nodes: int = 0
    signatures: Sequence[SignatureBackends] = ()
    failure: str = ""


def read(file: Path) -> list[ModelBackends]:
    """Return the models of a file, each as it was measured last; none if there is no file.

    Raises:
        ResultFileError: a line is not a result of this version.
    """
    lines = file.read_text(encoding="utf-8").splitlines() if file.exists() else []
    rows = [
        result_file.parse(ModelBackends, line, where=f"{file}, line {number}") for number, line in enumerate(lines, 1)
    ]
    return list({row.model: row for row in rows}.values())


def add(file: Path, row: ModelBackends) -> None:
    """Append a model."""
    file.parent.mkdir(parents=True, exist_ok=True)
    with file.open("a", encoding="utf-8") as stream:
        stream.write(result_file.to_line(row) + "\n")


def _ratio(row: SpeedRow) -> float | None:
    """Return a row's ratio; none of a wrong output."""
    return row.ratio.median if row.ratio and row.verdict.grade != "WRONG" else None


def _inverse(ratio: float | None) -> float | None:
    return 1 / ratio if ratio else None
