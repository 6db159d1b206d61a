"""Small networks for text, with the metadata that TFLite's writers give classifiers and question answerers.

Their weights are seeded noise: they answer nonsense, but other nonsense to each text.
"""

import io
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import sentencepiece

from web_tests.models import metadata
from web_tests.models.model_writer import ModelWriter, options_object
from web_tests.models.recipes import SEED

WIDTH = 8
WORD_LENGTH = 12
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
    vocabulary: bytes | None = None, delimiter: str = r"[^\w\']+", labels: str = "\n".join(LABELS)
) -> bytes:
    """Return an average of word vectors: (ids int32[1, 12]) -> scores [1, 3]."""
    network = _Network(len(WORDS))
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
) -> bytes:
    """Return a network with BERT's inputs, int32 [1, length] each: -> scores [1, 3].

    Args:
        tokenizer: `vocab.txt` or `30k.model`, and its content.
        order: of the inputs.
        length: of the inputs.
    """
    files = dict(tokenizer or {"vocab.txt": piece_vocabulary()})
    network = _Network(256)
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
) -> bytes:
    """Return a network with BERT's inputs, int32 [1, length] each: -> the two logits of each place, [1, length]."""
    files = dict(tokenizer or {"vocab.txt": piece_vocabulary()})
    names = ("ids", "mask", "segment_ids")
    network = _Network(256)
    inputs = {name: network.input(name, length) for name in names}
    encoded = network.encoded(inputs, length)
    logits = {name: network.logits(encoded, name, length) for name in ("end_logits", "start_logits")}
    model = network.finish([inputs[name] for name in names], [logits[name] for name in outputs])
    schema = metadata.schema()
    described = [schema.TensorMetadataT(name) for name in outputs]
    return _described(model, _bert_metadata(schema, files, names, described), files)


class _Network:
    """Writes layers with seeded weights."""

    def __init__(self, vocabulary: int) -> None:
        self.writer = ModelWriter()
        self._random = np.random.default_rng(SEED)
        self._vocabulary = vocabulary
        self.finish: Callable[..., bytes] = self.writer.finish

    def weights(self, name: str, *shape: int) -> int:
        return self.writer.constant(name, self._random.normal(0, 1, shape).astype(np.float32))

    def input(self, name: str, length: int) -> int:
        return self.writer.tensor(name, (1, length), "int32")

    def layer(self, op: str, inputs: Sequence[int], name: str, shape: Sequence[int], options: Any = None) -> int:
        output = self.writer.tensor(name, tuple(shape))
        self.writer.node(op, list(inputs), [output], options)
        return output

    def embedded(self, ids: int, name: str = "words", rows: int | None = None, length: int = WORD_LENGTH) -> int:
        table = self.weights(f"{name}_table", rows or self._vocabulary, WIDTH)
        return self.layer("GATHER", [table, ids], name, (1, length, WIDTH), options_object("GatherOptions", {}))

    def encoded(self, inputs: Mapping[str, int], length: int) -> int:
        """Return a vector for each place, [1, length, WIDTH], 0 where the mask is."""
        pieces = self.embedded(inputs["ids"], "pieces", length=length)
        segments = self.embedded(inputs["segment_ids"], "segments", 2, length)
        add = options_object("AddOptions", {})
        shape = (1, length, WIDTH)
        both = self.layer("ADD", [pieces, segments], "both", shape, add)
        placed = self.layer("ADD", [both, self.weights("places", *shape)], "placed", shape, add)
        mask = self.layer("CAST", [inputs["mask"]], "mask_float", (1, length), options_object("CastOptions", {}))
        axis = self.writer.constant("mask_shape", np.array([1, length, 1], dtype=np.int32))
        options = options_object("ReshapeOptions", {"newShape": [1, length, 1]})
        column = self.layer("RESHAPE", [mask, axis], "mask_column", (1, length, 1), options)
        bounded = self.layer("TANH", [placed], "bounded", shape)
        return self.layer("MUL", [bounded, column], "encoded", shape, options_object("MulOptions", {}))

    def mean(self, values: int) -> int:
        axis = self.writer.constant("places_axis", np.array([1], dtype=np.int32))
        options = options_object("ReducerOptions", {"keepDims": False})
        return self.layer("MEAN", [values, axis], "mean", (1, WIDTH), options)

    def scores(self, values: int) -> int:
        # The mean of many vectors is small: large weights keep the scores apart.
        weights = self.writer.constant("classes", self._random.normal(0, 8, (len(LABELS), WIDTH)).astype(np.float32))
        bias = self.weights("class_bias", len(LABELS))
        options = options_object("FullyConnectedOptions", {})
        logits = self.layer("FULLY_CONNECTED", [values, weights, bias], "logits", (1, len(LABELS)), options)
        softmax = options_object("SoftmaxOptions", {"beta": 1.0})
        return self.layer("SOFTMAX", [logits], "probability", (1, len(LABELS)), softmax)

    def logits(self, values: int, name: str, length: int) -> int:
        rows = self.writer.constant(f"{name}_rows", np.array([length, WIDTH], dtype=np.int32))
        options = options_object("ReshapeOptions", {"newShape": [length, WIDTH]})
        flat = self.layer("RESHAPE", [values, rows], f"{name}_flat", (length, WIDTH), options)
        weights, bias = self.weights(f"{name}_weights", 1, WIDTH), self.weights(f"{name}_bias", 1)
        fully_connected = options_object("FullyConnectedOptions", {})
        column = self.layer("FULLY_CONNECTED", [flat, weights, bias], f"{name}_column", (length, 1), fully_connected)
        row = self.writer.constant(f"{name}_row", np.array([1, length], dtype=np.int32))
        back = options_object("ReshapeOptions", {"newShape": [1, length]})
        return self.layer("RESHAPE", [column, row], name, (1, length), back)


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
