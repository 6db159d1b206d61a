"""Text of files for terminals and logs, to which control characters would be commands, and lines of CI's commands."""

import re

CONTROLS = re.compile("[\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]")
# `::error::` at the beginning of a line, `##[error]` and `##vso[...]` anywhere.
COMMANDS = re.compile(r"^(\s*):(?=:)|#(?=#(?:vso)?\[)", re.MULTILINE)
# Of names and messages: a file's may have megabytes.
MAX_LENGTH = 10_000


def printable(text: str) -> str:
    r"""Return the text in one line, its control characters as `\u001b`; cut where it is too long."""
    cut = f" (and {len(text) - MAX_LENGTH} more characters)" if len(text) > MAX_LENGTH else ""
    return _escaped(text[:MAX_LENGTH]) + cut


def printable_lines(text: str) -> str:
    """Return the text with its line breaks and tabs, all other control characters escaped."""
    return _escaped(text, kept="\n\t")


def _escaped(text: str, kept: str = "") -> str:
    lines = CONTROLS.sub(lambda found: found[0] if found[0] in kept else f"\\u{ord(found[0]):04x}", text)
    return COMMANDS.sub(lambda found: f"{found[1] or ''}\\u{ord(found[0][-1]):04x}", lines)
