"""`build.py demo --readme`: writes the demo's table into README.md."""

import os
from collections.abc import Sequence
from datetime import date
from pathlib import Path

from support.markdown_table import table
from support.marked_text import write_between
from support.paths import PROJECT_DIR
from tools.measuring.browser import BrowserFacts
from tools.measuring.measurement import Measurement, Timing
from tools.measuring.printing import ABSENT

README = PROJECT_DIR / "README.md"
BEGIN, END = "<!-- Made by `python3 build.py demo --readme` -->", "<!-- End of the demo's table -->"
TITLES = ("model", "nodes on WebNN", "difference on WebNN", "XNNPACK wasm, ms", "WebNN, ms", "ratio")
TEXT = """
`demo` printed this table on {day}, on {cores} cores (load average {load:.1f}), in {title} {version}, with the variant
{variants} of the wasm module. It prefers `relaxed-simd` after `build.py build --variant all`; by default it builds
`simd`. "Difference" is the largest difference from native LiteRT on a real picture, relative to the output's range.
Times are medians of {rounds} rounds in which both runtimes take turns; the ratio is the median of the rounds' ratios.

{table}

"""


def write(facts: BrowserFacts, rounds: int, rows: Sequence[Measurement], file: Path = README) -> None:
    """Write the table between the marks of the README.

    Raises:
        NoPlaceError: the marks are missing.
    """
    write_between(file, BEGIN, END, text(facts, rounds, rows))


def text(facts: BrowserFacts, rounds: int, rows: Sequence[Measurement]) -> str:
    """Return the table and how it was made, in Markdown."""
    variants = ", ".join(f"`{variant}`" for variant in sorted({row.variant for row in rows}))
    return TEXT.format(
        day=date.today().isoformat(),
        cores=os.cpu_count(),
        load=os.getloadavg()[0],
        title=facts.title,
        version=facts.version,
        variants=variants,
        rounds=rounds,
        table=table(TITLES, [_cells(row) for row in rows]),
    )


def _cells(row: Measurement) -> Sequence[object]:
    difference = ABSENT if row.webnn_difference is None else f"{row.webnn_difference.relative:.0e}"
    ratio = ABSENT if row.ratio is None else f"{row.ratio:.2f}"
    return (row.name, f"{row.nodes_delegated}/{row.nodes_total}", difference, _ms(row.cpu), _ms(row.webnn), ratio)


def _ms(timing: Timing | None) -> str:
    return ABSENT if timing is None else f"{timing.median_ms:.1f}"
