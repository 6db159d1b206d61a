"""`build.py limits`: saves what a browser's WebNN supports, for explanations without that browser."""

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


def run(out: Path, *, browser: Path | None) -> int:
    """Write the limits of a browser to a file and return the exit status.

    Raises:
        NoWebnnError: no browser has WebNN.
    """
    out.parent.mkdir(parents=True, exist_ok=True)
    out.write_text(to_text(capture(browser)))
    return 0


def to_text(captured: dict[str, Any]) -> str:
    """Return JSON with one operator per line, for diffs between browsers."""
    lines = [f"  {json.dumps(name)}: {json.dumps(row)}" for name, row in captured["opSupportLimits"].items()]
    about = json.dumps(captured["browser"])
    return f'{{\n"browser": {about},\n"opSupportLimits": {{\n' + ",\n".join(lines) + "\n}\n}\n"


def capture(browser: Path | None) -> dict[str, Any]:
    """Return `{"browser": {name, version, userAgent}, "opSupportLimits": {...}}`."""
    with webnn_harness(browser) as harness:
        answer = harness.page.evaluate(SCRIPT)
        kind = harness.page.context.browser
        about = {
            "name": kind.browser_type.name if kind else "",
            "version": kind.version if kind else "",
            "userAgent": answer["userAgent"],
        }
        return {"browser": about, "opSupportLimits": answer["opSupportLimits"]}
