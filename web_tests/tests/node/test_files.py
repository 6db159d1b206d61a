"""`tflite-webnn/node`: files as models, threads, WebNN, in the Node on PATH and in the pinned one."""

import json
from pathlib import Path

import numpy as np
import pytest

from web_tests.models import catalogue
from web_tests.tests.node.programs import SIN_OUTPUT, in_node

pytestmark = pytest.mark.needs("package")


def long_runs() -> str:
    """Return, as JSON, the path of a model whose runs take long enough for several threads."""
    return json.dumps(str(catalogue.all_models()["face_detection_short_range"].path()))


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
def test_a_model_is_loaded_from_each_name_of_its_file(program: str, sin_file: Path, source: str) -> None:
    found = in_node(program, sin_file, f"return run({source}, {{ numThreads: 1 }});")
    np.testing.assert_allclose(found["y"], SIN_OUTPUT, rtol=1e-5, atol=1e-5)


@pytest.mark.needs("variants")
def test_threads_do_not_keep_the_process(program: str, sin_file: Path) -> None:
    body = f"""
        const model = await library.loadTFLiteModel({long_runs()}, {{ numThreads: 3 }});
        const small = await run(file, {{ numThreads: 3 }});
        return {{ ...small, threads: [(await model.report()).threads.used, small.threads] }};
    """
    found = in_node(program, sin_file, body)
    assert found["threads"] == [3, 1]
    np.testing.assert_allclose(found["y"], SIN_OUTPUT, rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("threads", [1, pytest.param(3, marks=pytest.mark.needs("variants"))])
def test_every_thread_computes(program: str, sin_file: Path, threads: int) -> None:
    """By the system's processor time of each thread that came with the model."""
    body = f"""
        const {{ readdirSync, readFileSync }} = await import('node:fs');
        const {{ join }} = await import('node:path');
        const directory = '/proc/self/task';
        const statistics = (thread) => readFileSync(join(directory, thread, 'schedstat'), 'utf8');
        const nanoseconds = (thread) => Number(statistics(thread).split(' ')[0]);
        const before = new Set(readdirSync(directory));
        const model = await library.loadTFLiteModel({long_runs()}, {{ numThreads: {threads} }});
        const pixels = new Float32Array(model.inputs[0].shape.reduce((a, b) => a * b));
        await model.run(pixels);
        const times = readdirSync(directory).filter((thread) => !before.has(thread)).map((id) => [id, nanoseconds(id)]);
        for (let count = 0; count < 60; count++) await model.run(pixels);
        return times.map(([thread, start]) => (nanoseconds(thread) - start) / 1e6);
    """
    times_ms = in_node(program, sin_file, body)
    assert len([ms for ms in times_ms if ms > 1]) == threads - 1, times_ms


@pytest.mark.parametrize("options", ["{}", "{ numThreads: -1 }"])
def test_by_default_half_of_the_processor_computes(program: str, sin_file: Path, options: str) -> None:
    body = f"""
        const {{ availableParallelism }} = await import('node:os');
        const model = await library.loadTFLiteModel({long_runs()}, {options});
        return [(await model.report()).threads.used, availableParallelism()];
    """
    threads, cores = in_node(program, sin_file, body)
    assert threads == max(1, cores // 2)


def test_the_polyfill_is_webnn_where_it_is_requested(program: str, sin_file: Path) -> None:
    options = "{ enableWebnnDelegate: true, webnnDelegateOptions: { polyfill: 'tflite' } }"
    found = in_node(program, sin_file, f"return run(file, {options});")
    assert (found["mode"], found["webnn"]["used"]) == ("direct", True)
    assert found["webnn"]["backend"].startswith("polyfill ")
    np.testing.assert_allclose(found["y"], SIN_OUTPUT, rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("polyfill", ["auto", "never"])
def test_a_webnn_that_is_there_is_used(program: str, sin_file: Path, polyfill: str) -> None:
    """`navigator.ml` and `MLGraphBuilder`, as in bindings and Electron, here from the polyfill."""
    body = f"""
        const {{ install }} = await import(pathToFileURL(`${{packageDir}}/polyfill.mjs`));
        await install();
        let contexts = 0;
        const {{ ml }} = navigator;
        const createContext = ml.createContext.bind(ml);
        ml.createContext = (...options) => (contexts++, createContext(...options));
        const webnnDelegateOptions = {{ polyfill: '{polyfill}', ignorePartitionCost: true }};
        return {{ ...(await run(file, {{ enableWebnnDelegate: true, webnnDelegateOptions }})), contexts }};
    """
    found = in_node(program, sin_file, body)
    assert (found["mode"], found["webnn"]["used"]) == ("direct", True)
    assert found["contexts"] == 1
    np.testing.assert_allclose(found["y"], SIN_OUTPUT, rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize(
    ("source", "name", "part"),
    [
        ("'nowhere.tflite'", "ModelFetchError", "ENOENT"),
        ("packageDir", "ModelFetchError", "EISDIR"),
        ("`${packageDir}/node.mjs`", "NotATFLiteModelError", "node.mjs is not a TFLite model"),
    ],
    ids=["missing", "directory", "script"],
)
def test_a_file_that_is_not_a_model_is_rejected(
    program: str, sin_file: Path, source: str, name: str, part: str
) -> None:
    body = f"""
        const error = await run({source}).catch((error) => error);
        return [error instanceof library[error.name], error.name, error.message];
    """
    is_of_its_class, found, message = in_node(program, sin_file, body)
    assert (is_of_its_class, found) == (True, name)
    assert part in message
