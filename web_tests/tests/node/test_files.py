"""`tflite-webnn/node` by itself: files as models, threads, WebNN, in the Node on PATH and in the pinned one."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from js.node import find_node, pinned_node
from wasm.toolchain.support.paths import PACKAGE_DIR
from web_tests.models_made import sin_example_answer

pytestmark = pytest.mark.usefixtures("engine")

TIMEOUT_SECONDS = 60
# A process of its own each time: it must also end by itself, though threads of its models live.
PROGRAM = """
import { pathToFileURL } from 'node:url';
const [packageDir, file, body] = process.argv.slice(2);
const library = await import(pathToFileURL(`${packageDir}/node.mjs`));
const run = async (source, options) => {
  const model = await library.loadTFLiteModel(source, options);
  const [y] = await model.run(Float32Array.from({ length: 8 }, (_, index) => index));
  return { y: [...y], mode: model.executionMode, threads: model.report.threads.used, webnn: model.report.webnn };
};
const AsyncFunction = (async () => {}).constructor;
const call = new AsyncFunction('library', 'packageDir', 'file', 'run', 'pathToFileURL', body);
console.log(JSON.stringify(await call(library, packageDir, file, run, pathToFileURL)));
"""
ANSWER = sin_example_answer(np.arange(8, dtype=np.float32))


@pytest.fixture(params=[find_node, pinned_node], ids=["on_path", "pinned"])
def program(request: pytest.FixtureRequest) -> str:
    """A Node."""
    return str(request.param())


def in_node(program: str, file: Path, body: str) -> Any:
    script = file.with_name("program.mjs")
    script.write_text(PROGRAM, encoding="utf-8")
    command = [program, str(script), str(PACKAGE_DIR), str(file), body]
    done = subprocess.run(
        command, cwd=file.parent, capture_output=True, text=True, timeout=TIMEOUT_SECONDS, check=False
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.mark.parametrize(
    "source",
    [
        "file",
        "file.slice(file.lastIndexOf('/') + 1)",
        "pathToFileURL(file)",
        "pathToFileURL(file).href",
    ],
    ids=["path", "relative path", "URL", "address"],
)
def test_a_file_is_loaded_by_its(program: str, sin_file: Path, source: str) -> None:
    found = in_node(program, sin_file, f"return run({source}, {{ numThreads: 1 }});")
    np.testing.assert_allclose(found["y"], ANSWER, rtol=1e-5, atol=1e-5)


def test_threads_do_not_keep_the_process(program: str, sin_file: Path) -> None:
    found = in_node(program, sin_file, "return run(file, { numThreads: 3 });")
    assert found["threads"] == 3
    np.testing.assert_allclose(found["y"], ANSWER, rtol=1e-5, atol=1e-5)


def test_by_default_half_of_the_processor_computes(program: str, sin_file: Path) -> None:
    body = """
        const { availableParallelism } = await import('node:os');
        return [(await run(file)).threads, availableParallelism()];
    """
    threads, cores = in_node(program, sin_file, body)
    assert threads == max(1, cores // 2)


def test_webnn_by_the_polyfill_where_it_is_asked_for(program: str, sin_file: Path) -> None:
    options = "{ enableWebnnDelegate: true, webnnDelegateOptions: { polyfill: 'tflite' } }"
    found = in_node(program, sin_file, f"return run(file, {options});")
    assert (found["mode"], found["webnn"]["used"]) == ("direct", True)
    assert found["webnn"]["backend"].startswith("polyfill ")
    np.testing.assert_allclose(found["y"], ANSWER, rtol=1e-5, atol=1e-5)


def test_a_webnn_that_is_there_is_used(program: str, sin_file: Path) -> None:
    """As bindings and Electron have it: `navigator.ml` and `MLGraphBuilder`, here from the polyfill."""
    body = """
        const { install } = await import(pathToFileURL(`${packageDir}/polyfill.mjs`));
        await install();
        return run(file, { enableWebnnDelegate: true, webnnDelegateOptions: { polyfill: 'never' } });
    """
    found = in_node(program, sin_file, body)
    assert (found["mode"], found["webnn"]["used"]) == ("direct", True)
    np.testing.assert_allclose(found["y"], ANSWER, rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize(
    ("source", "name", "words"),
    [
        ("'nowhere.tflite'", "ModelFetchError", "ENOENT"),
        ("packageDir", "ModelFetchError", "EISDIR"),
        ("`${packageDir}/node.mjs`", "NotATFLiteModelError", "node.mjs is not a TFLite model"),
    ],
    ids=["missing", "folder", "script"],
)
def test_what_is_no_model_is_refused(program: str, sin_file: Path, source: str, name: str, words: str) -> None:
    body = f"""
        const error = await run({source}).catch((error) => error);
        return [error instanceof library[error.name], error.name, error.message];
    """
    is_of_its_class, found, message = in_node(program, sin_file, body)
    assert (is_of_its_class, found) == (True, name)
    assert words in message
