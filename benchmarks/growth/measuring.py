"""Writes the models, runs growth.mjs in Node, and prints its table."""

import json
import os
import tempfile
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType

from benchmarks.growth.document import MAX_FACTOR, TITLES, GrowthResult, GrowthRow, cells
from benchmarks.growth.models import MODELS
from support import command
from support.console import console, output
from support.errors import BuildError
from support.markdown_table import table
from support.npm import pinned_node
from support.paths import PACKAGE_DIR
from tools import result_file
from tools.bench.result import machine_info, now, revision
from web_tests.limits.saved import CHROMIUM_147, read_limits

SCRIPT = Path(__file__).with_name("growth.mjs")
# The file in a result's directory.
FILE = "growth.json"
# A run has no collection in it: how many there are depends on the sizes of the engine's spaces more than on the input.
NODE_FLAGS = ("--expose-gc", "--single-threaded-gc", "--min-semi-space-size=512", "--max-semi-space-size=512")
# The first is what any model costs, and is subtracted.
SIZES = (1, 1000, 2000, 4000)


# Cases that grow faster in TensorFlow Lite's own code, and what limits them. A cube would be 8.
MAX_KNOWN_FACTOR = 6
_PLANNER = "TFLite's memory planner compares tensors that live at the same time; a load may compare 100 million pairs"
KNOWN_SQUARES: Mapping[str, str] = MappingProxyType(
    {
        "branches: explain and export": "TFLite removes the delegates from each branch, and then resets a flag of all "
        "subgraphs; a file has at most 10,000 of them",
        "inputs and outputs: load": _PLANNER,
        "inputs and outputs: plan memory": _PLANNER,
        "partitions: load": "XNNPACK's delegate looks at all tensors for each partition; partitions times nodes are "
        "at most 20 million",
        "readers: load": _PLANNER,
    }
)


class GrowthError(BuildError):
    """There is no such case."""


def is_too_fast(row: GrowthRow) -> bool:
    """Whether a case grows faster than it may."""
    return row.factor > (MAX_KNOWN_FACTOR if row.name in KNOWN_SQUARES else MAX_FACTOR)


def measure(only: str) -> GrowthResult:
    """Measure the cases whose name contains a text, and print each on standard error; the fastest growth first."""
    started, load_before, rows = now(), os.getloadavg()[0], []

    def add(line: str) -> None:
        if line.startswith("{"):  # not a warning of Node
            rows.append(with_remark(GrowthRow(**json.loads(line))))
            console.print(f"    {rows[-1].name}: {rows[-1].factor:.2f}", soft_wrap=True, markup=False)

    with tempfile.TemporaryDirectory(prefix="tflite-webnn-") as temporary:
        write_models(Path(temporary), only)
        node: list[str | Path] = [pinned_node(), *NODE_FLAGS, SCRIPT, PACKAGE_DIR, temporary, only]
        command.run(node, quiet=True, on_line=add)
    if not rows:
        raise GrowthError(f"no case has {only!r} in its name", hint="leave --only out to see all names")
    return GrowthResult(
        started=started,
        revision=revision(),
        machine=machine_info(),
        load_average=(load_before, os.getloadavg()[0]),
        rows=sorted(rows, key=lambda row: -row.factor),
    )


def with_remark(row: GrowthRow) -> GrowthRow:
    """Return a case with the reason why it grows faster than others, where it does and one is known."""
    return replace(row, remark=KNOWN_SQUARES.get(row.name, "")) if row.factor > MAX_FACTOR else row


def report(result: GrowthResult, *, out: Path | None = None) -> int:
    """Print the table; write the result into the directory `out`; return 1 if one grows faster than it may."""
    if out is not None:
        result_file.write(result, out / FILE)
        console.print(f"    {FILE} is in {out}")
    output.print(table(TITLES, map(cells, result.rows)), markup=False, soft_wrap=True)
    return int(any(map(is_too_fast, result.rows)))


def write_models(directory: Path, only: str) -> None:
    """Write NAME-SIZE.tflite for each model that a case of this name is of, and the limits of a browser."""
    (directory / "limits.json").write_text(json.dumps(read_limits(CHROMIUM_147)))
    for name, model in MODELS.items():
        if only in name or only.startswith(f"{name}:") or not only:
            for size in SIZES:
                (directory / f"{name}-{size}.tflite").write_bytes(model(size))
