"""`build.py docs`: docs/ops.md, from the delegate's own registry and from what the op cases show."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from js.limits import CHROMIUM_147, limits_file
from tools.support.paths import PROJECT_DIR
from wasm.toolchain.description import DescriptionError, describe_models, describe_ops
from web_tests.op_cases import all_cases
from web_tests.op_cases.case import OpCase
from web_tests.op_cases.quantized_case import QuantizedCase

DOCUMENT = PROJECT_DIR / "docs" / "ops.md"

# Forms by op and type, e.g. {"ADD": {"int8": {"fused"}}}.
Forms = Mapping[str, Mapping[str, set[str]]]

DTYPE_ORDER = ("float32", "int32", "int64", "int8", "uint8", "int16", "bool")
PREAMBLE = """\
# Ops

<!-- Made by `python3 build.py docs` of wasm/delegate/{{ops/*,refused_ops}}.cc and web_tests/op_cases. -->

{lowered} builtin ops of the TFLite that is compiled in become WebNN operators, {refused} do not. A node is left to
the CPU too when the context's own `opSupportLimits()` do not allow its types or ranks, and when a dimension is not
known before the run; `python3 build.py explain MODEL` tells the reason for each node of a model.

- **types**: those in which a case of `web_tests/op_cases` runs on WebNN in Chromium 147 and answers as TFLite's own
  kernel does. float16 weights are unpacked to float32. Another context may take fewer or more: the delegate asks it.
- **quantized**: what becomes of the quantized cases under the limits of Chromium 147. *fused*: one integer kernel of
  the engine; *float*: computed in float32 between dequantizeLinear and quantizeLinear
  ([quantization.md](quantization.md)).
- **not delegated**: what the op's lowering refuses beyond that.
"""


def run() -> int:
    """Write docs/ops.md and return the exit status."""
    DOCUMENT.write_text(text())
    return 0


def text() -> str:
    """Return what docs/ops.md must say."""
    ops = describe_ops()
    lowered = sorted(ops["lowered"], key=lambda row: str(row["op"]))
    refused = sorted(ops["refused"], key=lambda row: str(row["op"]))
    cases = [case for case in all_cases() if not case.cpu_reason]
    forms = quantized_forms([case for case in cases if isinstance(case, QuantizedCase)])
    builtin_count = sum(not row["custom"] for row in lowered)
    lines = [
        PREAMBLE.format(lowered=builtin_count, refused=len(refused)),
        *table_head(("op", "versions", "types", "WebNN operators", "not delegated", "quantized")),
        *(row_text(_lowered_cells(row, cases, forms.get(row["op"], {}))) for row in lowered),
        "",
        "## Left to the CPU",
        "",
        *table_head(("op", "why")),
        *(row_text((row["op"], row["reason"])) for row in refused),
    ]
    return "\n".join(lines) + "\n"


def quantized_forms(cases: Sequence[QuantizedCase]) -> Forms:
    """Return the forms that quantized cases take under the limits of Chromium 147."""
    options = {"enable_webnn_delegate": "1", "webnn_op_support_limits": f"@{limits_file(CHROMIUM_147)}"}
    with TemporaryDirectory() as folder:
        paths = [Path(folder) / f"{index}.tflite" for index in range(len(cases))]
        for path, case in zip(paths, cases, strict=True):
            path.write_bytes(case.model())
        descriptions = describe_models(paths, options)
    forms: dict[str, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    for case, description in zip(cases, descriptions, strict=True):
        if isinstance(description, DescriptionError):
            raise description
        forms[case.op][case.dtype] |= {node["quantized"] for node in description["nodes"] if node["quantized"]}
    return forms


def _lowered_cells(row: Mapping[str, Any], cases: Iterable[OpCase], forms: Mapping[str, set[str]]) -> Sequence[str]:
    versions = "1" if row["maxVersion"] == 1 else f"1 to {row['maxVersion']}"
    types = {case.dtype for case in cases if case.op == row["op"] and not isinstance(case, QuantizedCase)}
    name = f"{row['op']} (custom)" if row["custom"] else row["op"]
    return name, versions, _in_order(types), row["webnnOps"], row["limits"], _forms_text(forms)


def _forms_text(forms: Mapping[str, set[str]]) -> str:
    """Return for example "int8, uint8: fused; int16: float"."""
    by_form: dict[str, set[str]] = defaultdict(set)
    for dtype, found in forms.items():
        by_form[" or ".join(sorted(found, reverse=True))].add(dtype)
    return "; ".join(f"{_in_order(dtypes)}: {form}" for form, dtypes in sorted(by_form.items(), reverse=True))


def _in_order(dtypes: Iterable[str]) -> str:
    return ", ".join(sorted(dtypes, key=DTYPE_ORDER.index))


def table_head(titles: Sequence[str]) -> tuple[str, str]:
    """Return the first two lines of a table."""
    return row_text(titles), row_text(["---"] * len(titles))


def row_text(cells: Sequence[str]) -> str:
    """Return a line of a table."""
    return f"| {' | '.join(cells)} |"
