"""What a browser's WebNN supports, saved for `explain --limits`: its opSupportLimits(), with its version."""

import json
from pathlib import Path
from typing import Any

from tools.explain.explain import webnn_harness

SCRIPT = """async () => {
    const context = await navigator.ml.createContext();
    const opSupportLimits = context.opSupportLimits();
    context.destroy();
    return { userAgent: navigator.userAgent, opSupportLimits };
}"""


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
    with webnn_harness(browser) as harness:
        found = harness.page.evaluate(SCRIPT)
        kind = harness.page.context.browser
        about = {
            "name": kind.browser_type.name if kind else "",
            "version": kind.version if kind else "",
            "userAgent": found["userAgent"],
        }
        return {"browser": about, "opSupportLimits": found["opSupportLimits"]}
