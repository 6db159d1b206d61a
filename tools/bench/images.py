"""`build.py bench --images`: the time of imageToTensor() for pictures of 640 x 480 as inputs of 224 x 224."""

import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from PIL import Image
from rich.console import Console

from support.console import output
from tools.bench.statistics import Spread, spread
from tools.measuring.browser import BrowserFacts, measuring_browser
from tools.measuring.measurement import check_package
from tools.measuring.printing import grid_of, print_answer, show_grid
from web_tests.drivers import images
from web_tests.drivers.harness import Harness
from web_tests.drivers.images import Conversion
from web_tests.models.recipes import picture_path
from web_tests.server.server import Server

PICTURE = "chelsea"
PICTURE_SIZE = (640, 480)
SHAPE = (1, 224, 224, 3)
FLOATS = {"range": [-1, 1]}
REGION = {"center": {"x": 320, "y": 240}, "width": 300, "height": 300, "rotation": 0.3}
# What is measured: name, kind of source, type of the input, options.
CASES: Sequence[tuple[str, str, str, Mapping[str, Any]]] = (
    ("stretch", "ImageData", "float32", FLOATS),
    ("stretch", "ImageData", "uint8", {}),
    ("stretch", "HTMLCanvasElement", "float32", FLOATS),
    ("stretch", "ImageBitmap", "float32", FLOATS),
    ("stretch", "VideoFrame", "float32", FLOATS),
    ("crop", "HTMLCanvasElement", "float32", {**FLOATS, "fit": "crop"}),
    ("letterbox", "HTMLCanvasElement", "float32", {**FLOATS, "fit": "letterbox"}),
    ("rotated region", "HTMLCanvasElement", "float32", {**FLOATS, "region": REGION}),
    ("stretch, antialias", "ImageData", "float32", {**FLOATS, "antialias": True}),
)
# Conversions per round; browsers recompile hot code in the first ones.
CALLS_PER_ROUND = 10
WARMUP_CALLS = 50
# The goal, for floats without antialias.
GOAL_MS = 2.0


@dataclass(frozen=True)
class Row:
    """The milliseconds of one conversion."""

    name: str
    source: str
    dtype: str
    ms: Spread


def run(*, json_output: bool, browser: Path | None, rounds: int) -> int:
    """Print the times, and return the exit status.

    Raises:
        BuildError: there is no package or no browser.
    """
    check_package()
    with measuring_browser(browser) as (running, facts), Server() as server:
        rows = measure(Harness(running.new_page(), server), rounds * CALLS_PER_ROUND)
    if json_output:
        print_answer(facts, rows)
    else:
        show(output, facts, rows)
    return 0


def measure(harness: Harness, count: int) -> list[Row]:
    """Time each of CASES."""
    url = f"/exchange/{harness.send(_picture())}"
    rows = []
    for name, kind, dtype, options in CASES:
        conversion = Conversion(kind, url, SHAPE, dtype, options)
        times = images.time_conversions(harness, conversion, WARMUP_CALLS + count)[WARMUP_CALLS:]
        rows.append(Row(name, kind, dtype, spread(times)))
    return rows


def show(console: Console, facts: BrowserFacts, rows: Sequence[Row]) -> None:
    """Print the table."""
    grid = grid_of(("conversion", "source", "input"), ("ms", "least"))
    for row in rows:
        grid.add_row(row.name, row.source, row.dtype, str(row.ms), f"{row.ms.least:.3f}")
    width, height = PICTURE_SIZE
    note = (
        f"{width} x {height} pixels to {SHAPE[2]} x {SHAPE[1]}: medians, with quartiles in brackets. The goal for "
        f"floats without antialias: {GOAL_MS:g} ms."
    )
    show_grid(console, facts, grid, note)


def _picture() -> bytes:
    file = io.BytesIO()
    with Image.open(picture_path(PICTURE)) as image:
        image.convert("RGB").resize(PICTURE_SIZE).save(file, "PNG")
    return file.getvalue()
