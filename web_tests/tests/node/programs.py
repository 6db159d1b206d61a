"""Programs that use the package in a separate Node."""

import json
import subprocess
from pathlib import Path
from typing import Any

import numpy as np

from tools.support.paths import PACKAGE_DIR
from web_tests.models.handmade import sin_example_answer

TIMEOUT_SECONDS = 60
# A separate process each time: it must also end by itself while threads of its models live.
PROGRAM = """
import { pathToFileURL } from 'node:url';
const [packageDir, file, body] = process.argv.slice(2);
const library = await import(pathToFileURL(`${packageDir}/node.mjs`));
const run = async (source, options) => {
  const model = await library.loadTFLiteModel(source, options);
  const [y] = await model.run(Float32Array.from({ length: 8 }, (_, index) => index));
  return { y: [...y.data], mode: model.executionMode, threads: model.report.threads.used, webnn: model.report.webnn };
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
    await library.loadTFLiteModel(file, { variant: 'simd' });
    return heap.buffer.byteLength;
"""
ANSWER = sin_example_answer(np.arange(8, dtype=np.float32))


def heap_bytes(program: str, file: Path) -> int:
    """Return the size of the heap of a model's wasm instance, once it is loaded."""
    size: int = in_node(program, file, HEAP)
    return size


def in_node(program: str, file: Path, body: str) -> Any:
    """Return the result of the function body; it has `library`, `packageDir`, `file`, `run` and `pathToFileURL`."""
    script = file.with_name("program.mjs")
    script.write_text(PROGRAM, encoding="utf-8")
    command = [program, str(script), str(PACKAGE_DIR), str(file), body]
    done = subprocess.run(
        command, cwd=file.parent, capture_output=True, text=True, timeout=TIMEOUT_SECONDS, check=False
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)
