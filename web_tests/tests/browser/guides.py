"""What the guides say of packages whose programs can switch."""

import re

from support.paths import PROJECT_DIR

# Rows of a table with names alone: whether the peer exports them, and whether this project's package does.
EXPORTS = re.compile(r"^\| (`\w+`(?:, `\w+`)*) \| (yes|no) \| (yes|no) \|$", re.MULTILINE)


def documented_exports(peer: str) -> tuple[set[str], set[str]]:
    """Return the names that docs/guides/switch-from-PEER.md lists as the peer's, and as this project's package's."""
    text = (PROJECT_DIR / "docs" / "guides" / f"switch-from-{peer}.md").read_text(encoding="utf-8")
    rows = [(set(re.findall(r"\w+", names)), flags) for names, *flags in EXPORTS.findall(text)]
    of_peer, of_package = (set().union(*(names for names, flags in rows if flags[side] == "yes")) for side in (0, 1))
    return of_peer, of_package
