"""`tflite-webnn/node` off the main thread: TFLiteWorker, and threads that wait (blocking mode)."""

from pathlib import Path

import numpy as np
import pytest

from web_tests.models.model_writer import ModelWriter
from web_tests.tests.node.programs import SIN_OUTPUT, in_node

pytestmark = pytest.mark.needs("package")

VALUES = "Float32Array.from({ length: 8 }, (_, index) => index)"
ON_POLYFILL = "{ enableWebnnDelegate: true, webnnDelegateOptions: { polyfill: 'tflite', blocking: %s } }"


@pytest.mark.parametrize(
    ("options", "mode"),
    [
        ("{}", "cpu"),
        ("{ numThreads: 3 }", "cpu"),
        (ON_POLYFILL % "false", "direct"),
        (ON_POLYFILL % "true", "blocking"),
    ],
    ids=["by default", "threads", "WebNN", "blocking"],
)
def test_a_model_in_a_worker_computes_and_reports_its_phases(
    program: str, sin_file: Path, options: str, mode: str
) -> None:
    """The worker is not terminated: it must not keep the process alive."""
    body = f"""
        const worker = new library.TFLiteWorker();
        const phases = new Set();
        const onProgress = ({{ phase }}) => phases.add(phase);
        const model = await worker.loadTFLiteModel(file, {{ ...{options}, onProgress }});
        const [y] = await model.run({VALUES});
        const streamed = [];
        for await (const [item] of model.stream([{VALUES}, {VALUES}])) streamed.push([...item.data]);
        return {{ y: [...y.data], streamed, mode: model.executionMode, phases: [...phases] }};
    """
    found = in_node(program, sin_file, body)
    assert found["mode"] == mode
    assert "init" in found["phases"]
    for output in (found["y"], *found["streamed"]):
        np.testing.assert_allclose(output, SIN_OUTPUT, rtol=1e-5, atol=1e-5)


def test_a_worker_loads_a_model_from_each_source(program: str, sin_file: Path) -> None:
    body = f"""
        const {{ openAsBlob, readFileSync }} = await import('node:fs');
        const worker = new library.TFLiteWorker();
        const sources = [pathToFileURL(file), new Uint8Array(readFileSync(file)), (await openAsBlob(file)).stream()];
        const outputs = [];
        for (const source of sources) {{
          const model = await worker.loadTFLiteModel(source);
          outputs.push([...(await model.run({VALUES}))[0].data]);
        }}
        worker.dispose();
        return outputs;
    """
    for output in in_node(program, sin_file, body):
        np.testing.assert_allclose(output, SIN_OUTPUT, rtol=1e-5, atol=1e-5)


def test_errors_of_a_worker_keep_their_class(program: str, sin_file: Path) -> None:
    body = """
        const worker = new library.TFLiteWorker();
        const failed = async (promise) => {
          const error = await promise.catch((error) => error);
          return [error instanceof library[error.name], error.name, error.message];
        };
        const nowhere = new library.TFLiteWorker({ url: pathToFileURL(`${file}.mjs`) });
        const loading = worker.loadTFLiteModel(new ReadableStream());
        const missing = await failed(worker.loadTFLiteModel('nowhere.tflite'));
        const notStarted = await failed(nowhere.loadTFLiteModel(file));
        worker.dispose();
        return [missing, notStarted, await failed(loading)];
    """
    missing, not_started, ended = in_node(program, sin_file, body)
    assert missing[:2] == [True, "ModelFetchError"]
    assert "nowhere.tflite" in missing[2]
    assert not_started[:2] == [True, "WorkerFailedError"]
    assert "Cannot find module" in not_started[2]
    assert ended[:2] == [True, "ModelDisposedError"]
    assert "worker has been disposed" in ended[2]


def endless_loop() -> bytes:
    main = ModelWriter()
    condition, body = main.subgraph(), main.subgraph()
    value = condition.tensor("value", (8,))
    condition.end([value], [condition.constant("goes_on", np.array([True]))])
    for writer, op in ((body, "NEG"), (main, "WHILE")):
        loop = {"condSubgraphIndex": 1, "bodySubgraphIndex": 2} if op == "WHILE" else None
        x, y = writer.tensor("x", (8,)), writer.tensor("y", (8,))
        writer.node(op, [x], [y], loop)
        if writer is body:
            body.end([x], [y])
    return main.finish([x], [y])


def test_disposing_of_a_worker_ends_a_loop_without_end(program: str, tmp_path: Path) -> None:
    file = tmp_path / "endless.tflite"
    file.write_bytes(endless_loop())
    body = f"""
        const worker = new library.TFLiteWorker();
        const model = await worker.loadTFLiteModel(file);
        const pending = model.run({VALUES});
        const first = await Promise.race([pending, new Promise((resolve) => setTimeout(resolve, 300, 'runs on'))]);
        worker.dispose();
        return [first, await pending.catch((error) => error.name)];
    """
    assert in_node(program, file, body) == ["runs on", "ModelDisposedError"]


def test_a_model_runs_in_a_worker_of_the_caller(program: str, sin_file: Path) -> None:
    body = f"""
        const {{ Worker }} = await import('node:worker_threads');
        const thread = new Worker(pathToFileURL(`${{packageDir}}/model_worker.mjs`));
        const worker = new library.TFLiteWorker({{ worker: thread }});
        const model = await worker.loadTFLiteModel(file);
        return [...(await model.run({VALUES}))[0].data];
    """
    np.testing.assert_allclose(in_node(program, sin_file, body), SIN_OUTPUT, rtol=1e-5, atol=1e-5)


def test_run_sync_waits_for_webnn(program: str, sin_file: Path) -> None:
    body = f"""
        const model = await library.loadTFLiteModel(file, {ON_POLYFILL % "true"});
        const {{ webnn }} = await model.report();
        return {{ y: [...model.runSync({VALUES})[0].data], mode: model.executionMode, webnn }};
    """
    found = in_node(program, sin_file, body)
    assert (found["mode"], found["webnn"]["used"]) == ("blocking", True)
    assert found["webnn"]["backend"].startswith("polyfill ")
    np.testing.assert_allclose(found["y"], SIN_OUTPUT, rtol=1e-5, atol=1e-5)
