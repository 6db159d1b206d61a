"""docs/polyfill-ops.md: what the polyfill's tflite engine makes of each WebNN operator, from its own table."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from js.node import JS_DIR, pinned_node, run_tool
from tools.docs.ops_table import row_text, table_head
from tools.support.paths import PROJECT_DIR

DOCUMENT = PROJECT_DIR / "docs" / "polyfill-ops.md"
SCRIPT = JS_DIR / "webnn-polyfill" / "tools" / "describe_ops.ts"
TIMEOUT_SECONDS = 60

ALL_TYPES = ("float32", "float16", "int32", "uint32", "int64", "uint64", "int8", "uint8")
PREAMBLE = """\
# Operators of the polyfill

<!-- Made by `python3 build.py docs` of js/webnn-polyfill/src/tflite/op_table.ts. -->

What the tflite engine of the [WebNN polyfill](../js/webnn-polyfill/README.md) makes of each of the {count} operators;
the same table answers `opSupportLimits()`. Layouts that TensorFlow Lite does not have add TRANSPOSE, ranks that a
kernel does not take add RESHAPE; what only moves the elements of a constant adds nothing.

- **types**: of the first operand, then of others where these differ. float16 is computed in float32 and rounded where
  it leaves the graph. uint32 and uint64 are held in the signed type of the same bits.
- **ranks**: of the first operand.
- **fused**: between dequantizeLinear and quantizeLinear it becomes one integer kernel, where the parameters are such as
  TensorFlow Lite's kernel takes (`src/tflite/quantization/fusion_rules.ts`). Others are computed in float32 then.

"""


def write() -> None:
    """Write docs/polyfill-ops.md."""
    DOCUMENT.write_text(text())


def text() -> str:
    """Return what docs/polyfill-ops.md must say."""
    rows = describe()
    lines = [*table_head(("operator", "types", "ranks", "TensorFlow Lite", "fused")), *(_line(row) for row in rows)]
    return PREAMBLE.format(count=len(rows)) + "\n".join(lines) + "\n"


def describe() -> list[dict[str, Any]]:
    """Return what the tflite engine's table says of each operator (js/webnn-polyfill/tools/describe_ops.ts)."""
    with TemporaryDirectory() as folder:
        script = Path(folder) / "describe_ops.mjs"
        options = ["--bundle", "--platform=node", "--format=esm", "--log-level=warning", f"--outfile={script}"]
        run_tool("esbuild", str(SCRIPT), *options, quiet=True)
        command = [pinned_node(), str(script)]
        result = subprocess.run(command, capture_output=True, text=True, timeout=TIMEOUT_SECONDS, check=True)
    rows: list[dict[str, Any]] = json.loads(result.stdout)
    return rows


def _line(row: Mapping[str, Any]) -> str:
    operands = {name: limit for name, limit in row["operands"].items() if not name.startswith("output")}
    first = next(iter(operands))
    others = [
        f"{name}: {_types(limit)}" for name, limit in operands.items() if _types(limit) != _types(operands[first])
    ]
    types = "; ".join([_types(operands[first]), *others])
    ranks = operands[first]["rankRange"]
    span = str(ranks["min"]) if ranks["min"] == ranks["max"] else f"{ranks['min']} to {ranks['max']}"
    return row_text((row["op"], types, span, row["builtins"], "fused" if row["isFused"] else ""))


def _types(limit: Mapping[str, Any]) -> str:
    names: Sequence[str] = limit["dataTypes"]
    return "all" if set(names) >= set(ALL_TYPES) else ", ".join(name for name in ALL_TYPES if name in names)
