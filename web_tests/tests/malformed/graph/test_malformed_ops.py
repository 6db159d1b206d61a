"""The loader or the delegate rejects invalid nodes with a reason, and nothing crashes."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from wasm.toolchain.description import DescriptionError, describe_models
from web_tests.malformed.nodes import all_malformed
from web_tests.references import golden
from web_tests.references.golden import WEBNN

pytestmark = pytest.mark.needs("package")

# A separate process and module instance for each, so that a crash is attributed to its model.
MIN_MODELS = 200
CRASHED = "CRASHED"


@pytest.mark.golden
def test_each_malformed_node_is_rejected_with_its_reason(tmp_path: Path) -> None:
    models = all_malformed()
    assert len(models) >= MIN_MODELS
    paths = [tmp_path / f"{index}.tflite" for index in range(len(models))]
    for path, model in zip(paths, models.values(), strict=True):
        path.write_bytes(model)
    reasons = dict(zip(models, map(_reason, describe_models(paths, WEBNN)), strict=True))
    assert [name for name, reason in reasons.items() if reason.startswith((CRASHED, "webnn"))] == []
    text = "".join(f"{name}: {reason}\n" for name, reason in sorted(reasons.items()))
    golden.check(Path(__file__).parent / "golden" / "malformed_ops.txt", text)


def _reason(description: dict[str, Any] | DescriptionError) -> str:
    """Return who rejects the model, and why."""
    if isinstance(description, DescriptionError):
        # TFLite prints a 64-bit count with %d here, so the number is arbitrary.
        what = re.sub(r"(NumElements\(size_splits\) \(\d+ != )-?\d+", r"\1?", description.what)
        return f"{description.code} {json.dumps(what)}"
    (node,) = description["nodes"]
    return f"{node['placement']} {json.dumps(node['reason'])}"
