"""MLTensors in and out of models on native WebNN: the examples, every misuse, lost contexts."""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Page, Playwright

from web_tests.browsers import chromium_flags, installed
from web_tests.browsers.installed import BrowserProgram
from web_tests.drivers.harness import Harness
from web_tests.models import handmade
from web_tests.models.catalogue import all_models, made_models
from web_tests.models.recipes import Array
from web_tests.references.inputs import inputs_for
from web_tests.server.server import Server

VALUES = np.linspace(-2, 2, 8, dtype=np.float32)

Ask = Callable[..., Any]


@pytest.fixture
def tensor_page(own_page: Page, server: Server) -> Page:
    """A fresh page, with the generated models served to it."""
    open_page(own_page, server)
    return own_page


def open_page(page: Page, server: Server) -> None:
    server.mailbox.put("sin", handmade.sin_example())
    server.mailbox.put("add", handmade.sum_of_two())
    server.mailbox.put("add_floats", handmade.sum_of_two("float32", (8,)))
    page.goto(f"{server.origin}/probe.html")


def example(page: Page, name: str, call: str) -> Any:
    """Return the result of an example's function, arrays as lists."""
    return page.evaluate(
        f"""async () => {{
            const example = await import('/examples/{name}.mjs');
            const plain = (value) => ArrayBuffer.isView(value) ? [...value] : value;
            const result = await example.{call};
            return Array.isArray(result) ? result.map(plain) : plain(result);
        }}"""
    )


def js(values: Array) -> str:
    return f"Float32Array.of({', '.join(map(str, values.tolist()))})"


def test_reused_buffers_have_the_sines(tensor_page: Page) -> None:
    found = example(tensor_page, "buffer_reuse", f"effectsOn({js(VALUES)}, ['/exchange/sin', '/exchange/sin'])")
    expected = handmade.sin_example_answer(VALUES)
    for one in found:
        np.testing.assert_allclose(one, expected, atol=1e-5)


@pytest.mark.parametrize(("n", "number"), [(2, 1), (10, 55), (40, 102334155)])
def test_chained_runs_compute_fibonacci_numbers(tensor_page: Page, n: int, number: int) -> None:
    assert example(tensor_page, "chained_inference", f"fibonacci('/exchange/add', {n})") == number


def test_two_models_run_one_after_the_other(tensor_page: Page) -> None:
    call = f"oneAfterTheOther({js(VALUES)}, '/exchange/sin', '/exchange/sin')"
    answer = handmade.sin_example_answer
    found = example(tensor_page, "resource_management", call)
    np.testing.assert_allclose(found, answer(answer(VALUES)), atol=1e-5)


@pytest.fixture
def gpu_page(playwright: Playwright, webnn_program: BrowserProgram, server: Server) -> Iterator[Page]:
    """A page of a browser with WebNN and, emulated on the CPU, WebGPU; `device` is its GPUDevice."""
    with installed.launched(playwright, webnn_program, extra_flags=chromium_flags.WEBGPU_FLAGS) as browser:
        page = browser.new_page()
        open_page(page, server)
        has_gpu = page.evaluate(
            """async () => {
                const adapter = await navigator.gpu?.requestAdapter();
                globalThis.device = await adapter?.requestDevice();
                return Boolean(globalThis.device);
            }"""
        )
        if not has_gpu:
            pytest.skip(f"{webnn_program.title} has no WebGPU here, not even on the CPU")
        yield page


def test_webgpu_interop_by_copies_computes_between_shaders(gpu_page: Page) -> None:
    call = "betweenShaders(device, '/exchange/sin', 'i * 0.25', 'x * 2 + 1')"
    found = example(gpu_page, "webgpu_interop", call)
    steps = np.arange(8, dtype=np.float32) * np.float32(0.25)
    np.testing.assert_allclose(found, handmade.sin_example_answer(steps) * 2 + 1, atol=1e-4)


@pytest.mark.parametrize("destroy", ["buffer", "device"])
def test_a_buffer_that_was_destroyed_leaves_the_old_values(gpu_page: Page, destroy: str) -> None:
    found = gpu_page.evaluate(
        """async (destroy) => {
            const { WebgpuTensor } = await import('/package/index.mjs');
            const context = await navigator.ml.createContext();
            const shared = await WebgpuTensor.create(context, { dataType: 'float32', shape: [2] }, device);
            context.writeTensor(shared.tensor, Float32Array.of(1, 2));
            const buffer = await shared.toGpu();
            (destroy === 'buffer' ? buffer : device).destroy();
            const outcome = await shared.toWebnn().then(() => 'returned', ({ code }) => code);
            return [outcome, ...new Float32Array(await context.readTensor(shared.tensor))];
        }""",
        destroy,
    )
    assert found == ["TENSOR_IO_UNAVAILABLE", 1, 2]


SETUP = """async (source) => {
    const { loadTFLiteModel } = await import('/package/index.mjs');
    const webnn = { enableWebnnDelegate: true, webnnDelegateOptions: { ignorePartitionCost: true } };
    const model = await loadTFLiteModel(source, webnn);
    const x = await model.createInputTensor(0);
    const y = await model.createOutputTensor(0);
    const [X, out] = [new Float32Array(8), new Float32Array(8)];
    globalThis.it = { model, x, y, X, out, context: model.context, loadTFLiteModel, webnn };
}"""


@pytest.fixture
def attempt(tensor_page: Page) -> Ask:
    """Runs JavaScript with `model`, `x`, `y`, `X`, `out`; returns the error's name, or the value."""
    tensor_page.evaluate(SETUP, "/exchange/sin")

    def run(script: str) -> Any:
        return tensor_page.evaluate(
            f"""async () => {{
                const {{ model, x, y, X, out, context, loadTFLiteModel, webnn }} = it;
                try {{ {script} }} catch (error) {{ return error.code; }}
            }}"""
        )

    return run


MISUSES = {
    "const other = await navigator.ml.createContext();"
    "const z = await other.createTensor({ dataType: 'float32', shape: [8] });"
    "model.dispatch(z, y);": "TENSOR_CONTEXT",
    "const other = await loadTFLiteModel('/exchange/sin', webnn);"
    "model.dispatch(await other.createInputTensor(0), y);": "TENSOR_CONTEXT",
    "x.destroy(); model.dispatch(x, y);": "TENSOR_DESTROYED",
    "x.destroy(); model.writeTensor(x, X);": "TENSOR_DESTROYED",
    "y.destroy(); await model.readTensor(y);": "TENSOR_DESTROYED",
    "const reading = model.readTensor(y); y.destroy(); await reading;": "TENSOR_DESTROYED",
    "model.dispatch(await context.createTensor({ dataType: 'float32', shape: [7] }), y);": "TENSOR_MISMATCH",
    "model.dispatch(await context.createTensor({ dataType: 'int32', shape: [8] }), y);": "TENSOR_MISMATCH",
    "model.writeTensor(x, new Float32Array(7));": "TENSOR_MISMATCH",
    "model.writeTensor(y, X);": "TENSOR_USAGE",
    "await model.readTensor(x);": "TENSOR_USAGE",
    "model.dispatch(x, x);": "TENSOR_USAGE",
    "model.dispatch({ no: x }, y);": "TENSOR_NAME",
    "model.dispatch([x, x], y);": "TENSOR_NAME",
    "model.dispatch(new Int32Array(8), y);": "INPUT_DTYPE",
    "model.dispatch(x, new Float32Array(7));": "OUTPUT_BUFFER",
    "const cpu = await loadTFLiteModel('/exchange/sin', { device: 'cpu' });"
    "cpu.dispatch(x, y);": "TENSOR_IO_UNAVAILABLE",
    "const stepped = await loadTFLiteModel('/exchange/sin', { enableWebnnDelegate: true,"
    "webnnDelegateOptions: { deniedOps: ['ADD'], ignorePartitionCost: true } });"
    "if (stepped.executionMode !== 'stepped') return stepped.executionMode;"
    "await stepped.createInputTensor(0);": "TENSOR_IO_UNAVAILABLE",
    "model.dispose(); model.dispatch(x, y);": "MODEL_DISPOSED",
}


@pytest.mark.parametrize(("script", "error"), MISUSES.items(), ids=range(len(MISUSES)))
def test_misuse_throws_an_error_of_its_own_class(attempt: Ask, script: str, error: str) -> None:
    assert attempt(script) == error


def test_a_lost_context_takes_its_tensors_along(attempt: Ask) -> None:
    attempt("context.destroy();")
    lost = "CONTEXT_LOST"
    uses = (
        "model.dispatch(x, y);",
        "model.writeTensor(x, X);",
        "await model.readTensor(y);",
        "model.dispatch(X, out);",
    )
    assert [attempt(use) for use in uses] == [lost] * 4
    found = attempt(
        """const [u, v] = [await model.createInputTensor(0), await model.createOutputTensor(0)];
        model.writeTensor(u, X.fill(1));
        model.dispatch(u, v);
        return [...await model.readTensor(v)];"""
    )
    np.testing.assert_allclose(found, handmade.sin_example_answer(np.ones(8, np.float32)), atol=1e-5)
    assert [attempt(use) for use in uses[:3]] == ["TENSOR_CONTEXT"] * 3


def test_arrays_and_tensors_mix(attempt: Ask) -> None:
    found = attempt(
        """model.dispatch(X.fill(0.5), y);
        X.fill(9); // the array was copied
        model.writeTensor(x, X.fill(1));
        const reading = model.dispatch(x, out);
        const first = [...await model.readTensor(y)];
        await reading;
        return [first, [...out]];"""
    )
    for values, x in zip(found, (0.5, 1.0), strict=True):
        np.testing.assert_allclose(values, handmade.sin_example_answer(np.full(8, x, np.float32)), atol=1e-5)


REAL = """async ([url, type]) => {
    const { loadTFLiteModel } = await import('/package/index.mjs');
    const options = { enableWebnnDelegate: true, webnnDelegateOptions: { ignorePartitionCost: true } };
    const model = await loadTFLiteModel(url, options);
    const image = new globalThis[type](await (await fetch('/exchange/image')).arrayBuffer());
    const images = [1, 0.5, 0.25, 0, -1, 0.75, 0.1].map((factor) => image.map((value) => value * factor));
    const expected = [];
    const dataOf = (results) => results.map(({ data }) => data);
    for (const one of images) expected.push(dataOf(await model.run(one)));
    const isSame = (found, wanted) => found.every((array, i) => array.every((value, j) => value === wanted[i][j]));

    const descriptor = model.inputTensorDescriptor(model.inputs[0].name);
    const input = await model.context.createTensor({ ...descriptor, writable: true });
    const outputs = await Promise.all(model.outputs.map(({ name }) => model.createOutputTensor(name)));
    model.context.writeTensor(input, type === 'Int16Array' ? Int32Array.from(image) : image);
    model.dispatch(input, Object.fromEntries(model.outputs.map(({ name }, i) => [name, outputs[i]])));
    const found = [isSame(await Promise.all(outputs.map((tensor) => model.readTensor(tensor))), expected[0])];

    const arrays = images.map((_, i) => expected[i].map((array) => new array.constructor(array.length)));
    await Promise.all(images.map((one, i) => model.dispatch(one, arrays[i])));
    arrays.forEach((given, i) => found.push(isSame(given, expected[i])));

    let count = 0;
    for await (const results of model.stream(images, { inFlight: 4 })) {
        found.push(isSame(dataOf(results), expected[count++]));
    }
    model.dispose();
    return found;
}"""


@pytest.mark.parametrize(
    ("name", "array"),
    [
        ("face_detection_short_range", "Float32Array"),
        ("pose_landmark_lite", "Float32Array"),  # five outputs
        ("mobilenet_v1_uint8", "Uint8Array"),
        ("u_net_16x8", "Int16Array"),  # int32 for WebNN
    ],
)
def test_a_real_model_gives_what_run_gives(webnn: Harness, name: str, array: str) -> None:
    """The page's MLTensors, seven concurrent dispatches, a stream with four runs in flight: the same bits as run()."""
    model = all_models().get(name) or made_models()[name]
    webnn.server.mailbox.put("image", np.ascontiguousarray(inputs_for(model)[0]).tobytes())
    assert webnn.page.evaluate(REAL, [f"/models/{name}.tflite", array]) == [True] * 15


def test_a_stream_outlives_its_context(attempt: Ask) -> None:
    found, losses = attempt(
        """const results = [];
        const items = Array.from({ length: 9 }, (_, i) => new Float32Array(8).fill(i / 4));
        for await (const [result] of model.stream(items)) {
            if (results.push(result.data[0]) === 3) context.destroy();
        }
        return [results, (await model.report()).webnn.contextLosses];"""
    )
    np.testing.assert_allclose(found, handmade.sin_example_answer(np.arange(9, dtype=np.float32) / 4), atol=1e-5)
    assert losses == 1
