"""Documents with a place that a command rewrites, between two marks."""

from pathlib import Path

from support.errors import BuildError


class NoPlaceError(BuildError):
    """The document has no place for the text."""


def between(file: Path, begin: str, end: str) -> str:
    """Return the text between two marks of a document.

    Raises:
        NoPlaceError: a mark is missing.
    """
    return _parts(file, begin, end)[1]


def write_between(file: Path, begin: str, end: str, text: str) -> None:
    """Write a text between two marks of a document; all other text stays.

    Raises:
        NoPlaceError: a mark is missing.
    """
    before, _, after = _parts(file, begin, end)
    file.write_text(f"{before}{begin}{text}{end}{after}", encoding="utf-8")


def _parts(file: Path, begin: str, end: str) -> tuple[str, str, str]:
    before, found_begin, remainder = file.read_text(encoding="utf-8").partition(begin)
    text, found_end, after = remainder.partition(end)
    if not (found_begin and found_end):
        raise NoPlaceError(f"the document has no lines {begin} and {end}", where=str(file))
    return before, text, after
