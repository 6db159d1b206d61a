"""Programs that use the package in a separate Node."""

import base64
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from support.command import run
from support.npm import find_node
from web_tests.models.handmade import sin_example_output
from web_tests.models.recipes import Array

TIMEOUT_SECONDS = 60
SCRIPTS_DIR = Path(__file__).with_name("scripts")
PROGRAM = SCRIPTS_DIR / "program.mjs"
# Options of loadTFLiteModel.
EXECUTIONS = {
    "cpu": {},
    "webnn": {
        "enableWebnnDelegate": True,
        "webnnDelegateOptions": {"polyfill": "tflite", "ignorePartitionCost": True},
    },
}
SIN_OUTPUT = sin_example_output(np.arange(8, dtype=np.float32))


def heap_bytes(program: str, file: Path, signatures: Mapping[str, Any] | None = None) -> int:
    """Return the bytes of the heap of a model that has run `signatures`, {key: {input: (dtype, size)}}, on zeros."""
    size: int = call_in_node(program, "heap", "heapBytes", file, signatures or {})
    return size


def call_in_node(program: str, script: str, name: str, file: Path, *arguments: Any) -> Any:
    """Call a function that scripts/SCRIPT.mjs exports, with a file, in whose directory it runs, and more arguments."""
    values = json.dumps([str(file), *arguments])
    command: list[str | Path] = [program, PROGRAM, script, name, values]
    return json.loads(run(command, cwd=file.parent, capture=True, quiet=True, timeout_seconds=TIMEOUT_SECONDS))


@dataclass(frozen=True)
class ModelRun:
    """A model to load with options and run once."""

    model: bytes
    inputs: Sequence[Array]
    options: Mapping[str, Any]


def run_models(directory: Path, runs: Sequence[ModelRun]) -> list[str | list[Array]]:
    """Run models in one Node; return the outputs of each, or its error: the code and the message."""
    file = directory / "runs.json"
    file.write_text(json.dumps([_run_row(each) for each in runs]), encoding="utf-8")
    results: list[str | list[dict[str, Any]]] = call_in_node(str(find_node()), "run_models", "runModels", file)
    return [result if isinstance(result, str) else [_output(row) for row in result] for result in results]


def is_crash(error: str) -> bool:
    """Return whether an error of `run_models` is none of the package's own."""
    return error.startswith(("WASM_TRAP", "TypeError", "RangeError"))


def _run_row(run: ModelRun) -> dict[str, Any]:
    return {
        "model": base64.b64encode(run.model).decode(),
        "options": dict(run.options),
        "inputs": [{"dtype": str(a.dtype), "data": base64.b64encode(a.tobytes()).decode()} for a in run.inputs],
    }


def _output(row: dict[str, Any]) -> Array:
    return np.frombuffer(base64.b64decode(row["data"]), row["dtype"]).reshape(row["shape"])
