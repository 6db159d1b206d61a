"""The option `customOps` in pages: the guide's ops on WebNN, on the polyfill and on the CPU, here and in a worker."""

from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Page

from web_tests.models import custom_ops
from web_tests.models.model_writer import ModelWriter
from web_tests.server.server import Server

X = np.linspace(-2, 2, 8, dtype=np.float32)
THRESHOLD = 128
# Relative to the page: a worker is elsewhere.
OPS = "examples/custom_ops.mjs"
PLACES = {
    "cpu": ({"device": "cpu"}, "cpu"),
    "webnn": ({"device": "webnn"}, "stepped"),
    "polyfill": ({"device": "webnn", "webnnDelegateOptions": {"polyfill": "tflite"}}, "stepped"),
}


def two_ops() -> bytes:
    """Return y = 2 * AboveThreshold(Softsign(2 * x)) of eight floats."""
    writer = ModelWriter()
    x, doubled, signs, found, y = (writer.tensor(name, (8,)) for name in ("x", "doubled", "signs", "found", "y"))
    writer.node("ADD", [x, x], [doubled])
    writer.node("Softsign", [doubled], [signs])
    writer.node("AboveThreshold", [signs], [found], bytes([THRESHOLD]))
    writer.node("ADD", [found, found], [y])
    return writer.finish([x], [y])


def expected() -> Any:
    signs = 2 * X / (1 + np.abs(2 * X))
    return 2 * signs[signs > THRESHOLD / 255]


@pytest.fixture
def page(own_page: Page, server: Server) -> Page:
    server.mailbox.put("two_ops", two_ops())
    server.mailbox.put("scale", custom_ops.scaled_between_nodes("Softsign"))
    own_page.goto(f"{server.origin}/probe.html")
    return own_page


@pytest.mark.parametrize(("options", "mode"), PLACES.values(), ids=PLACES)
@pytest.mark.parametrize("place", ["functions", "module", "worker"])
def test_the_guides_ops_run_in_each_place(page: Page, place: str, options: dict[str, Any], mode: str) -> None:
    found = page.evaluate(
        """async ([url, place, options, x]) => {
            const tflite = await import('/package/index.mjs');
            const customOps = place === 'functions' ? (await import(new URL(url, document.baseURI))).default : url;
            const { TFLiteWorker } = await import('/package/worker.mjs');
            const loader = place === 'worker' ? new TFLiteWorker() : tflite;
            const model = await loader.loadTFLiteModel('/exchange/two_ops', { ...options, customOps });
            const results = [];
            for (let i = 0; i < 3; i++) {
                const [y] = await model.run(Float32Array.from(x));
                results.push([y.shape, [...y.data]]);
            }
            const { nodes } = await model.report();
            return [results, model.executionMode, nodes.map(({ op, placement, reason }) => [op, placement, reason])];
        }""",
        [OPS, place, options, X.tolist()],
    )
    results, executed, nodes = found
    assert executed == mode
    for shape, values in results:
        assert shape == [len(expected())]
        np.testing.assert_allclose(values, expected(), rtol=1e-5)
    if mode == "stepped":
        assert nodes[0][:2] == ["ADD", "webnn"]
        for op in ("Softsign", "AboveThreshold"):
            assert [op, "cpu", f"a function of the option customOps computes {op}"] in nodes


@pytest.mark.needs("variants")
@pytest.mark.parametrize("count", [1, 2])
def test_functions_run_next_to_threads(page: Page, count: int) -> None:
    """The server isolates its pages: threads have shared memory."""
    values, variant = page.evaluate(
        """async ([url, numThreads, x]) => {
            const { loadTFLiteModel } = await import('/package/index.mjs');
            const options = { device: 'cpu', numThreads, customOps: url };
            const model = await loadTFLiteModel('/exchange/two_ops', options);
            const [y] = await model.run(Float32Array.from(x));
            return [[...y.data], (await model.report()).variant];
        }""",
        [OPS, count, X.tolist()],
    )
    np.testing.assert_allclose(values, expected(), rtol=1e-5)
    assert variant.endswith("-threads") == (count == 2)


def test_a_classic_script_imports_the_functions(page: Page, server: Server) -> None:
    page.goto(f"{server.origin}/classic.html")
    values = page.evaluate(
        """async ([url, x]) => {
            const model = await tfliteWebnn.loadTFLiteModel('/exchange/two_ops', { customOps: url });
            return [...(await model.run(Float32Array.from(x)))[0].data];
        }""",
        [OPS, X.tolist()],
    )
    np.testing.assert_allclose(values, expected(), rtol=1e-5)


FAILURES = {
    "{ Softsign: { run() { throw new RangeError('too bad'); } } }": (
        "InterpreterError",
        "The custom op 'Softsign' (node 1) failed in run(): RangeError: too bad.",
    ),
    "'/no_such.mjs'": ("OptionError", 'the option "customOps" could not be imported from '),
    "{ Softsign: 5 }": ("OptionError", 'the option "customOps.Softsign" is an object with the function run'),
    "undefined": (
        "UnsupportedOpError",
        "the model uses the custom op 'Softsign', for which this runtime has no kernel",
    ),
}


@pytest.mark.parametrize(("ops", "error"), FAILURES.items(), ids=range(len(FAILURES)))
@pytest.mark.parametrize("device", ["cpu", "webnn"])
def test_mistakes_in_functions_are_typed_errors(page: Page, ops: str, error: tuple[str, str], device: str) -> None:
    found = page.evaluate(
        f"""async (device) => {{
            const tflite = await import('/package/index.mjs');
            try {{
                const model = await tflite.loadTFLiteModel('/exchange/scale', {{ device, customOps: {ops} }});
                await model.run(new Float32Array(8));
            }} catch (error) {{
                return [error.name, error.message, error instanceof tflite[error.name]];
            }}
        }}""",
        device,
    )
    name, message, is_instance = found
    assert (name, is_instance) == (error[0], True)
    assert message.startswith(error[1])


def test_functions_for_a_worker_are_an_option_error(page: Page) -> None:
    message = page.evaluate(
        """async () => {
            const { TFLiteWorker } = await import('/package/worker.mjs');
            const customOps = { Softsign: { run() {} } };
            return new TFLiteWorker().loadTFLiteModel('/exchange/scale', { customOps }).catch(({ message }) => message);
        }"""
    )
    assert "customOps cannot be given to a worker as functions, which stay in their thread: pass the address" in message
