"""Two consoles: `console` (standard error) for progress, `output` (standard output) for results."""

import time
from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console

console = Console(stderr=True, highlight=False)
output = Console(highlight=False)


@contextmanager
def step(title: str) -> Iterator[None]:
    """Print a step's title and, on success, its seconds."""
    console.print(f"[bold]==>[/bold] {title}")
    start = time.monotonic()
    yield
    console.print(f"    [green]done[/green] in {time.monotonic() - start:.1f} s: {title}")
