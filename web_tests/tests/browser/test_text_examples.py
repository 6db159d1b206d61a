"""The example of sentence similarity."""

import json

import numpy as np
from ai_edge_litert.interpreter import Interpreter
from playwright.sync_api import Page

from web_tests.models.networks.modern import LENGTH
from web_tests.models.networks.sentence_encoder import sentence_encoder
from web_tests.models.recipes import Array
from web_tests.server.server import Server

SENTENCES = {
    "the same": [1, 2, 3],
    "again the same": [1, 2, 3],
    "much longer": [1, 2, 3, 40, 41, 42, 43],
    "other": [60],
}


def vector(content: bytes, ids: list[int]) -> Array:
    """Return the mean of the tokens' vectors by native LiteRT, at length 1."""
    runner = Interpreter(model_content=content).get_signature_runner("serving_default")
    padded = np.zeros((1, LENGTH), np.int64)
    padded[0, : len(ids)] = ids
    mask = (np.arange(LENGTH) < len(ids)).astype(np.int64)[None]
    (tokens,) = runner(input_ids=padded, attention_mask=mask).values()
    mean = tokens[0, : len(ids)].mean(axis=0)
    return np.asarray(mean / np.linalg.norm(mean))


def test_similar_sentences_have_the_similarity_of_numpy(own_page: Page, server: Server) -> None:
    content = sentence_encoder()
    server.mailbox.put("sentences", content)
    own_page.goto(f"{server.origin}/probe.html")
    found = own_page.evaluate(
        """async (sentences) => {
            const tflite = await import('/package/index.mjs');
            const { similarities } = await import('/examples/sentence_similarity.mjs');
            const model = await tflite.loadTFLiteModel('/exchange/sentences', { enableWebnnDelegate: true });
            return similarities(model, (sentence) => sentences[sentence], Object.keys(sentences));
        }""",
        SENTENCES,
    )
    vectors = np.stack([vector(content, ids) for ids in SENTENCES.values()])
    np.testing.assert_allclose(found, vectors @ vectors.T, atol=1e-5)
    assert found[0][1] > 0.999 > found[0][2] > found[0][3]


TOKENIZER = {
    "version": "1.0",
    "added_tokens": [{"id": 6, "content": "<end>", "special": True}],
    "normalizer": None,
    "pre_tokenizer": {"type": "Metaspace", "replacement": "\u2581", "prepend_scheme": "always", "split": True},
    "post_processor": None,
    "decoder": {"type": "Metaspace", "replacement": "\u2581", "prepend_scheme": "always", "split": True},
    "model": {
        "type": "BPE",
        "vocab": {"\u2581": 0, "h": 1, "i": 2, "hi": 3, "\u2581hi": 4, "<0x0A>": 5},
        "merges": [["h", "i"], ["\u2581", "hi"]],
        "unk_token": None,
        "byte_fallback": True,
    },
}


def test_codecs_of_the_language_model_page(own_page: Page, server: Server) -> None:
    own_page.goto(f"{server.origin}/probe.html")
    found = own_page.evaluate(
        """async (json) => {
            const { byteCodec, jsonCodec } = await import('/examples/text_codecs.mjs');
            const [bytes, codec] = [byteCodec(), await jsonCodec(json)];
            return [codec.encode('hi hi'), codec.decode([4, 5, 3]), bytes.encode('hé'), bytes.decode([104, 195, 169])];
        }""",
        json.dumps(TOKENIZER),
    )
    assert found == [[4, 4], " hi\nhi", [104, 195, 169], "hé"]
