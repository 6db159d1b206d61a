"""Two consoles: `console` (standard error) for progress, `output` (standard output) for results."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from rich.console import Console
from rich.text import Text

from support.printable import printable_lines


class PrintableConsole(Console):
    """Escapes control characters: names of models and messages of other programs are among what is printed."""

    def render_str(self, text: str, **options: Any) -> Text:
        """Return the text of a string, or of a cell of a table."""
        return super().render_str(printable_lines(text), **options)


console = PrintableConsole(stderr=True, highlight=False)
output = PrintableConsole(highlight=False)


@contextmanager
def step(title: str) -> Iterator[None]:
    """Print a step's title and, on success, its seconds."""
    console.print(f"[bold]==>[/bold] {title}")
    start = time.monotonic()
    yield
    console.print(f"    [green]done[/green] in {time.monotonic() - start:.1f} s: {title}")
