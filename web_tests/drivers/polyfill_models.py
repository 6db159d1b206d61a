"""Graph descriptions through the polyfill in Node: writes .tflite files, or computes."""

import base64
import json
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

import numpy as np
from ai_edge_litert.interpreter import Interpreter

from support.command import run
from support.npm import JS_DIR, pinned_node, run_script
from support.paths import PACKAGE_DIR
from web_tests.models.recipes import Array

TOOLS_DIR = JS_DIR / "packages" / "webnn-polyfill" / "tests" / "tools"
TIMEOUT_SECONDS = 300


def write_models(graphs: Sequence[Mapping[str, Any]], directory: Path) -> list[dict[str, str]]:
    """Write each graph as a file of `directory`; return the `file` or the `error` of each."""
    return _run("write_models", list(graphs), directory)


def compute(
    engine: Literal["tflite", "cpu"],
    requests: Sequence[tuple[Mapping[str, Any], Mapping[str, Array]]],
) -> list[dict[str, Any]]:
    """Compute graphs with the polyfill in Node.

    The engine `tflite` needs the built wasm module; `cpu` is the GPU engines' code on TensorFlow.js's CPU backend.
    Return the `outputs`, arrays in order, or the `error` of each.
    """
    requested = [compute_request(graph, inputs) for graph, inputs in requests]
    request = {"engine": engine, "wasmPath": str(PACKAGE_DIR), "requests": requested}
    with tempfile.TemporaryDirectory(prefix="tflite-webnn-") as directory:
        results = _run("run_graphs", request, Path(directory))
    return [with_arrays(result, graph) for result, (graph, _) in zip(results, requests, strict=True)]


def compute_request(graph: Mapping[str, Any], inputs: Mapping[str, Array]) -> dict[str, Any]:
    """Return a ComputeRequest (embedded_graph.ts)."""
    texts = {name: base64.b64encode(values.tobytes()).decode() for name, values in inputs.items()}
    return {"graph": graph, "inputs": texts}


def with_arrays(result: dict[str, Any], graph: Mapping[str, Any]) -> dict[str, Any]:
    """Return a ComputeResponse (embedded_graph.ts) with its outputs as arrays."""
    if "outputs" not in result:
        return result
    outputs = [
        np.frombuffer(base64.b64decode(content), output["dataType"]).reshape(output["shape"])
        for content, output in zip(result["outputs"], graph["outputs"], strict=True)
    ]
    return {"outputs": outputs}


@dataclass(frozen=True)
class Rewritten:
    """A model rewritten by the delegate and the polyfill.

    Attributes:
        file: the polyfill's model; None if the delegate rejects a part of the model.
        inputs: the original tensors by the names of the new inputs.
        outputs: the original tensors, in the order of the new outputs.
        forms: the delegate's forms of its quantized nodes: "fused" or "float".
        reason: why there is no file.
    """

    file: Path | None = None
    inputs: Mapping[str, int] = field(default_factory=dict)
    outputs: tuple[int, ...] = ()
    forms: frozenset[str] = frozenset()
    reason: str = ""


def rewrite_models(
    models: Sequence[Path], directory: Path, *, limits: Mapping[str, Any] | None = None
) -> list[Rewritten]:
    """Rewrite models with the delegate, under these limits or the tflite engine's, and with the polyfill.

    The files go into `directory`.
    """
    request = {"wasmPath": str(PACKAGE_DIR), "limits": limits, "models": [str(model) for model in models]}
    return [_rewritten(result) for result in _run("rewrite_models", request, directory)]


def _rewritten(result: Mapping[str, Any]) -> Rewritten:
    if "file" not in result:
        return Rewritten(reason=result.get("reason") or result["error"])
    inputs = {each["name"]: each["tensor"] for each in result["inputs"]}
    outputs = tuple(each["tensor"] for each in result["outputs"])
    return Rewritten(Path(result["file"]), inputs, outputs, frozenset(result["forms"]))


def _run(tool: str, request: Any, directory: Path) -> list[dict[str, Any]]:
    """Run a script on a request; its files go into `directory`."""
    with tempfile.TemporaryDirectory(prefix="tflite-webnn-") as scripts:
        script = Path(scripts) / f"{tool}.mjs"
        run_script("build", "test-script", TOOLS_DIR / f"{tool}.ts", script, quiet=True)
        # More threads need half as much processor time again to collect the modules' memory, and are no faster.
        command: list[str | Path] = [pinned_node(), "--single-threaded-gc", script, directory]
        output = run(command, stdin=json.dumps(request), capture=True, quiet=True, timeout_seconds=TIMEOUT_SECONDS)
    results: list[dict[str, Any]] = json.loads(output)
    return results


def run_natively(model: Path, inputs: Mapping[str, Array]) -> list[Array]:
    """Return native LiteRT's outputs, in the model's order.

    Raises:
        RuntimeError: LiteRT cannot prepare or run the model.
    """
    interpreter = Interpreter(model_path=str(model), num_threads=1)
    interpreter.allocate_tensors()
    for detail in interpreter.get_input_details():
        interpreter.set_tensor(detail["index"], np.array(inputs[detail["name"]], order="C"))
    interpreter.invoke()
    return [np.asarray(interpreter.get_tensor(detail["index"])) for detail in interpreter.get_output_details()]
