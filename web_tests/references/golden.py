"""Golden files: texts that tests compare with committed ones. `build.py goldens` rewrites them."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from js.limits import CHROMIUM_147, limits_file

UPDATE_VARIABLE = "TFLITE_WEBNN_UPDATE_GOLDEN"
# The runner's options for the limits of Chromium 147.
WEBNN = {"enable_webnn_delegate": "1", "webnn_op_support_limits": f"@{limits_file(CHROMIUM_147)}"}


def check(file: Path, text: str) -> None:
    """Compare a text with a golden file, or write the file under `build.py goldens`. The test is marked `golden`.

    Raises:
        AssertionError: the file is missing, or differs.
    """
    if os.environ.get(UPDATE_VARIABLE):
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    mend = "if the change is intended, run `python3 build.py goldens` and read the difference"
    assert file.exists(), f"{file} is missing: {mend}"
    assert text == file.read_text(encoding="utf-8"), f"{file} differs: {mend}"


def text_of(description: dict[str, Any]) -> str:
    """Return a description's placements, plan and graphs, one element per line, for readable diffs."""
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
