"""tfjs-tflite's tasks on text by the unmodified client: this project's module returns the same as its own."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pytest

from web_tests.browsers.page import PageError
from web_tests.drivers.page_calls import call_script
from web_tests.drivers.tfjs_client import OWN_WASM, PEER_WASM, TEXT_TASKS, TfjsClient
from web_tests.models import text_models
from web_tests.models.handmade import sum_of_two
from web_tests.models.text_layers import LOGIT_STEP, SCORE_STEP

# XNNPACK's tanh, which the unmodified package lacks, differs in the last digits.
WEBNN = {"enableWebnnDelegate": True, "webnnDelegateOptions": {"ignorePartitionCost": True}}
CPU = {"device": "cpu"}
TOLERANCE = 2e-4
# An answer's logit is the sum of two: of its start and of its end.
ANSWER_STEP = 2 * LOGIT_STEP
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


def both(
    client: TfjsClient,
    task: str,
    model: bytes,
    texts: Sequence[Sequence[str]],
    options: Mapping[str, Any] | None = None,
) -> tuple[list[Any], list[Any]]:
    """Return the outputs of this project's module and of tfjs-tflite's own."""
    client.server.mailbox.put("text.tflite", model)
    actual, expected = (
        client.run_text_task(task, "/exchange/text.tflite", texts, wasm, options) for wasm in (OWN_WASM, PEER_WASM)
    )
    return actual, expected


def rejections(client: TfjsClient, task: str, model: bytes, options: Mapping[str, Any] | None = None) -> list[str]:
    """Return the messages by which both modules reject a model."""
    client.server.mailbox.put("text.tflite", model)
    messages = []
    for wasm in (OWN_WASM, PEER_WASM):
        with pytest.raises(PageError) as caught:
            client.run_text_task(task, "/exchange/text.tflite", [], wasm, options)
        messages.append(str(caught.value).splitlines()[0])
    return messages


def assert_same_categories(actual: list[Any], expected: list[Any], tolerance: float = TOLERANCE) -> None:
    assert len(actual) == len(expected)
    for row, other in zip(actual, expected, strict=True):
        assert [one["className"] for one in row] == [one["className"] for one in other]
        np.testing.assert_allclose(
            [one["probability"] for one in row], [one["probability"] for one in other], atol=tolerance
        )
    assert len({row[0]["probability"] for row in actual}) > 2, "the model does not see the texts"


def test_the_word_classifier_agrees_with_tfjs_tflite(client: TfjsClient) -> None:
    actual, expected = both(client, "NLClassifier", text_models.word_classifier(), [[text] for text in TEXTS])
    assert_same_categories(actual, expected)
    assert [row["className"] for row in actual[0]] == list(text_models.LABELS)


@pytest.mark.parametrize("delimiter", [r"\s+", r"[\s\x{21}]", r"(\W)", r"[^A-Za-z]+"])
def test_a_delimiter_splits_words_as_in_tfjs_tflite(client: TfjsClient, delimiter: str) -> None:
    model = text_models.word_classifier(delimiter=delimiter)
    assert_same_categories(*both(client, "NLClassifier", model, [[text] for text in TEXTS]))


def test_a_vocabulary_without_start_classifies_as_in_tfjs_tflite(client: TfjsClient) -> None:
    words = [word for word in text_models.WORDS if word != "<START>"]
    model = text_models.word_classifier(text_models.word_vocabulary(words))
    assert_same_categories(*both(client, "NLClassifier", model, [[text] for text in TEXTS]))


@pytest.mark.parametrize(
    "order", [("ids", "mask", "segment_ids"), ("ids", "segment_ids", "mask"), ("segment_ids", "mask", "ids")]
)
def test_the_bert_classifier_agrees_with_tfjs_tflite(client: TfjsClient, order: Sequence[str]) -> None:
    model = text_models.bert_classifier(order=order)
    assert_same_categories(*both(client, "BertNLClassifier", model, [[text] for text in TEXTS]))


@pytest.mark.parametrize("algorithm", ["unigram", "bpe"])
def test_text_of_sentence_pieces_is_classified_as_by_the_client(client: TfjsClient, algorithm: str) -> None:
    model = text_models.bert_classifier({"30k.model": text_models.sentence_piece_model(algorithm)})
    assert_same_categories(*both(client, "BertNLClassifier", model, [[text] for text in TEXTS]))


@pytest.mark.parametrize(
    ("task", "model"),
    [
        ("NLClassifier", text_models.word_classifier(quantized=True)),
        ("BertNLClassifier", text_models.bert_classifier(quantized=True)),
    ],
    ids=["words", "bert"],
)
def test_int8_scores_are_those_of_the_client(client: TfjsClient, task: str, model: bytes) -> None:
    actual, expected = both(client, task, model, [[text] for text in TEXTS])
    assert_same_categories(actual, expected, SCORE_STEP)


@pytest.mark.parametrize("quantized", [False, True], ids=["float32", "int8"])
@pytest.mark.parametrize("outputs", [("end_logits", "start_logits"), ("start_logits", "end_logits")])
@pytest.mark.parametrize("kind", ["bert", "sentence_pieces"])
def test_the_question_answerer_agrees_with_tfjs_tflite(
    client: TfjsClient, outputs: Sequence[str], kind: str, quantized: bool
) -> None:
    tokenizer = {"30k.model": text_models.sentence_piece_model()} if kind == "sentence_pieces" else None
    model = text_models.bert_answerer(tokenizer, outputs, quantized=quantized)
    calls = [[text, question] for text in (*TEXTS, " ".join(text_models.SENTENCES)) for question in QUESTIONS]
    actual, expected = both(client, "BertQuestionAnswerer", model, calls)
    for row, other in zip(actual, expected, strict=True):
        assert [one["text"] for one in row] == [one["text"] for one in other]
        assert [(one["pos"]["start"], one["pos"]["end"]) for one in row] == [
            (one["pos"]["start"], one["pos"]["end"]) for one in other
        ]
        logits, expected_logits = ([one["pos"]["logit"] for one in rows] for rows in (row, other))
        np.testing.assert_allclose(logits, expected_logits, atol=ANSWER_STEP if quantized else TOLERANCE)
    assert sum(map(len, actual)) > len(calls)


def own(
    client: TfjsClient, task: str, model: bytes, texts: Sequence[Sequence[str]], loading: Mapping[str, Any]
) -> list[Any]:
    """Return the outputs of tasks.mjs."""
    client.server.mailbox.put("own.tflite", model)
    values = (task, TEXT_TASKS[task], "/exchange/own.tflite", texts, dict(loading))
    found = call_script(client.page, "text_tasks", "runTextTask", *values)
    assert found["executionMode"] == ("cpu" if loading == CPU else "direct")
    results: list[Any] = found["results"]
    return results


@pytest.mark.parametrize("loading", [CPU, WEBNN], ids=["cpu", "webnn"])
@pytest.mark.parametrize(
    ("task", "model", "tolerance"),
    [
        ("NLClassifier", text_models.word_classifier(), TOLERANCE),
        ("NLClassifier", text_models.word_classifier(quantized=True), SCORE_STEP),
        ("BertNLClassifier", text_models.bert_classifier(), TOLERANCE),
        ("BertNLClassifier", text_models.bert_classifier(quantized=True), SCORE_STEP),
        ("BertNLClassifier", text_models.bert_classifier({"30k.model": text_models.sentence_piece_model()}), TOLERANCE),
    ],
    ids=["words", "int8_words", "bert", "int8_bert", "sentence_pieces"],
)
def test_classifiers_of_this_package_agree_with_the_client(
    client: TfjsClient, task: str, model: bytes, tolerance: float, loading: Mapping[str, Any]
) -> None:
    texts = [[text] for text in TEXTS if text.strip()]
    found = own(client, task, model, texts, loading)
    _, expected = both(client, task, model, texts)
    for row, other in zip(found, expected, strict=True):
        best = sorted(other, key=lambda one: -one["probability"])
        assert [one["label"] for one in row] == [one["className"] for one in best]
        np.testing.assert_allclose([one["score"] for one in row], [one["probability"] for one in best], atol=tolerance)


@pytest.mark.parametrize("loading", [CPU, WEBNN], ids=["cpu", "webnn"])
@pytest.mark.parametrize("quantized", [False, True], ids=["float32", "int8"])
def test_outputs_of_this_package_agree_with_the_client(
    client: TfjsClient, quantized: bool, loading: Mapping[str, Any]
) -> None:
    model = text_models.bert_answerer(quantized=quantized)
    calls = [(text, question) for text in TEXTS[:5] for question in QUESTIONS if text.strip() and question]
    found = own(client, "BertQuestionAnswerer", model, [(question, text) for text, question in calls], loading)
    _, expected = both(client, "BertQuestionAnswerer", model, calls)
    for row, other, (text, _) in zip(found, expected, calls, strict=True):
        assert [" ".join(one["text"].split(" ")) for one in row] == [one["text"] for one in other]
        assert [text[one["start"] : one["end"]] for one in row] == [one["text"] for one in row]
        logits, expected_logits = [one["logit"] for one in row], [one["pos"]["logit"] for one in other]
        np.testing.assert_allclose(logits, expected_logits, atol=ANSWER_STEP if quantized else TOLERANCE)


@pytest.mark.parametrize("task", TEXT_TASKS)
def test_a_model_without_metadata_is_rejected_as_in_tfjs_tflite(client: TfjsClient, task: str) -> None:
    actual, expected = rejections(client, task, sum_of_two())
    assert actual == expected


@pytest.mark.parametrize("missing", ["<UNKNOWN>", "<PAD>"])
def test_wrong_vocabularies_are_rejected_as_in_tfjs_tflite(client: TfjsClient, missing: str) -> None:
    words = [word for word in text_models.WORDS if word != missing]
    actual, expected = rejections(
        client, "NLClassifier", text_models.word_classifier(text_models.word_vocabulary(words))
    )
    assert actual == expected
