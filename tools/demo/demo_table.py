"""The demo's results: a table with reasons, or JSON."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from support.errors import BuildError
from tools import result_file
from tools.measuring.browser import BrowserInfo
from tools.measuring.measurement import Fallback, Measurement
from tools.measuring.printing import ABSENT, browser_line, on_wide_paper
from tools.measuring.statistics import Spread
from web_tests.references.comparison import Difference

MAX_NODES_LISTED = 8


def show(console: Console, info: BrowserInfo, rounds: int, measurements: Sequence[Measurement]) -> None:
    """Print the table and the reasons."""
    console = on_wide_paper(console)
    console.print(browser_line(info), soft_wrap=True)
    if measurements:
        console.print(table(measurements))
        console.print(
            f"Largest difference to native LiteRT: absolute (relative to the output's range). Times: median (minimum) "
            f"of {rounds} interleaved rounds; ratio: median of the rounds' ratios.",
            style="dim",
            soft_wrap=True,
        )
    for line in reason_lines(measurements, info):
        console.print(line, soft_wrap=True)


def table(measurements: Sequence[Measurement]) -> Table:
    """Return the table: a row per model."""
    variants = ", ".join(sorted({row.variant for row in measurements}))
    title = f"TensorFlow Lite on WebNN and on the CPU (XNNPACK in WebAssembly, {variants})"
    grid = Table(title=title, title_justify="left")
    grid.add_column("model", no_wrap=True)
    grid.add_column("on WebNN\nnodes", justify="right")
    grid.add_column("parts", justify="right")
    grid.add_column("mode")
    grid.add_column("difference\nWebNN", justify="right")
    grid.add_column("difference\nCPU", justify="right")
    grid.add_column("CPU ms", justify="right")
    grid.add_column("WebNN ms", justify="right")
    grid.add_column("ratio", justify="right")
    for row in measurements:
        grid.add_row(
            escape(row.name),
            f"{row.nodes_delegated}/{row.nodes_total}",
            str(row.partitions),
            row.execution_mode,
            difference_text(row.webnn_difference),
            difference_text(row.cpu_difference),
            timing_text(row.cpu),
            timing_text(row.webnn),
            ABSENT if row.ratio is None else f"{row.ratio:.2f}",
        )
    return grid


def difference_text(difference: Difference | None) -> str:
    """Return for example 7.6e-06 (1.6e-07)."""
    return ABSENT if difference is None else f"{difference.absolute:.1e} ({difference.relative:.0e})"


def timing_text(ms: Spread | None) -> str:
    """Return for example 12.3 (11.8)."""
    return ABSENT if ms is None else f"{ms.median:.2f} ({ms.min:.2f})"


def reason_lines(measurements: Sequence[Measurement], info: BrowserInfo) -> list[str]:
    """Return, per model, why nodes stay on the CPU, and other remarks."""
    lines: list[str] = []
    for reason, names in _by_reason(measurements).items():
        lines.append(f"{escape(names)}: on the CPU, because {escape(reason)}")
    for row in measurements:
        if row.reference_error:
            lines.append(f"{escape(row.name)}: no comparison: {escape(row.reference_error)}")
        if info.webnn and row.fallbacks:
            lines.append(f"{escape(row.name)}: stays on the CPU:")
            lines += [f"  {escape(fallback_text(fallback))}" for fallback in row.fallbacks]
    return lines


def _by_reason(measurements: Sequence[Measurement]) -> dict[str, str]:
    """Return model names by the reason why entire models do not run on WebNN."""
    names: dict[str, list[str]] = {}
    for row in measurements:
        if row.fallback_reason:
            names.setdefault(row.fallback_reason, []).append(row.name)
    return {reason: ", ".join(group) for reason, group in names.items()}


def fallback_text(fallback: Fallback) -> str:
    """Return for example 2 x RESHAPE (nodes 3, 7): the reason."""
    nodes = fallback.nodes
    listed = ", ".join(str(node) for node in nodes[:MAX_NODES_LISTED])
    more = "" if len(nodes) <= MAX_NODES_LISTED else ", ..."
    return f"{len(nodes)} x {fallback.op} ({'nodes' if len(nodes) > 1 else 'node'} {listed}{more}): {fallback.reason}"


def to_json(
    info: BrowserInfo, rounds: int, measurements: Sequence[Measurement], failures: Mapping[str, BuildError]
) -> dict[str, Any]:
    """Return what `--json` prints."""
    return {
        "browser": asdict(info),
        "rounds": rounds,
        "models": [result_file.to_json(row) for row in measurements],
        "failures": {name: failure_json(error) for name, error in failures.items()},
    }


def failure_json(error: BuildError) -> dict[str, str]:
    """Return an error's text and class (the package's own class if the page threw it)."""
    return {"name": getattr(error, "name", type(error).__name__), "message": error.what}
