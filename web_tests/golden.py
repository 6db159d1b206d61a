"""Descriptions of graphs as golden text: one element a line, so that a change can be read in a diff."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from js.limits import CHROMIUM_147, limits_file
from wasm.toolchain.support.paths import PROJECT_DIR

GOLDEN_DIR = PROJECT_DIR / "web_tests" / "tests" / "graphs" / "golden"
UPDATE_VARIABLE = "TFLITE_WEBNN_UPDATE_GOLDEN"
# The runner's options for a delegate that believes to be in Chromium 147.
WEBNN = {"enable_webnn_delegate": "1", "webnn_op_support_limits": f"@{limits_file(CHROMIUM_147)}"}


def text_of(description: dict[str, Any]) -> str:
    """Return placements, plan and graphs, one element a line."""
    lines = [
        f"{row['index']} {row['op']} {row['placement']}: {row['reason'] or ''}".rstrip(": ")
        for row in description["nodes"]
    ]
    lines += [json.dumps(step) for step in description["plan"]]
    for number, graph in enumerate(description["graphs"]):
        lines.append(f"graph {number}")
        for kind in ("inputs", "constants", "operators", "outputs"):
            lines += [f"  {kind[:-1]} {json.dumps(element)}" for element in graph[kind]]
    return "\n".join(lines) + "\n"


def check(name: str, text: str) -> None:
    """Compare with a golden file; with TFLITE_WEBNN_UPDATE_GOLDEN=1 write it.

    Raises:
        AssertionError: the file is missing, or says something else.
    """
    path: Path = GOLDEN_DIR / f"{name}.txt"
    if os.environ.get(UPDATE_VARIABLE):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    assert path.exists(), f"{path} is missing: make it with {UPDATE_VARIABLE}=1"
    assert text == path.read_text(), f"{path} differs: if it should, make it anew with {UPDATE_VARIABLE}=1"
