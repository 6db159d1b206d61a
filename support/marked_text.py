"""Documents with a section that a command rewrites, between two marks."""

from support.errors import BuildError


class MissingMarkError(BuildError):
    """The document has no section for the text."""


def replaced(document: str, begin: str, end: str, text: str, *, where: object = "") -> str:
    """Return a document with another text between two marks.

    Args:
        document: its text.
        begin: the mark before the section.
        end: the mark behind it.
        text: what is between the marks then.
        where: the document's file, for the error.

    Raises:
        MissingMarkError: a mark is missing.
    """
    before, found_begin, remainder = document.partition(begin)
    _, found_end, after = remainder.partition(end)
    if not (found_begin and found_end):
        raise MissingMarkError(f"the document has no lines {begin} and {end}", where=str(where))
    return f"{before}{begin}{text}{end}{after}"
