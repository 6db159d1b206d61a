"""What the delegate makes of a model, without a browser: the compiled module run in Node."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any, ClassVar

from wasm.toolchain.support.errors import BuildError
from wasm.toolchain.support.paths import BUILD_DIR, PROJECT_DIR

SCRIPT = PROJECT_DIR / "wasm" / "tools" / "describe_model.mjs"
TIMEOUT_SECONDS = 60


class DescriptionError(BuildError):
    """The module rejected the model. `code` is the runner's error code, e.g. MALFORMED_MODEL."""

    exit_code: ClassVar[int] = 1

    def __init__(self, code: str, message: str, where: Path) -> None:
        super().__init__(message, where=str(where))
        self.code = code


def describe_model(model: Path, options: Mapping[str, str], *, variant: str = "simd") -> dict[str, Any]:
    """Return the description of a .tflite file (docs/architecture.md) under the runner's options.

    Args:
        model: the file.
        options: runner options by key, e.g. ``{"enable_webnn_delegate": "1"}``; "@FILE" takes a value from a file.
        variant: which compiled module is asked.

    Raises:
        DescriptionError: the module rejects the model, or crashed on it.
    """
    module = BUILD_DIR / "wasm" / variant / "tflite_webnn.mjs"
    command: list[str | Path] = [
        shutil.which("node") or "node",
        SCRIPT,
        module,
        model,
        *(f"{key}={text}" for key, text in options.items()),
    ]
    result = subprocess.run(command, capture_output=True, text=True, timeout=TIMEOUT_SECONDS, check=False)
    try:
        answer: dict[str, Any] = json.loads(result.stdout)
    except json.JSONDecodeError:
        raise DescriptionError("CRASHED", f"the module crashed: {result.stderr.strip()[-600:]}", model) from None
    if result.returncode != 0:
        raise DescriptionError(answer["code"], answer["message"], model)
    return answer
