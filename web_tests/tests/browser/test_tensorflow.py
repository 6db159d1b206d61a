"""predict() and predictAsync() with the real TensorFlow.js, a script in the same page."""

from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Page

from web_tests.models import handmade, stateful
from web_tests.server.server import ISOLATION_HEADERS, Server

SCRIPTS = ("/tfjs/tf-core.min.js", "/tfjs/tf-backend-cpu.min.js")
X = np.array([0, 1, -2, 3, 0.5, 4, -1, 2], np.float32)


# Runs the RFC's example on an orange image of 4 x 4 pixels.
RFC_EXAMPLE = """
    const run = async (tf, origin, image) => {
        const { runOnImage } = await import(`${origin}/examples/rfc_example.mjs`);
        const [tensor, report] = await runOnImage(tf, image, `${origin}/exchange/inverted`);
        return [tensor.arraySync(), report.executionMode, report.webnn.reason];
    };
    const canvas = globalThis.document
        ? Object.assign(document.createElement('canvas'), { width: 4, height: 4 })
        : new OffscreenCanvas(4, 4);
    const context = canvas.getContext('2d');
    context.fillStyle = 'rgb(255, 51, 0)';
    context.fillRect(0, 0, 4, 4);
"""
RFC_WORKER = f"""
    importScripts({", ".join(map(repr, SCRIPTS))});
    {RFC_EXAMPLE}
    run(tf, location.origin, context.getImageData(0, 0, 4, 4)).then(postMessage, (error) => postMessage(`${{error}}`));
"""
WORKER_HEADERS = {"Content-Type": "text/javascript", **ISOLATION_HEADERS}


@pytest.fixture
def page(own_page: Page, server: Server) -> Page:
    """A page with the library as the global `tf`, and generated models served to it."""
    server.mailbox.put("sin", handmade.sin_example())
    server.mailbox.put("add", handmade.sum_of_two("float32", (8,)))
    server.mailbox.put("add_integers", handmade.sum_of_two("int32", (2,)))
    server.mailbox.put("flags", handmade.flattened("bool"))
    server.mailbox.put("strings", stateful.string_picker())
    own_page.goto(f"{server.origin}/probe.html")
    for script in SCRIPTS:
        own_page.add_script_tag(url=script)
    own_page.evaluate(
        """async () => {
            globalThis.tflite = await import('/package/tfjs.mjs');
            globalThis.plain = (value) => [value instanceof tf.Tensor, value.dtype, value.shape, value.arraySync()];
        }"""
    )
    return own_page


@pytest.mark.parametrize("on_webnn", [True, False], ids=["webnn", "cpu"])
def test_a_tensor_a_list_and_a_record_run_alike(page: Page, on_webnn: bool) -> None:
    one, added, named, mode = page.evaluate(
        """async ([x, enableWebnnDelegate]) => {
            const options = { enableWebnnDelegate, webnnDelegateOptions: { ignorePartitionCost: true } };
            const sin = await tflite.loadTFLiteModel('/exchange/sin', options);
            const add = await tflite.loadTFLiteModel('/exchange/add', options);
            const tensor = tf.tensor1d(x);
            const one = plain(await sin.predictAsync(tensor));
            const added = plain(await add.predictAsync([tensor, tf.onesLike(tensor)]));
            const named = plain(await add.predictAsync({ b: tensor, a: tf.cast(tensor, 'int32') }));
            return [one, added, named, sin.model.executionMode];
        }""",
        [X.tolist(), on_webnn],
    )
    assert mode == ("direct" if on_webnn else "cpu")
    assert one[:3] == [True, "float32", [8]]
    np.testing.assert_allclose(one[3], handmade.sin_example_answer(X), atol=1e-5)
    np.testing.assert_allclose(added[3], X + 1)
    np.testing.assert_allclose(named[3], X + X.astype(np.int32))


def test_the_example_of_the_rfc_in_a_page_computes_on_the_cpu(page: Page, server: Server) -> None:
    server.mailbox.put("inverted", handmade.inverted_image(4))
    check_example(page.evaluate(f"async () => {{ {RFC_EXAMPLE} return run(tf, '', canvas); }}"), "cpu")


def test_the_example_of_the_rfc_in_a_worker_waits_for_webnn(page: Page, server: Server) -> None:
    server.mailbox.put("inverted", handmade.inverted_image(4))
    page.context.route("**/rfc_worker.js", lambda route: route.fulfill(body=RFC_WORKER, headers=WORKER_HEADERS))
    found = page.evaluate(
        """() => new Promise((resolve) => {
            const worker = new Worker('/rfc_worker.js');
            worker.onmessage = ({ data }) => { worker.terminate(); resolve(data); };
            worker.onerror = ({ message }) => resolve(message);
        })"""
    )
    check_example(found, "blocking")


def check_example(found: Any, mode: str) -> None:
    assert isinstance(found, list), found
    values, reported, reason = found
    np.testing.assert_allclose(values, np.full((1, 4, 4, 3), [0, 204, 255]), atol=1e-3)
    assert reported == mode
    if mode == "cpu":
        assert "predict() cannot wait for WebNN in this thread" in reason
        assert "await predictAsync()" in reason
    else:
        assert reason is None


def test_integers_booleans_and_strings_run_in_tensorflow_js(page: Page) -> None:
    integers, flags, picked, refused = page.evaluate(
        """async () => {
            const [add, flags, strings] = await Promise.all(
                ['add_integers', 'flags', 'strings'].map((name) => tflite.loadTFLiteModel(`/exchange/${name}`)));
            const pair = tf.tensor1d([2147483647, -5], 'int32');
            const matrix = tf.tensor2d([[true, false, true], [false, false, true]], [2, 3], 'bool');
            const picks = { texts: tf.tensor1d(['eins', 'zwölf', '']), which: tf.tensor1d([1, 2], 'int32') };
            let refused;
            try { add.predict([tf.tensor1d([0.5, 1]), pair]); } catch ({ code, message }) { refused = [code, message]; }
            return [
                plain(add.predict([pair, tf.zerosLike(pair)])),
                plain(flags.predict(matrix)),
                plain(strings.predict(picks)),
                refused,
            ];
        }"""
    )
    assert integers == [True, "int32", [2], [2147483647, -5]]
    assert flags == [True, "bool", [6], [1, 0, 1, 0, 0, 1]]
    assert picked == [True, "string", [2], ["zwölf", ""]]
    assert refused[0] == "INPUT_DTYPE"
    assert "expects int32, got a float32 tensor" in refused[1]
