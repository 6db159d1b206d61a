"""Markdown's tables."""

from collections.abc import Iterator, Sequence


def table(titles: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    """Return a table; `|` in a cell becomes a space."""
    return "\n".join(_lines(titles, rows))


def _lines(titles: Sequence[str], rows: Sequence[Sequence[object]]) -> Iterator[str]:
    yield _line(titles)
    yield "|" + "---|" * len(titles)
    yield from map(_line, rows)


def _line(cells: Sequence[object]) -> str:
    return f"| {' | '.join(str(cell).replace('|', ' ') for cell in cells)} |"
