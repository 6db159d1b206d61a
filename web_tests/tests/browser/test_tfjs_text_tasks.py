"""tfjs-tflite's tasks on text by the unmodified client: this project's module answers as its own."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import pytest

from web_tests.browsers.page import PageError
from web_tests.drivers.harness import Harness
from web_tests.drivers.tfjs_client import OUR_WASM, TEXT_TASKS, THEIR_WASM, TfjsClient
from web_tests.models import text_models
from web_tests.models.handmade import sum_of_two

# XNNPACK's tanh, which theirs lacks, differs in the last digits.
TOLERANCE = 2e-4
TEXTS = [
    "the great game",
    "The GAME was great fun; it wasn't a network, or was it?",
    "a browser runs neural networks. Who knows?",
    "losing tensorflow lite megabytes (日本語 text) too",
    "na\u00efve caf\u00e9\u00a0with  odd\tspaces\nand unknownwords " + "x" * 101 + " \u00e9" * 60,
    "\u4e00\u3400\u00ab\u2014\u201dpunctuation\u2026 $+<=>^`|~",
    "",
    "   ",
    " ".join(["game"] * 500),
]
QUESTIONS = ["Who jumps over the dog?", "what was GREAT fun, the game?", "", "fun " * 100]


@pytest.fixture
def client(webnn: Harness) -> Iterator[TfjsClient]:
    browser = webnn.page.context.browser
    assert browser
    page = browser.new_page()
    yield TfjsClient(page, webnn.server, isolated=False)
    page.close()


def both(
    client: TfjsClient,
    task: str,
    model: bytes,
    texts: Sequence[Sequence[str]],
    options: Mapping[str, Any] | None = None,
) -> tuple[list[Any], list[Any]]:
    """Return the answers of this project's module and of tfjs-tflite's own."""
    client.server.letters.put("text.tflite", model)
    ours, theirs = (
        client.run_text_task(task, "/exchange/text.tflite", texts, wasm, options) for wasm in (OUR_WASM, THEIR_WASM)
    )
    return ours, theirs


def refusals(client: TfjsClient, task: str, model: bytes, options: Mapping[str, Any] | None = None) -> list[str]:
    """Return the messages by which both modules refuse a model."""
    client.server.letters.put("text.tflite", model)
    messages = []
    for wasm in (OUR_WASM, THEIR_WASM):
        with pytest.raises(PageError) as caught:
            client.run_text_task(task, "/exchange/text.tflite", [], wasm, options)
        messages.append(str(caught.value).splitlines()[0])
    return messages


def assert_same_categories(ours: list[Any], theirs: list[Any]) -> None:
    assert len(ours) == len(theirs)
    for our, their in zip(ours, theirs, strict=True):
        assert [row["className"] for row in our] == [row["className"] for row in their]
        np.testing.assert_allclose(
            [row["probability"] for row in our], [row["probability"] for row in their], atol=TOLERANCE
        )
    assert len({row[0]["probability"] for row in ours}) > 2, "the model does not see the texts"


def test_words(client: TfjsClient) -> None:
    ours, theirs = both(client, "NLClassifier", text_models.word_classifier(), [[text] for text in TEXTS])
    assert_same_categories(ours, theirs)
    assert [row["className"] for row in ours[0]] == list(text_models.LABELS)


@pytest.mark.parametrize("delimiter", [r"\s+", r"[\s\x{21}]", r"(\W)", r"[^A-Za-z]+"])
def test_delimiters(client: TfjsClient, delimiter: str) -> None:
    model = text_models.word_classifier(delimiter=delimiter)
    assert_same_categories(*both(client, "NLClassifier", model, [[text] for text in TEXTS]))


def test_a_vocabulary_without_start(client: TfjsClient) -> None:
    words = [word for word in text_models.WORDS if word != "<START>"]
    model = text_models.word_classifier(text_models.word_vocabulary(words))
    assert_same_categories(*both(client, "NLClassifier", model, [[text] for text in TEXTS]))


@pytest.mark.parametrize(
    "order", [("ids", "mask", "segment_ids"), ("ids", "segment_ids", "mask"), ("segment_ids", "mask", "ids")]
)
def test_bert(client: TfjsClient, order: Sequence[str]) -> None:
    model = text_models.bert_classifier(order=order)
    assert_same_categories(*both(client, "BertNLClassifier", model, [[text] for text in TEXTS]))


@pytest.mark.parametrize("algorithm", ["unigram", "bpe"])
def test_sentence_pieces(client: TfjsClient, algorithm: str) -> None:
    model = text_models.bert_classifier({"30k.model": text_models.sentence_piece_model(algorithm)})
    assert_same_categories(*both(client, "BertNLClassifier", model, [[text] for text in TEXTS]))


@pytest.mark.parametrize("outputs", [("end_logits", "start_logits"), ("start_logits", "end_logits")])
@pytest.mark.parametrize("kind", ["bert", "sentence_pieces"])
def test_answers(client: TfjsClient, outputs: Sequence[str], kind: str) -> None:
    tokenizer = {"30k.model": text_models.sentence_piece_model()} if kind == "sentence_pieces" else None
    model = text_models.bert_answerer(tokenizer, outputs)
    calls = [[text, question] for text in (*TEXTS, " ".join(text_models.SENTENCES)) for question in QUESTIONS]
    ours, theirs = both(client, "BertQuestionAnswerer", model, calls)
    for our, their in zip(ours, theirs, strict=True):
        assert [row["text"] for row in our] == [row["text"] for row in their]
        assert [(row["pos"]["start"], row["pos"]["end"]) for row in our] == [
            (row["pos"]["start"], row["pos"]["end"]) for row in their
        ]
        our_logits, their_logits = ([row["pos"]["logit"] for row in rows] for rows in (our, their))
        np.testing.assert_allclose(our_logits, their_logits, atol=TOLERANCE)
    assert sum(map(len, ours)) > len(calls)


@pytest.mark.parametrize("task", TEXT_TASKS)
def test_refusals_of_a_model_without_metadata(client: TfjsClient, task: str) -> None:
    ours, theirs = refusals(client, task, sum_of_two())
    assert ours == theirs


@pytest.mark.parametrize("missing", ["<UNKNOWN>", "<PAD>"])
def test_refusals_of_vocabularies(client: TfjsClient, missing: str) -> None:
    words = [word for word in text_models.WORDS if word != missing]
    ours, theirs = refusals(client, "NLClassifier", text_models.word_classifier(text_models.word_vocabulary(words)))
    assert ours == theirs
