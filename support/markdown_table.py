"""Markdown's tables."""

from collections.abc import Iterable, Sequence


def table(titles: Sequence[str], rows: Iterable[Iterable[object]]) -> str:
    """Return a table; `|` in a cell becomes a space."""
    return "\n".join([_line(titles), "|" + "---|" * len(titles), *map(_line, rows)])


def _line(cells: Iterable[object]) -> str:
    return f"| {' | '.join(str(cell).replace('|', ' ') for cell in cells)} |"
