"""Tables of the tools, and the line about their browser."""

from rich.console import Console
from rich.markup import escape

from support.console import PrintableConsole
from tools.measuring.browser import BrowserInfo

# The table's width if standard output is a file or a pipe.
FILE_WIDTH = 140
ABSENT = "–"


def on_wide_paper(console: Console) -> Console:
    """Return a console wide enough for tables: the terminal's width, or PAPER_WIDTH for a file or a pipe."""
    return console if console.is_terminal else PrintableConsole(file=console.file, width=FILE_WIDTH, highlight=False)


def browser_line(info: BrowserInfo) -> str:
    """Return the browser's name, and whether WebNN works in it."""
    webnn = "[green]WebNN works[/green]" if info.webnn else f"[yellow]no WebNN[/yellow]: {escape(info.webnn_reason)}"
    return f"{escape(info.title)} {escape(info.version)} ({escape(info.executable)}): {webnn}"
