"""Writes the models, runs growth.mjs in Node, and prints its table."""

import json
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

from benchmarks.growth.models import MODELS
from support import command
from support.console import console, output
from support.errors import BuildError
from support.markdown_table import table
from support.npm import pinned_node
from support.paths import PACKAGE_DIR
from web_tests.limits.saved import CHROMIUM_147, read_limits

SCRIPT = Path(__file__).with_name("growth.mjs")
# What twice the input costs, at most.
MAX_FACTOR = 2.2
# A run has no collection in it: how many there are depends on the sizes of the engine's spaces more than on the input.
NODE_FLAGS = ("--expose-gc", "--single-threaded-gc", "--min-semi-space-size=512", "--max-semi-space-size=512")
# The first is what any model costs, and is subtracted.
SIZES = (1, 1000, 2000, 4000)
TITLES = ("case", "size", "ms", "at twice", "at four times", "factor", "known")


# Cases that grow faster in TensorFlow Lite's own code, and what limits them. A cube would be 8.
MAX_KNOWN_FACTOR = 6
_PLANNER = "TFLite's memory planner compares tensors that live at the same time; a load may compare 100 million pairs"
KNOWN_SQUARES: Mapping[str, str] = MappingProxyType(
    {
        "branches: explain and export": "TFLite removes the delegates from each branch, and then resets a flag of all "
        "subgraphs; a file has at most 10,000 of them",
        "inputs and outputs: load": _PLANNER,
        "partitions: load": "XNNPACK's delegate looks at all tensors for each partition; partitions times nodes are "
        "at most 20 million",
        "readers: load": _PLANNER,
    }
)


class GrowthError(BuildError):
    """There is no such case."""


@dataclass(frozen=True)
class Growth:
    """A case: milliseconds of processor time at each size, and the factor from a size to twice of it."""

    name: str
    sizes: Sequence[int]
    ms: Sequence[float]
    factor: float

    @property
    def is_too_fast(self) -> bool:
        """Whether it grows faster than it may."""
        return self.factor > (MAX_KNOWN_FACTOR if self.name in KNOWN_SQUARES else MAX_FACTOR)

    @property
    def remark(self) -> str:
        """Why it grows faster than others; empty where it does not, or where nothing is known."""
        return KNOWN_SQUARES.get(self.name, "") if self.factor > MAX_FACTOR else ""


def run(only: str) -> int:
    """Measure the cases whose name contains a text; return the exit status: 1 if one grows faster than it may."""
    rows: list[Growth] = []

    def add(line: str) -> None:
        if line.startswith("{"):  # not a warning of Node
            rows.append(Growth(**json.loads(line)))
            console.print(f"    {rows[-1].name}: {rows[-1].factor:.2f}", soft_wrap=True, markup=False)

    with tempfile.TemporaryDirectory(prefix="tflite-webnn-") as temporary:
        write_models(Path(temporary), only)
        node: list[str | Path] = [pinned_node(), *NODE_FLAGS, SCRIPT, PACKAGE_DIR, temporary, only]
        command.run(node, quiet=True, on_line=add)
    if not rows:
        raise GrowthError(f"no case has {only!r} in its name", hint="leave --only out to see all names")
    rows.sort(key=lambda row: -row.factor)
    cells = [(row.name, row.sizes[0], *row.ms, f"{row.factor:.2f}", row.remark) for row in rows]
    output.print(table(TITLES, cells), markup=False, soft_wrap=True)
    return int(any(row.is_too_fast for row in rows))


def write_models(directory: Path, only: str) -> None:
    """Write NAME-SIZE.tflite for each model that a case of this name is of, and the limits of a browser."""
    (directory / "limits.json").write_text(json.dumps(read_limits(CHROMIUM_147)))
    for name, model in MODELS.items():
        if only in name or only.startswith(f"{name}:") or not only:
            for size in SIZES:
                (directory / f"{name}-{size}.tflite").write_bytes(model(size))
