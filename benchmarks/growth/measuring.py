"""Writes the models, runs growth.mjs in Node, and prints its table."""

import json
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.growth.models import MODELS
from support.console import console, output
from support.errors import BuildError
from support.markdown_table import table
from support.npm import pinned_node
from support.paths import PACKAGE_DIR
from web_tests.limits.saved import CHROMIUM_147, read_limits

SCRIPT = Path(__file__).with_name("growth.mjs")
# What twice the input costs, at most.
MAX_FACTOR = 2.2
# The first is what any model costs, and is subtracted.
SIZES = (1, 1000, 2000, 4000)
TITLES = ("case", "size", "ms", "at twice", "at four times", "factor")


class GrowthError(BuildError):
    """A case failed."""


@dataclass(frozen=True)
class Growth:
    """A case: milliseconds of processor time at each size, and the factor from a size to twice of it."""

    name: str
    sizes: Sequence[int]
    ms: Sequence[float]
    factor: float


def run(only: str) -> int:
    """Measure the cases whose name contains a text; return the exit status, 1 if one grows too fast."""
    rows = []
    with tempfile.TemporaryDirectory(prefix="tflite-webnn-") as temporary:
        write_models(Path(temporary), only)
        for row in _measured(Path(temporary), only):
            console.print(f"    {row.name}: {row.factor:.2f}", soft_wrap=True, markup=False)
            rows.append(row)
    if not rows:
        raise GrowthError(f"no case has {only!r} in its name", hint="leave --only out to see all names")
    rows.sort(key=lambda row: -row.factor)
    cells = [(row.name, row.sizes[0], *row.ms, f"{row.factor:.2f}") for row in rows]
    output.print(table(TITLES, cells), markup=False, soft_wrap=True)
    return int(any(row.factor > MAX_FACTOR for row in rows))


def write_models(folder: Path, only: str) -> None:
    """Write NAME-SIZE.tflite for each model that a case of this name is of, and the limits of a browser."""
    (folder / "limits.json").write_text(json.dumps(read_limits(CHROMIUM_147)))
    for name, model in MODELS.items():
        if only in name or only.startswith(f"{name}:") or not only:
            for size in SIZES:
                (folder / f"{name}-{size}.tflite").write_bytes(model(size))


def _measured(folder: Path, only: str) -> Iterator[Growth]:
    command = [pinned_node(), "--expose-gc", str(SCRIPT), str(PACKAGE_DIR), str(folder), only]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        for line in process.stdout or ():
            yield Growth(**json.loads(line))
    if process.returncode != 0:
        raise GrowthError(f"Node ended with {process.returncode}", where=str(SCRIPT))
