"""A profile as one HTML file: bars as wide as their times are long, below what they are in."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from web_tests.profile.spans import Kind, Span, op_times
from web_tests.profile.tables import WHERE, share

TEMPLATE = "flame.html.jinja"


@dataclass(frozen=True)
class Bar:
    """A span on the page; `left` and `width` are parts of the run, `row` counts from the top."""

    title: str
    details: str
    kind: Kind
    row: int
    left: float
    width: float


def render(root: Span, title: str, facts: str) -> str:
    """Return the page.

    Args:
        root: the run.
        title: what was profiled.
        facts: on what, and how, in a line.
    """
    folder = FileSystemLoader(Path(__file__).parent)
    environment = Environment(loader=folder, autoescape=True, undefined=StrictUndefined, trim_blocks=True)
    bars = bars_of(root)
    rows = [(time.op, WHERE[time.kind], time.count, f"{time.ms:.3f}", share(time.ms, root)) for time in op_times(root)]
    page = environment.get_template(TEMPLATE)
    return page.render(title=title, facts=facts, bars=bars, depth=1 + max(bar.row for bar in bars), types=rows)


def bars_of(root: Span) -> list[Bar]:
    """Return a bar for each span, parents before what is inside."""
    bars: list[Bar] = []

    def add(span: Span, row: int, start: float) -> None:
        whole = root.ms or 1.0
        details = f"{span.op} {span.name}".strip() + f"\n{span.ms:.3f} ms, {share(span.ms, root)} % of the run"
        bars.append(Bar(span.op, details, span.kind, row, start / whole, span.ms / whole))
        for child in span.children:
            add(child, row + 1, start)
            start += child.ms

    add(root, 0, 0.0)
    return bars
