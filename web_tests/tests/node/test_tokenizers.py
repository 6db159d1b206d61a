"""Tokenizers of text.mjs, compared with SentencePiece's own."""

import base64
import io
import json
import random
from pathlib import Path
from typing import Any

import pytest
import sentencepiece

from web_tests.tests.node.programs import call_in_node

pytestmark = pytest.mark.needs("package")

# Letters, and the tables and images of documents: runs of one character, of which some models have symbols.
CORPUS = """\
The quick brown fox jumps over the lazy dog, and the delegate takes every node that the browser can compute.
A small class replays that description; TFLite's own runtime, compiled to WebAssembly, loads the model.
Weights of int8, float16 and int4 are unpacked when they are read: see [SEP], [CLS] and docs/delegate.md#patterns.
 model.tflite ──> TFLiteWebModelRunner                              loadTFLiteModel()
                    │  checks the file, builds the Interpreter           │ bytes, options
                    ├─> WebnnDelegate  <───────────────────────────  WasmRunner (typed functions)
                    │   WebnnGraph: operators, operands,   ── JSON ──>  GraphExecutor ──> MLGraphBuilder
                    └─> XNNPACK delegate: the other nodes                v
 input typed arrays ─────────────────────────> writeTensor ─ dispatch ─ readTensor ───────────> output
| directory | what | commands of `build.py` |
|---|---|---|
| `tools` | the [command line](../tools/README.md): one module per command | `setup`, `build`, `docs`, `fuzz` |
{"inputs":    [{"id": 0, "name": "t12", "tensor": 12, "dataType": "float32", "shape": [1, 8, 8, 3]}],
=====================  ....................  aaaaaaaa ababababab aaabaaab  日本語の日本語の日本語  ````
Übermut, naïve façade; «Привет, мир»; 1,234.5 items (12 %) -- yes/no? no!
""".splitlines()
TEXTS = [
    "Ünïcödé tëxt ﬁ ½ Ａ\u3000ｗｉｄｅ",
    "日本語のテキストです。",
    "emoji 😀 here",
    "tabs\tand  spaces  ",
    "   leading",
    "e\u0301 combining, zero\u200bwidth, a\u00a0b",
    "<s> control </s> [CLS] and TFLite's [SEP]",
    "",
    "   ",
    "x" * 300,
    "├── 日本語の日本語 ──────────────────────────",
    "a\ufeffb \ufeff",
    "\ufeff",
    "\u2581",
    "abc\u2581\u2581",
    "a\0b \x7f\x01",
    "\u05e9\u05c1\u05dc\u05d5\u05dd \u202eabc\u202c",
    "ｶﾞ ㍿ № Привет мир! \u2581mark ß ẞ ŉ",
    *CORPUS,
]
CASES = [
    {"model_type": "unigram"},
    {"model_type": "unigram", "byte_fallback": True},
    {
        "model_type": "unigram",
        "normalization_rule_name": "nmt_nfkc_cf",
        "user_defined_symbols": ["TFLite", "[SEP]", "delegate"],
        "control_symbols": ["[CLS]"],
    },
    {"model_type": "unigram", "normalization_rule_name": "identity", "remove_extra_whitespaces": False},
    {
        "model_type": "unigram",
        "normalization_rule_name": "identity",
        "user_defined_symbols": ["\ufeff", "\ufeffa", "\u2581\u2581"],
    },
    {"model_type": "unigram", "add_dummy_prefix": False},
    # Symbols of the characters of runs: many ways to cut a run have the same score.
    {"model_type": "unigram", "user_defined_symbols": ["──", "───", "aab", "aa", "語の", "=", "..."]},
    {"model_type": "unigram", "user_defined_symbols": ["─", "────", "ab", "a b", "本", "日本語"]},
    {"model_type": "bpe"},
    {"model_type": "bpe", "byte_fallback": True},
    {"model_type": "bpe", "user_defined_symbols": ["──", "───", "aab", "aa", "語の", "=", "..."]},
]
RANDOM_TEXTS = 3000
# SentencePiece starts to count anew where a text's score passes 100,000.
LONG_TEXT_PARTS = 10_000


def random_texts(seed: int) -> list[str]:
    """Draw texts of runs, words and characters of CORPUS and of what it lacks."""
    draw = random.Random(seed)
    words = [word for line in CORPUS for word in line.split()]
    runs = "─=.ab日本語の -`│\u3000é½😀"

    def part() -> str:
        kind = draw.randrange(4)
        if kind == 0:
            return draw.choice(runs) * draw.randint(1, 40)
        if kind == 1:
            return "".join(draw.choices(runs, k=draw.randint(1, 12)))
        return draw.choice([" ", ""]) + draw.choice(words)

    texts = ["".join(part() for _ in range(draw.randint(1, 8))) for _ in range(RANDOM_TEXTS)]
    return [*texts, "".join(part() for _ in range(LONG_TEXT_PARTS))]


@pytest.mark.parametrize("options", CASES, ids=lambda options: "-".join(map(str, options.values())))
def test_pieces_are_those_of_sentencepiece(program: str, tmp_path: Path, options: dict[str, Any]) -> None:
    stream = io.BytesIO()
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(CORPUS),
        model_writer=stream,
        vocab_size=456 if options.get("byte_fallback") else 200,
        minloglevel=2,
        **options,
    )
    model = stream.getvalue()
    texts = TEXTS + random_texts(CASES.index(options))
    file = tmp_path / "texts.json"
    file.write_text(json.dumps({"model": base64.b64encode(model).decode(), "texts": texts}))
    processor = sentencepiece.SentencePieceProcessor(model_proto=model)
    results = call_in_node(program, "tokenizers", "tokenize", file)
    expected = [[processor.encode(text, out_type=str), processor.encode(text)] for text in texts]
    differing = [texts[index] for index, result in enumerate(results) if result != expected[index]]
    assert len(results) == len(texts)
    assert differing == [], f"{len(differing)} of {len(texts)} texts"
