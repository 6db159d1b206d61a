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
from support.paths import PACKAGE_DIR
from web_tests.models.handmade import sin_example_output
from web_tests.models.recipes import Array

TIMEOUT_SECONDS = 60
# A separate process each time: it must also end by itself while threads of its models live.
PROGRAM = """
import { pathToFileURL } from 'node:url';
const [packageDir, file, body] = process.argv.slice(2);
const library = await import(pathToFileURL(`${packageDir}/node.mjs`));
const run = async (source, options) => {
  const model = await library.loadTFLiteModel(source, options);
  const [y] = await model.run(Float32Array.from({ length: 8 }, (_, index) => index));
  const { threads, webnn } = await model.report();
  return { y: [...y.data], mode: model.executionMode, threads: threads.used, webnn };
};
const AsyncFunction = (async () => {}).constructor;
const call = new AsyncFunction('library', 'packageDir', 'file', 'run', 'pathToFileURL', body);
console.log(JSON.stringify(await call(library, packageDir, file, run, pathToFileURL)));
"""
HEAP = """
    let heap;
    const instantiate = WebAssembly.instantiate;
    WebAssembly.instantiate = async (...all) => {
      const instance = await instantiate(...all);
      heap = Object.values(instance.exports).find((value) => value instanceof WebAssembly.Memory);
      return instance;
    };
    const model = await library.loadTFLiteModel(file, { variant: 'simd' });
    BODY
    return heap.buffer.byteLength;
"""
_RUN_MODELS = """
    const { readFileSync } = await import('node:fs');
    const ARRAYS = { float32: Float32Array, int64: BigInt64Array, uint64: BigUint64Array, int32: Int32Array,
      uint32: Uint32Array, int16: Int16Array, uint16: Uint16Array, int8: Int8Array, uint8: Uint8Array,
      bool: Uint8Array };
    const bytesOf = (text) => new Uint8Array(Buffer.from(text, 'base64'));
    const runOne = async ({ model, options, inputs }) => {
      try {
        const loaded = await library.loadTFLiteModel(bytesOf(model), { numThreads: 1, ...options });
        const provided = inputs.map(({ dtype, data }) => new ARRAYS[dtype](bytesOf(data).buffer));
        const outputs = await loaded.run(provided);
        await loaded.dispose();
        return outputs.map(({ dtype, shape, data }) => ({ dtype, shape: [...shape],
          data: Buffer.from(data.buffer, data.byteOffset, data.byteLength).toString('base64') }));
      } catch (error) {
        return `${error.code ?? error.name}: ${error.message}`;
      }
    };
    const results = [];
    for (const trial of JSON.parse(readFileSync(file, 'utf8'))) results.push(await runOne(trial));
    return results;
"""
# Options of loadTFLiteModel.
EXECUTIONS = {
    "cpu": {},
    "webnn": {
        "enableWebnnDelegate": True,
        "webnnDelegateOptions": {"polyfill": "tflite", "ignorePartitionCost": True},
    },
}
SIN_OUTPUT = sin_example_output(np.arange(8, dtype=np.float32))


def heap_bytes(program: str, file: Path, body: str = "") -> int:
    """Return the size of the heap of a model's wasm instance, once it is loaded and `body` has used `model`."""
    size: int = in_node(program, file, HEAP.replace("BODY", body))
    return size


def in_node(program: str, file: Path, body: str) -> Any:
    """Return the result of the function body; it has `library`, `packageDir`, `file`, `run` and `pathToFileURL`."""
    script = file.with_name("program.mjs")
    script.write_text(PROGRAM, encoding="utf-8")
    command = [program, str(script), str(PACKAGE_DIR), str(file), body]
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
    results: list[str | list[dict[str, Any]]] = in_node(str(find_node()), file, _RUN_MODELS)
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
