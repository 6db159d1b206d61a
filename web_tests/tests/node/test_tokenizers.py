"""Tokenizers of text.mjs, compared with SentencePiece's own."""

import base64
import io
import json
from pathlib import Path
from typing import Any

import pytest
import sentencepiece

from tools.support.paths import PROJECT_DIR
from web_tests.tests.node.programs import in_node

pytestmark = pytest.mark.needs("package")

CORPUS = [line for line in (PROJECT_DIR / "docs" / "architecture.md").read_text().splitlines() if line.strip()]
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
    "ｶﾞ ㍿ № Привет мир! \u2581mark ß ẞ ŉ",
    *CORPUS,
]
BODY = """
const { openTokenizer } = await import(pathToFileURL(`${packageDir}/text.mjs`));
const { readFile } = await import('node:fs/promises');
const { model, texts } = JSON.parse(await readFile(file, 'utf8'));
const tokenizer = await openTokenizer({ kind: 'sentencePiece', model: Buffer.from(model, 'base64') });
return texts.map((text) => {
  const pieces = tokenizer.tokenize(text);
  return [pieces, pieces.map((piece) => tokenizer.idOf(piece) ?? tokenizer.unknownId)];
});
"""


@pytest.mark.parametrize(
    "options",
    [
        {"model_type": "unigram"},
        {"model_type": "unigram", "byte_fallback": True},
        {
            "model_type": "unigram",
            "normalization_rule_name": "nmt_nfkc_cf",
            "user_defined_symbols": ["TFLite", "[SEP]", "delegate"],
            "control_symbols": ["[CLS]"],
        },
        {"model_type": "unigram", "normalization_rule_name": "identity", "remove_extra_whitespaces": False},
        {"model_type": "unigram", "add_dummy_prefix": False},
        {"model_type": "bpe"},
        {"model_type": "bpe", "byte_fallback": True},
    ],
    ids=lambda options: "-".join(map(str, options.values())),
)
def test_sentence_pieces(program: str, tmp_path: Path, options: dict[str, Any]) -> None:
    stream = io.BytesIO()
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(CORPUS), model_writer=stream, vocab_size=500, minloglevel=2, **options
    )
    model = stream.getvalue()
    file = tmp_path / "texts.json"
    file.write_text(json.dumps({"model": base64.b64encode(model).decode(), "texts": TEXTS}))
    processor = sentencepiece.SentencePieceProcessor(model_proto=model)
    expected = [[processor.encode(text, out_type=str), processor.encode(text)] for text in TEXTS]
    assert in_node(program, file, BODY) == expected
