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
    """A file of the table has no limit, or one with a limit is not in the table."""


def document() -> str:
    """Return the document with the sizes of the limits.

    Raises:
        MissingLimitError: js/.size-limit.json and the table have different files.
    """
    rows = json.loads(LIMITS.read_text(encoding="utf-8"))
    limits = {str(Path(row["path"]).relative_to("../build/package")): row["limit"] for row in rows}
    content = DOCUMENT.read_text(encoding="utf-8")
    listed = {row[2] for row in ROW.finditer(content)}
    if missing := sorted(listed - set(limits)):
        raise MissingLimitError(f"there is no limit for {', '.join(missing)}", where=str(LIMITS))
    if unlisted := sorted(set(limits) - listed):
        raise MissingLimitError(f"the table has no row for {', '.join(unlisted)}", where=str(DOCUMENT))
    return ROW.sub(lambda row: f"{row[1]}{limits[row[2]]} |", content)
