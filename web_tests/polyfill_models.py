"""Graph descriptions as the polyfill writes them: .tflite files, made by its TypeScript in Node."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from ai_edge_litert.interpreter import Interpreter

from js.node import JS_DIR, pinned_node, run_tool
from web_tests.recipes import Array

SCRIPT = JS_DIR / "webnn-polyfill" / "tests" / "tools" / "write_models.ts"
TIMEOUT_SECONDS = 300


def write_models(graphs: Sequence[Mapping[str, Any]], folder: Path) -> list[dict[str, str]]:
    """Write each graph as a file into the folder; return for each its `file`, or the `error` that it gave."""
    script = folder / "write_models.mjs"
    options = ["--bundle", "--platform=node", "--format=esm", "--log-level=warning"]
    run_tool("esbuild", str(SCRIPT), *options, f"--outfile={script}", quiet=True)
    result = subprocess.run(
        [pinned_node(), str(script), str(folder)],
        input=json.dumps(graphs),
        capture_output=True,
        text=True,
        timeout=TIMEOUT_SECONDS,
        check=True,
    )
    answers: list[dict[str, str]] = json.loads(result.stdout)
    return answers


def run_natively(model: Path, inputs: Mapping[str, Array]) -> list[Array]:
    """Return the outputs, in the model's order, that native LiteRT gives.

    Raises:
        RuntimeError: LiteRT cannot prepare or run the model.
    """
    interpreter = Interpreter(model_path=str(model), num_threads=1)
    interpreter.allocate_tensors()
    for detail in interpreter.get_input_details():
        interpreter.set_tensor(detail["index"], np.array(inputs[detail["name"]], order="C"))
    interpreter.invoke()
    return [np.asarray(interpreter.get_tensor(detail["index"])) for detail in interpreter.get_output_details()]
