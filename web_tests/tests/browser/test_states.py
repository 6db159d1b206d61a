"""States: a language model's cache stays in MLTensors, or in wasm, between prefill and decode."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Page

from web_tests.models.networks.decoder import DecoderShape, decoder
from web_tests.references.decoding import decode_natively
from web_tests.server.server import Server

PROMPT, STEPS = [1, 2, 3, 4], 6
# Measured: 2e-6.
TOLERANCE = 1e-5
WEBNN = {"enableWebnnDelegate": True, "webnnDelegateOptions": {"ignorePartitionCost": True}}
POLYFILL = {"enableWebnnDelegate": True, "webnnDelegateOptions": {"polyfill": "tflite"}}
BLOCKING = {"enableWebnnDelegate": True, "webnnDelegateOptions": {"blocking": True, "ignorePartitionCost": True}}
# The caches are written on the CPU, and read on WebNN.
SPLIT = {
    "enableWebnnDelegate": True,
    "webnnDelegateOptions": {"deniedOps": ["DYNAMIC_UPDATE_SLICE"], "ignorePartitionCost": True},
}
# The caches are written on WebNN, and read on the CPU.
SPLIT_BEHIND = {
    "enableWebnnDelegate": True,
    "webnnDelegateOptions": {"deniedOps": ["BATCH_MATMUL"], "ignorePartitionCost": True},
}
# place, options, execution mode of the main subgraph
WHERE = {
    "page, WebNN": ("page", WEBNN, "direct"),
    "page, CPU": ("page", {}, "cpu"),
    "page, updates on the CPU": ("page", SPLIT, "stepped"),
    "page, products on the CPU": ("page", SPLIT_BEHIND, "stepped"),
    "page, polyfill": ("page", POLYFILL, "direct"),
    "worker, WebNN": ("worker", WEBNN, "direct"),
    "worker, CPU": ("worker", {}, "cpu"),
    "worker, blocking": ("worker", BLOCKING, "blocking"),
}
Call = Callable[..., Any]


@pytest.fixture(scope="module")
def content() -> bytes:
    return decoder(DecoderShape())


@pytest.fixture
def call(own_page: Page, server: Server, content: bytes) -> Call:
    """Calls of pages/states.mjs with models of the decoder, in the page or in a worker."""
    server.mailbox.put("decoder", content)
    own_page.goto(f"{server.origin}/probe.html")
    own_page.evaluate(
        """async () => {
            globalThis.tflite = { ...(await import('/package/index.mjs')), ...(await import('/package/worker.mjs')) };
            globalThis.states = await import('/states.mjs');
            globalThis.load = (place, options) => (place === 'worker'
                ? new tflite.TFLiteWorker().loadTFLiteModel('/exchange/decoder', options)
                : tflite.loadTFLiteModel('/exchange/decoder', options));
        }"""
    )
    return lambda script, *arguments: own_page.evaluate(script, list(arguments))


@pytest.mark.parametrize(("place", "options", "mode"), WHERE.values(), ids=WHERE)
def test_a_state_keeps_the_cache_between_signatures(
    call: Call, content: bytes, place: str, options: dict[str, Any], mode: str
) -> None:
    script = "async ([place, options, ...more]) => states.threeWays(await load(place, options), ...more)"
    found = call(script, place, options, PROMPT, STEPS)
    assert found["modes"][0] == mode
    names = {tensor["name"] for tensor in found["tensors"]}
    assert names == {f"kv_cache_{kind}_{layer}" for kind in "kv" for layer in range(2)}
    assert found["resident"] == found["byHand"] == found["again"]
    assert found["distance"] == 0
    np.testing.assert_allclose(
        found["resident"], decode_natively(content, [*PROMPT, PROMPT[-1]], STEPS), atol=TOLERANCE, rtol=TOLERANCE
    )


def test_a_lost_context_loses_the_cache(call: Call, content: bytes) -> None:
    script = """async ([options, ...more]) => {
        const lose = (model) => model.context.destroy();
        return states.withLoss(await load('page', options), ...more, lose);
    }"""
    found = call(script, WEBNN, PROMPT, STEPS)
    assert found["name"] == "StateLostError"
    assert "Call reset() on the state" in found["message"]
    np.testing.assert_allclose(
        found["logits"], decode_natively(content, [*PROMPT, PROMPT[-1]], STEPS), atol=TOLERANCE, rtol=TOLERANCE
    )


@pytest.mark.parametrize("place", ["page", "worker"])
def test_wrong_uses_of_a_state_are_rejected(call: Call, place: str) -> None:
    script = "async ([place]) => states.wrongUses(await load(place, {}), await load(place, {}))"
    for (name, message), (expected, words) in zip(
        call(script, place),
        [
            ("STATE", "The model has no input kv_cache_z_0."),
            ("STATE", "has a name like nothing*."),
            ("STATE", "Input tokens is int32[1, 1], output logits is float32[1, 1, 64]"),
            ("STATE", "The state is not one of this model."),
            ("MODEL_DISPOSED", "The state has been disposed."),
            ("INPUT_NAME", "unknown inputs: kv_cache_k_0"),
            ("INPUT_SHAPE", "kv_cache_k_0 is float32[1, 16, 2, 8] (256 elements); got 4 elements."),
            ("STATE", 'The state has no tensor "tokens".'),
        ],
        strict=True,
    ):
        assert (name, words in message) == (expected, True), message


GENERATED = """async ([prompt, count, options]) => {
    const { TextGenerator } = await import('/package/language.mjs');
    const tokenizer = { // pieces are numbers
        tokenize: (text) => text.split(' '),
        idOf: (piece) => (/^[0-9]+$/.test(piece) ? Number(piece) : undefined),
        pieceOf: (id) => `${id} `,
        unknownId: 0,
    };
    const generator = await TextGenerator.create(await load('worker', options), { tokenizer });
    const texts = [];
    for (const maxTokens of [count, count, undefined]) {
        let text = '';
        const options = maxTokens === undefined ? {} : { maxTokens };
        for await (const piece of generator.generate(prompt.join(' '), options)) text += piece;
        texts.push(text.trim().split(' ').map(Number));
    }
    return { texts, length: generator.contextLength, finish: generator.usage.finish };
}"""


@pytest.mark.parametrize("count", [1, 2, 4, 7, 9])
def test_the_text_generator_writes_native_litert_s_tokens(call: Call, content: bytes, count: int) -> None:
    """Prompts of all remainders of the four tokens that prefill takes; the answer ends where the cache is full."""
    prompt = [*range(3, 3 + count)]
    found = call(GENERATED, prompt, STEPS, WEBNN)
    expected = decode_natively(content, prompt, DecoderShape().cache - count + 1).argmax(axis=1).tolist()
    assert found["texts"] == [expected[:STEPS], expected[:STEPS], expected]
    assert (found["length"], found["finish"]) == (DecoderShape().cache, "length")


def test_the_page_of_a_language_model(own_page: Page, server: Server, content: bytes) -> None:
    own_page.goto(f"{server.origin}/examples/language_model.html")
    own_page.set_input_files("#model", {"name": "decoder.tflite", "mimeType": "", "buffer": content})
    own_page.fill("#prompt", "\x01\x02\x03")
    own_page.click("#start")
    own_page.wait_for_function(
        "() => document.getElementById('speed').textContent.includes('14 tokens')", timeout=120_000
    )
    expected = decode_natively(content, [1, 2, 3], 14).argmax(axis=1)
    assert own_page.text_content("#text") == "\x01\x02\x03" + bytes(expected.tolist()).decode()
    assert "webnn" in (own_page.text_content("#speed") or "")
