"""Text embedders of language.mjs, compared with native LiteRT."""

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


def test_vectors_on_webnn_are_those_of_native_litert(own_page: Page, server: Server) -> None:
    content = sentence_encoder()
    server.mailbox.put("sentences", content)
    own_page.goto(f"{server.origin}/probe.html")
    found = own_page.evaluate(
        """async (sentences) => {
            const { cosineSimilarity, TextEmbedder } = await import('/package/language.mjs');
            const tokenizer = { // pieces are numbers
                tokenize: (sentence) => sentences[sentence].map(String), idOf: Number, unknownId: 0,
            };
            const options = { tokenizer, before: [], after: [], device: 'webnn' };
            const embedder = await TextEmbedder.create('/exchange/sentences', options);
            const vectors = [];
            for (const sentence of Object.keys(sentences)) vectors.push(await embedder.embed(sentence));
            return vectors.map((one) => vectors.map((other) => cosineSimilarity(one, other)));
        }""",
        SENTENCES,
    )
    vectors = np.stack([vector(content, ids) for ids in SENTENCES.values()])
    np.testing.assert_allclose(found, vectors @ vectors.T, atol=1e-5)
    assert found[0][1] > 0.999 > found[0][2] > found[0][3]
