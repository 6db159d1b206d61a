"""The sizes in the table of docs/guides/hosting.md: those of js/.size-limit.json, which a test enforces."""

import json
import re
from pathlib import Path

from support.errors import BuildError
from support.npm import JS_DIR
from support.paths import PROJECT_DIR

DOCUMENT = PROJECT_DIR / "docs" / "guides" / "hosting.md"
LIMITS = JS_DIR / ".size-limit.json"
# A row of the table: a file of the package, when a page fetches it, its largest size with gzip.
ROW = re.compile(r"^(\| `(\S+)` \| .* \| )[\d.]+ [kM]B \|$", re.MULTILINE)


class MissingLimitError(BuildError):
    """A file of the table has no limit."""


def document() -> str:
    """Return the document with the sizes of the limits.

    Raises:
        MissingLimitError: js/.size-limit.json lacks a file.
    """
    rows = json.loads(LIMITS.read_text(encoding="utf-8"))
    limits = {str(Path(row["path"]).relative_to("../build/package")): row["limit"] for row in rows}

    def with_limit(row: re.Match[str]) -> str:
        if row[2] not in limits:
            raise MissingLimitError(f"there is no limit for {row[2]}", where=str(LIMITS))
        return f"{row[1]}{limits[row[2]]} |"

    return ROW.sub(with_limit, DOCUMENT.read_text(encoding="utf-8"))
