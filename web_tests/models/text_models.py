"""Small networks for text, with the metadata that TFLite's writers add to classifiers and question answerers.

Their weights are seeded noise: their outputs are nonsense, but differ from text to text.
"""

import io
from collections.abc import Mapping, Sequence
from typing import Any

import sentencepiece

from web_tests.models import metadata
from web_tests.models.text_layers import WORD_LENGTH, TextLayers

BERT_LENGTH = 32
# tfjs-tflite's BertQuestionAnswerer writes so many values, however long the inputs are.
ANSWERER_LENGTH = 384
LABELS = ("negative", "positive", "neutral")

SENTENCES = (
    "The quick brown fox jumps over the lazy dog.",
    "A browser runs a neural network, and the network answers.",
    "Playing the game was great fun; losing it wasn't!",
    "TensorFlow Lite models are small files (a few megabytes).",
    "Wörter mit Umlauten, naïve cafés and 日本語 are text, too.",
)
WORDS = (
    "<PAD>",
    "<START>",
    "<UNKNOWN>",
    "the",
    "a",
    "great",
    "game",
    "network",
    "browser",
    "fun",
    "it",
    "wasn't",
    "text",
)
PIECES = (
    *("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", ".", ",", ";", "!", "?", "(", ")", "'", "日", "本", "語"),
    *("the", "a", "quick", "brown", "fox", "jump", "##s", "over", "lazy", "dog", "browser", "run", "neural", "net"),
    *("##work", "and", "answer", "play", "##ing", "game", "was", "great", "fun", "los", "it", "t", "tensor", "##flow"),
    *("lite", "model", "are", "small", "file", "few", "mega", "##by", "##te", "text", "too", "who", "what", "w", "##t"),
)


def word_vocabulary(words: Sequence[str] = WORDS) -> bytes:
    """Return a vocabulary file of NLClassifier: a word and its id a line."""
    return "\n".join(f"{word} {index}" for index, word in enumerate(words)).encode()


def piece_vocabulary(pieces: Sequence[str] = PIECES) -> bytes:
    """Return a vocabulary file of BERT: a piece a line."""
    return "\n".join(pieces).encode()


def sentence_piece_model(algorithm: str = "unigram", **options: Any) -> bytes:
    """Return a SentencePiece model for SENTENCES, with BERT's special tokens; `options` are the trainer's."""
    model = io.BytesIO()
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(SENTENCES * 5),
        model_writer=model,
        model_type=algorithm,
        control_symbols=["[CLS]", "[SEP]"],
        minloglevel=2,
        **{"vocab_size": 120, "hard_vocab_limit": False, **options},
    )
    return model.getvalue()


def word_classifier(
    vocabulary: bytes | None = None,
    delimiter: str = r"[^\w\']+",
    labels: str = "\n".join(LABELS),
    *,
    quantized: bool = False,
) -> bytes:
    """Return an average of word vectors: (ids int32[1, 12]) -> scores [1, 3], int8 if `quantized`."""
    network = TextLayers(len(WORDS), len(LABELS), quantized=quantized)
    ids = network.input("input_text", WORD_LENGTH)
    scores = network.scores(network.mean(network.embedded(ids)))
    schema = metadata.schema()
    unit = schema.ProcessUnitT(
        schema.ProcessUnitOptions.RegexTokenizerOptions,
        schema.RegexTokenizerOptionsT(delimiter, [schema.AssociatedFileT("vocab.txt")]),
    )
    subgraph = schema.SubGraphMetadataT(
        inputTensorMetadata=[schema.TensorMetadataT("input_text", processUnits=[unit])],
        outputTensorMetadata=[_labelled(schema, "probability")],
    )
    files = {"vocab.txt": word_vocabulary() if vocabulary is None else vocabulary, "labels.txt": labels.encode()}
    return _described(network.finish([ids], [scores]), subgraph, files)


def bert_classifier(
    tokenizer: Mapping[str, bytes] | None = None,
    order: Sequence[str] = ("ids", "mask", "segment_ids"),
    length: int = BERT_LENGTH,
    *,
    quantized: bool = False,
) -> bytes:
    """Return a network with BERT's inputs, int32 [1, length] each: -> scores [1, 3], int8 if `quantized`.

    Args:
        tokenizer: `vocab.txt` or `30k.model`, and its content.
        order: of the inputs.
        length: of the inputs.
        quantized: int8 weights and activations.
    """
    files = dict(tokenizer or {"vocab.txt": piece_vocabulary()})
    network = TextLayers(256, len(LABELS), quantized=quantized)
    inputs = {name: network.input(name, length) for name in order}
    scores = network.scores(network.mean(network.encoded(inputs, length)))
    model = network.finish([inputs[name] for name in order], [scores])
    schema = metadata.schema()
    subgraph = _bert_metadata(schema, files, order, [_labelled(schema, "probability")])
    return _described(model, subgraph, {**files, "labels.txt": "\n".join(LABELS).encode()})


def bert_answerer(
    tokenizer: Mapping[str, bytes] | None = None,
    outputs: Sequence[str] = ("end_logits", "start_logits"),
    length: int = ANSWERER_LENGTH,
    *,
    quantized: bool = False,
) -> bytes:
    """Return a network with BERT's inputs, int32 [1, length] each: -> the two logits of each position, f32[1, length].

    With `quantized`, weights and activations are int8.
    """
    files = dict(tokenizer or {"vocab.txt": piece_vocabulary()})
    names = ("ids", "mask", "segment_ids")
    network = TextLayers(256, len(LABELS), quantized=quantized)
    inputs = {name: network.input(name, length) for name in names}
    encoded = network.encoded(inputs, length)
    logits = {name: network.logits(encoded, name, length) for name in ("end_logits", "start_logits")}
    model = network.finish([inputs[name] for name in names], [logits[name] for name in outputs])
    schema = metadata.schema()
    described = [schema.TensorMetadataT(name) for name in outputs]
    return _described(model, _bert_metadata(schema, files, names, described), files)


def _labelled(schema: Any, name: str) -> Any:
    kind = schema.AssociatedFileType.TENSOR_AXIS_LABELS
    return schema.TensorMetadataT(name, associatedFiles=[schema.AssociatedFileT("labels.txt", type=kind)])


def _bert_metadata(schema: Any, files: Mapping[str, bytes], inputs: Sequence[str], outputs: Sequence[Any]) -> Any:
    units = schema.ProcessUnitOptions
    (name,) = files
    file = [schema.AssociatedFileT(name)]
    if name.endswith(".model"):
        unit = schema.ProcessUnitT(units.SentencePieceTokenizerOptions, schema.SentencePieceTokenizerOptionsT(file))
    else:
        unit = schema.ProcessUnitT(units.BertTokenizerOptions, schema.BertTokenizerOptionsT(file))
    return schema.SubGraphMetadataT(
        inputTensorMetadata=[schema.TensorMetadataT(row) for row in inputs],
        outputTensorMetadata=list(outputs),
        inputProcessUnits=[unit],
    )


def _described(model: bytes, subgraph: Any, files: Mapping[str, bytes]) -> bytes:
    schema = metadata.schema()
    return metadata.with_metadata(model, schema.ModelMetadataT("text", subgraphMetadata=[subgraph]), files)
