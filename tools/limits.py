"""Save what a browser's WebNN supports, for `explain --limits`.

Starts a browser with WebNN and writes its opSupportLimits() to a JSON file, with its version.
"""

import argparse
import json
from pathlib import Path
from typing import Any

from tools import command_line, making, options

GROUPS = ("run",)
SCRIPT = """async () => {
    const context = await navigator.ml.createContext();
    const opSupportLimits = context.opSupportLimits();
    context.destroy();
    return { userAgent: navigator.userAgent, opSupportLimits };
}"""


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--out", type=Path, required=True, metavar="FILE", help="the JSON file to write")
    options.add_browser(parser)


def run(arguments: argparse.Namespace) -> None:
    making.for_browser(options.DEFAULT_VARIANT, arguments.browser)
    write(arguments.out, arguments.browser)


def write(out: Path, browser: Path | None) -> None:
    """Write the limits of a browser to a file.

    Raises:
        NoWebnnError: no browser has WebNN.
    """
    out.parent.mkdir(parents=True, exist_ok=True)
    out.write_text(to_text(capture(browser)))


def to_text(captured: dict[str, Any]) -> str:
    """Return JSON with one operator per line, for diffs between browsers."""
    lines = [f"  {json.dumps(name)}: {json.dumps(row)}" for name, row in captured["opSupportLimits"].items()]
    about = json.dumps(captured["browser"])
    return f'{{\n"browser": {about},\n"opSupportLimits": {{\n' + ",\n".join(lines) + "\n}\n}\n"


def capture(browser: Path | None) -> dict[str, Any]:
    """Return `{"browser": {name, version, userAgent}, "opSupportLimits": {...}}`.

    Raises:
        NoWebnnError: no browser has WebNN.
    """
    from tools.explain.explain import webnn_harness

    with webnn_harness(browser) as harness:
        found = harness.page.evaluate(SCRIPT)
        kind = harness.page.context.browser
        about = {
            "name": kind.browser_type.name if kind else "",
            "version": kind.version if kind else "",
            "userAgent": found["userAgent"],
        }
        return {"browser": about, "opSupportLimits": found["opSupportLimits"]}


if __name__ == "__main__":
    command_line.start_tool()
