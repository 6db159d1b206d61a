"""The delegate's description of models, ops and options: the compiled module run in Node."""

import json
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from support.command import CommandError, run
from support.errors import BuildError
from support.paths import BUILD_DIR, PROJECT_DIR
from support.printable import printable

TOOLS_DIR = PROJECT_DIR / "wasm" / "tools"
# For the start of Node and for each argument, most of them models, on a busy machine.
TIMEOUT_SECONDS, TIMEOUT_SECONDS_PER_ARGUMENT = 240, 1


class DescriptionError(BuildError):
    """The module rejected the model. `code` is the runner's error code, e.g. MALFORMED_MODEL, or CRASHED."""

    def __init__(self, code: str, message: str, where: Path) -> None:
        super().__init__(printable(message), where=printable(str(where)))
        self.code = code


def describe_model(model: Path, options: Mapping[str, str], *, variant: str = "simd") -> dict[str, Any]:
    """Return the description of a .tflite file (docs/architecture.md) under the runner's options.

    Args:
        model: the file.
        options: runner options by key, e.g. ``{"enable_webnn_delegate": "1"}``; "@FILE" reads a value from a file.
        variant: the compiled module to run.

    Raises:
        DescriptionError: the module rejects the model, or crashed on it.
    """
    (description,) = describe_models([model], options, variant=variant)
    if isinstance(description, DescriptionError):
        raise description
    return description


def describe_models(
    models: Sequence[Path], options: Mapping[str, str], *, variant: str = "simd"
) -> list[dict[str, Any] | DescriptionError]:
    """Return the description or the error of each model; one process describes all."""
    settings = [f"{key}={text}" for key, text in options.items()]
    lines = _run("describe_models.mjs", variant, *settings, "--", *models).splitlines()
    results = [json.loads(line) for line in lines]
    return [
        DescriptionError(result["error"]["code"], result["error"]["message"], model) if "error" in result else result
        for model, result in zip(models, results, strict=True)
    ]


def ops_text(*, variant: str = "simd") -> str:
    """Return the op table as the compiled module prints it; wasm/ops.json is a copy.

    An array of objects: a builtin or custom "op" has "versions", "inputs" and "outputs" [min, max] if there is a
    kernel, and either "webnnOps", "limits" and "quantized" or a "reason" why it stays on the CPU.
    """
    return _run("describe_delegate.mjs", variant, "ops")


def describe_ops(*, variant: str = "simd") -> list[dict[str, Any]]:
    """Return the op table."""
    ops: list[dict[str, Any]] = json.loads(ops_text(variant=variant))
    return ops


@dataclass(frozen=True)
class DelegateOption:
    """A row of wasm/delegate/delegate_options.h.

    Attributes:
        name: in TFLite's style, e.g. "max_partitions".
        type: choice, count (an integer, 0 or more), flag, ops or nodes (lists), or text.
        choices: the values of a choice; empty for other types.
        scope: its reader: the delegate; the MLContext ("context"); or the delegate, but set only by the
            runtime ("runtime").
        default: the text of the default value.
        text: the documentation; names of options are in backticks.
    """

    name: str
    type: str
    choices: tuple[str, ...]
    scope: str
    default: str
    text: str


def describe_options(*, variant: str = "simd") -> list[DelegateOption]:
    """Return the rows of the delegate's options."""
    rows = json.loads(_run("describe_delegate.mjs", variant, "delegate_options"))
    return [DelegateOption(**{**row, "choices": tuple(row["choices"])}) for row in rows]


def _run(tool: str, variant: str, *arguments: str | Path) -> str:
    module = BUILD_DIR / "wasm" / variant / "tflite_webnn.mjs"
    command: list[str | Path] = [shutil.which("node") or "node", TOOLS_DIR / tool, module, *arguments]
    seconds = TIMEOUT_SECONDS + TIMEOUT_SECONDS_PER_ARGUMENT * len(arguments)
    try:
        return run(command, capture=True, quiet=True, timeout_seconds=seconds)
    except CommandError as error:
        what, _, tail = error.what.removeprefix(f"`{command[0]}` ").partition("\n")
        raise DescriptionError("CRASHED", f"{tool} {what}: {tail.strip()[-600:]}".rstrip(": "), module) from error
