"""Tables of the tools, and the line about their browser."""

import json
import os
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from tools.measuring.browser import BrowserFacts
from tools.support.console import PrintableConsole

# The table's width if standard output is a file or a pipe.
FILE_WIDTH = 140
ABSENT = "–"


def on_wide_paper(console: Console) -> Console:
    """Return a console wide enough for tables: the terminal's width, or PAPER_WIDTH for a file or a pipe."""
    return console if console.is_terminal else PrintableConsole(file=console.file, width=FILE_WIDTH, highlight=False)


def browser_line(facts: BrowserFacts) -> str:
    """Return the browser's name, and whether WebNN works in it."""
    webnn = "[green]WebNN works[/green]" if facts.webnn else f"[yellow]no WebNN[/yellow]: {escape(facts.webnn_reason)}"
    return f"{escape(facts.title)} {escape(facts.version)} ({escape(facts.executable)}): {webnn}"


def print_answer(facts: BrowserFacts, rows: Sequence[Any], **more: Any) -> None:
    """Print a benchmark's rows (dataclasses) as JSON, with its browser and the load averages."""
    answer = {"browser": asdict(facts), **more, "load": os.getloadavg(), "rows": [*map(asdict, rows)]}
    print(json.dumps(answer, indent=2))


def grid_of(texts: Sequence[str], numbers: Sequence[str]) -> Table:
    """Return a table without rows: columns of texts, then of numbers."""
    grid = Table(*texts)
    for title in numbers:
        grid.add_column(title, justify="right")
    return grid


def show_grid(console: Console, facts: BrowserFacts, grid: Table, note: str) -> None:
    """Print a benchmark's table, its browser above, a note and the load average below."""
    console = on_wide_paper(console)
    console.print(browser_line(facts), soft_wrap=True)
    console.print(grid)
    load = f"{os.getloadavg()[0]:.1f} of {os.cpu_count()} cores"
    console.print(f"{note} Load average: {load}.", style="dim", soft_wrap=True)
