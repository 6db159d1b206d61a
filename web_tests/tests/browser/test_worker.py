"""TFLiteWorker: models in a module worker of the package, while the page stays responsive."""

from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Page

from web_tests.drivers.harness import Harness
from web_tests.models import handmade, stateful
from web_tests.models.catalogue import all_models
from web_tests.references.inputs import inputs_for
from web_tests.server.server import Server

# Heavy on the CPU with TFLite's own kernels: a second or more per run.
HEAVY = all_models()["pose_landmark_lite"]
SLOWLY = {"device": "cpu", "enableXnnpackDelegate": False}
MODEL = all_models()["face_detection_short_range"]


@pytest.fixture
def page(own_page: Page, server: Server) -> Page:
    """A fresh page with a worker."""
    server.mailbox.put("sin", handmade.sin_example())
    own_page.goto(f"{server.origin}/probe.html")
    own_page.evaluate(
        """async () => {
            globalThis.tflite = { ...(await import('/package/index.mjs')), ...(await import('/package/worker.mjs')) };
            globalThis.worker = new tflite.TFLiteWorker();
            globalThis.WEBNN = { enableWebnnDelegate: true, webnnDelegateOptions: { ignorePartitionCost: true } };
            globalThis.failure = (promise) => promise.then(() => null, (error) => [
                error.name, error.code ?? null, error instanceof (tflite[error.name] ?? Error), error.message]);
        }"""
    )
    return own_page


def test_the_page_goes_on_while_a_model_loads_and_runs(page: Page) -> None:
    """Timers fire during the worker's run, and not during the same run in the page."""
    ticks = page.evaluate(
        """async ([url, options]) => {
            let ticks = 0;
            setInterval(() => ticks++, 1);
            const during = async (work) => {
                const before = ticks;
                const value = await work();
                return [ticks - before, value];
            };
            const [loading, model] = await during(() => worker.loadTFLiteModel(url, options));
            const input = new Float32Array(model.inputs[0].shape.reduce((a, b) => a * b));
            const [running] = await during(() => model.run(input));
            const here = await tflite.loadTFLiteModel(url, options);
            const [blocked] = await during(() => here.run(input));
            return { loading, running, blocked };
        }""",
        [f"/models/{HEAVY.name}.tflite", SLOWLY],
    )
    assert ticks["blocked"] <= 1, ticks
    assert ticks["loading"] > 1, ticks
    assert ticks["running"] > 10, ticks


def test_results_are_those_of_the_page(webnn: Harness, page: Page) -> None:
    inputs = inputs_for(MODEL)
    loaded = webnn.load(f"/models/{MODEL.name}.tflite")
    expected = loaded.run(inputs)
    webnn.server.mailbox.put("image", np.ascontiguousarray(inputs[0]).tobytes())
    mode, report_mode, outputs, streamed, reused = page.evaluate(
        """async (url) => {
            const model = await worker.loadTFLiteModel(url, { enableWebnnDelegate: true });
            const image = new Float32Array(await (await fetch('/exchange/image')).arrayBuffer());
            const outputs = Object.values(await model.run({ [model.inputs[0].name]: image }));
            const given = model.outputs.map(({ shape }) => new Float32Array(shape.reduce((a, b) => a * b)));
            const returned = await model.run(image, { outputs: given });
            const equal = (a, b) => a.every((value, j) => value === b[j]);
            const isSame = (found) => found.every(({ data }, i) => equal(data, outputs[i].data));
            const streamed = [];
            const images = Array(6).fill(image);
            for await (const found of model.stream(images, { inFlight: 4 })) streamed.push(isSame(found));
            const { executionMode } = await model.report();
            const reused = returned.every(({ data }, i) => data === given[i]) && isSame(returned);
            const values = outputs.map(({ shape, data }) => [shape, [...data]]);
            return [model.executionMode, executionMode, values, streamed, reused];
        }""",
        f"/models/{MODEL.name}.tflite",
    )
    assert (mode, report_mode, streamed, reused) == ("direct", "direct", [True] * 6, True)
    for (shape, values), other in zip(outputs, expected, strict=True):
        np.testing.assert_array_equal(np.array(values, np.float32).reshape(shape), other)


def test_inputs_are_moved_where_that_is_allowed(page: Page) -> None:
    lengths = page.evaluate(
        """async () => {
            const model = await worker.loadTFLiteModel('/exchange/sin');
            const [copied, moved, part] = [new Float32Array(8), new Float32Array(8), new Float32Array(16)];
            await model.run(copied);
            await model.run(moved, { transfer: true });
            await model.run(part.subarray(0, 8), { transfer: true });
            const bytes = await (await fetch('/exchange/sin')).arrayBuffer();
            const resized = new Uint8Array(bytes.slice(0));
            await worker.loadTFLiteModel(resized);
            await worker.loadTFLiteModel(bytes, { transfer: true });
            await worker.loadTFLiteModel(await fetch('/exchange/sin'));
            const sizes = [bytes.byteLength, resized.byteLength].map(Boolean);
            return [copied.length, moved.length, part.length, ...sizes];
        }"""
    )
    assert lengths == [8, 0, 16, False, True]


NO_WASM = ("WasmLoadError", "WASM_LOAD_FAILED")
DISPOSED = ("ModelDisposedError", "MODEL_DISPOSED")
FAILURES: dict[str, tuple[str, str, str]] = {
    "worker.loadTFLiteModel('/no_such.tflite')": ("ModelFetchError", "MODEL_FETCH_FAILED", "404"),
    "worker.loadTFLiteModel(new ArrayBuffer(64))": ("NotATFLiteModelError", "NOT_A_TFLITE_MODEL", ""),
    "worker.loadTFLiteModel('/exchange/sin', { webnnDelegateOptions: { context: {} } })": (
        "OptionError",
        "OPTION",
        "makes its own",
    ),
    "worker.loadTFLiteModel('/exchange/sin').then((model) => model.run(new Float32Array(7)))": (
        "InputError",
        "INPUT_SHAPE",
        "float32[8]",
    ),
    "worker.loadTFLiteModel('/exchange/sin').then(async (model) => {"
    " await model.dispose(); await model.run(new Float32Array(8)); })": (*DISPOSED, ""),
    "worker.loadTFLiteModel('/exchange/sin', { wasmPath: '/nowhere' })": (*NO_WASM, "/nowhere/"),
    "(tflite.setWasmPath('elsewhere'), worker.loadTFLiteModel('/exchange/sin'))": (*NO_WASM, "/elsewhere/"),
    "new tflite.TFLiteWorker({ url: '/no_such.mjs' }).loadTFLiteModel('/exchange/sin')": (
        "WorkerFailedError",
        "WORKER_FAILED",
        "model_worker.mjs",
    ),
    "worker.loadTFLiteModel('/exchange/sin').then((model) => {"
    " worker.dispose(); return model.run(new Float32Array(8)); })": (*DISPOSED, "worker has been disposed"),
}


@pytest.mark.parametrize(("script", "expected"), FAILURES.items(), ids=range(len(FAILURES)))
def test_errors_keep_their_class(page: Page, script: str, expected: tuple[str, str, str]) -> None:
    name, code, is_instance, message = page.evaluate(f"() => failure({script})")
    assert (name, code, is_instance) == (*expected[:2], True), message
    assert expected[2] in message


def test_loading_reports_progress_and_can_be_ended(page: Page) -> None:
    phases, ended = page.evaluate(
        """async () => {
            const phases = new Set();
            const onProgress = ({ phase }) => phases.add(phase);
            await worker.loadTFLiteModel('/exchange/sin', { ...WEBNN, onProgress });
            const abort = new AbortController();
            // A file that never comes: a load that can end by itself may do so before the abort arrives.
            const loading = worker.loadTFLiteModel(new ReadableStream(), {
                signal: abort.signal,
                onProgress: () => abort.abort(new RangeError('enough')),
            });
            return [[...phases], await failure(loading)];
        }"""
    )
    assert {"download", "init", "build"} <= set(phases)
    assert ended[0] == "RangeError"


def test_a_model_in_a_worker_is_resized(page: Page) -> None:
    found = page.evaluate(
        """async () => {
            const model = await worker.loadTFLiteModel('/exchange/sin', WEBNN);
            await model.resizeInputs([[3]]);
            return [model.inputs[0].shape, [...(await model.run(new Float32Array(3).fill(1)))[0].data]];
        }"""
    )
    assert found[0] == [3]
    np.testing.assert_allclose(found[1], handmade.sin_example_answer(np.ones(3, np.float32)), atol=1e-5)


@pytest.mark.parametrize("webnn_delegate", [True, False], ids=["webnn", "cpu"])
def test_a_worker_runs_signatures_of_other_subgraphs(page: Page, server: Server, webnn_delegate: bool) -> None:
    server.mailbox.put("counter", stateful.counter())
    sums, product, taken, failed = page.evaluate(
        """async (enableWebnnDelegate) => {
            const options = { enableWebnnDelegate, webnnDelegateOptions: { ignorePartitionCost: true } };
            const model = await worker.loadTFLiteModel('/exchange/counter', options);
            const [x, factor, y] = [new Float32Array(4).fill(2), new Float32Array(4).fill(3), new Float32Array(4)];
            await model.runSignature('add', { x });
            const sums = await model.runSignature('add', { x }, { outputs: { y } });
            const product = await model.runSignature('peek', { factor }, { transfer: true });
            const isGiven = sums.y.data === y;
            const refusal = await failure(model.runSignature('none', {}));
            return [isGiven && [...y], [...product.product.data], factor.length, refusal];
        }""",
        webnn_delegate,
    )
    # The variable starts at one.
    np.testing.assert_allclose(sums, [np.sin(1 + 2 + 2)] * 4, atol=1e-5)
    np.testing.assert_allclose(product, [(1 + 2 + 2) * 3] * 4, atol=1e-5)
    assert taken == 0
    assert failed[:3] == ["SignatureError", "SIGNATURE", True]


def test_a_worker_reports_its_profile_and_device(page: Page) -> None:
    items, summary, devices = page.evaluate(
        """async () => {
            const options = { ...WEBNN, enableProfiling: true };
            const model = await worker.loadTFLiteModel('/exchange/sin', options);
            await model.run(new Float32Array(8));
            const onCpu = await worker.loadTFLiteModel('/exchange/sin', { device: 'cpu' });
            const devices = [model.device, onCpu.device];
            return [await model.getProfilingResults(), await model.getProfilingSummary(), devices];
        }"""
    )
    assert [item["nodeType"] for item in items] == ["WEBNN"]
    assert items[0]["nodeExecMs"] > 0
    assert summary.startswith("1 nodes, ")
    assert devices[0].split(":")[0] == "webnn"
    assert devices[1] == "wasm"


def test_leaving_a_stream_early_frees_it(page: Page) -> None:
    taken, after = page.evaluate(
        """async () => {
            const model = await worker.loadTFLiteModel('/exchange/sin', WEBNN);
            let taken = 0;
            function* items() { for (;;) { taken++; yield new Float32Array(8).fill(taken); } }
            for await (const _ of model.stream(items(), { inFlight: 3, transfer: true })) if (taken >= 20) break;
            return [taken, (await model.run(new Float32Array(8)))[0].data.length];
        }"""
    )
    assert taken in range(20, 24)
    assert after == 8


def test_the_example_of_a_stream_of_frames(page: Page) -> None:
    shown: Any = page.evaluate(
        """async () => {
            const { showStream } = await import('/examples/camera_stream.mjs');
            async function* frames() { for (let i = 0; i < 5; i++) yield new Float32Array(8).fill(i); }
            const shown = [];
            await showStream('/exchange/sin', frames(), ([y]) => shown.push(y.data[0]));
            return shown;
        }"""
    )
    np.testing.assert_allclose(shown, handmade.sin_example_answer(np.arange(5, dtype=np.float32)), atol=1e-5)
