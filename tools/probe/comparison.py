"""What differs between two reports: the page's own comparison, in Node."""

import json
from pathlib import Path
from typing import Any

from rich.markup import escape
from rich.table import Table

from support.command import run as run_command
from support.console import console
from support.npm import JS_DIR, pinned_node, run_script
from web_tests.server.server import PROBES_DIR

TOOL = JS_DIR / "apps" / "probes" / "tools" / "compare_reports.mjs"


def run(before: Path, after: Path) -> int:
    """Print the differences; return 1 if there are any.

    Raises:
        CommandError: a file is not a report; Node has printed why.
    """
    rows = differences(before, after)
    if not rows:
        console.print("The reports do not differ, but perhaps in their times.")
        return 0
    table = Table("where", "what", before.stem, after.stem)
    for row in rows:
        table.add_row(*(escape(row[key]) for key in ("where", "what", "before", "after")))
    console.print(table)
    return 1


def differences(before: Path, after: Path) -> list[dict[str, Any]]:
    """Return rows of where, what, before and after."""
    run_script("build", "script", "probes", PROBES_DIR, quiet=True)
    script = PROBES_DIR / "index.mjs"
    output = run_command([pinned_node(), TOOL, script, before, after], capture=True, quiet=True)
    rows: list[dict[str, Any]] = json.loads(output)
    return rows
