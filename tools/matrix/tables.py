"""The matrix as tables for a console."""

import statistics
from collections.abc import Sequence

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from tools.matrix.result import Cell, EngineRow, Impossible, Matrix
from tools.measuring.printing import on_wide_paper

COLOURS = {"right": "green", "wrong": "red", "failed": "red"}


def show(console: Console, matrix: Matrix) -> None:
    """Print a table for each engine, then the red cells, then the reasons of the empty ones."""
    console = on_wide_paper(console)
    for row in matrix.engines:
        console.print(escape(_title(row)), soft_wrap=True, style="red" if row.failure else "bold")
        if row.name in {cell.engine for cell in matrix.cells} | {way.engine for way in matrix.impossible}:
            console.print(_table(matrix, row.name))
        for reason, ways in _reasons(matrix.impossible, row.name).items():
            console.print(f"  – {escape(reason)}: {escape(', '.join(ways))}", style="dim", soft_wrap=True)
    red = matrix.red()
    for cell in red:
        console.print(f"[red]{escape(in_words(cell))}[/red]", soft_wrap=True)
    right = len(matrix.cells) - len(red)
    console.print(
        f"{right} of {len(matrix.cells)} cells match native LiteRT ({matrix.reference}); "
        f"{len(matrix.impossible)} combinations are impossible. Milliseconds are the median over "
        "the models of each one's median, and include background load.",
        soft_wrap=True,
    )


def in_words(cell: Cell) -> str:
    """Return a cell's result as one line."""
    where = f"{cell.engine}, {cell.place}, {cell.execution}, {cell.model}: {cell.status}"
    difference = f", {cell.difference:.2g} of {cell.tolerance:g} {cell.unit}" if cell.difference is not None else ""
    return f"{where}{difference}{f': {cell.note}' if cell.note else ''}"


def _title(row: EngineRow) -> str:
    if row.missing:
        return f"{row.name}: {row.missing}"
    what = f"{row.name}: {row.title} {row.version}".rstrip() + f", by {row.driver}"
    return f"{what}; it failed: {row.failure}" if row.failure else what


def _table(matrix: Matrix, engine: str) -> Table:
    grid = Table("execution")
    for place in matrix.places:
        grid.add_column(place.title, justify="right")
    for execution in matrix.executions:
        texts = [_text(matrix, engine, place.name, execution.name) for place in matrix.places]
        if any(texts):
            grid.add_row(escape(execution.title), *texts)
    return grid


def _text(matrix: Matrix, engine: str, place: str, execution: str) -> str:
    way = (engine, place, execution)
    found = [cell for cell in matrix.cells if (cell.engine, cell.place, cell.execution) == way]
    if not found:
        return "[dim]–[/dim]" if any((row.engine, row.place, row.execution) == way for row in matrix.impossible) else ""
    counts = {status: sum(cell.status == status for cell in found) for status in COLOURS}
    words = [f"[{COLOURS[status]}]{count} {status}[/]" for status, count in counts.items() if count]
    times = [cell.ms for cell in found if cell.ms is not None]
    return ", ".join(words) + (f", {statistics.median(times):.2f} ms" if times else "")


def _reasons(impossible: Sequence[Impossible], engine: str) -> dict[str, list[str]]:
    """Return the impossible combinations of an engine, by reason."""
    ways: dict[str, list[str]] = {}
    for row in impossible:
        if row.engine == engine:
            ways.setdefault(row.reason, []).append(f"{row.execution} ({row.place})")
    return ways
