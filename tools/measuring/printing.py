"""How the tools print tables and the browser that they used."""

from __future__ import annotations

from rich.console import Console
from rich.markup import escape

from tools.measuring.browser import BrowserFacts

# The table's width where standard output is a file or a pipe.
FILE_WIDTH = 140
ABSENT = "–"


def on_wide_paper(console: Console) -> Console:
    """Return a console on which tables fit: the terminal has its own width, a file or a pipe any."""
    return console if console.is_terminal else Console(file=console.file, width=FILE_WIDTH, highlight=False)


def browser_line(facts: BrowserFacts) -> str:
    """Return which browser it is and whether WebNN works in it."""
    webnn = "[green]WebNN works[/green]" if facts.webnn else f"[yellow]no WebNN[/yellow]: {escape(facts.webnn_reason)}"
    return f"{escape(facts.title)} {escape(facts.version)} ({escape(facts.executable)}): {webnn}"
