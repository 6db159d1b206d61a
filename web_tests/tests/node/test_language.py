"""Text generators and embedders of language.mjs in Node, with SentencePiece's own library as the reference."""

import io
from pathlib import Path

import numpy as np
import pytest
import sentencepiece
from ai_edge_litert.interpreter import Interpreter

from web_tests.models.networks.decoder import DecoderShape, decoder
from web_tests.models.networks.sentence_encoder import sentence_encoder
from web_tests.references.decoding import decode_natively
from web_tests.tests.node.programs import call_in_node
from web_tests.tests.node.test_tokenizers import CORPUS

pytestmark = pytest.mark.needs("package")

PROMPT = "The quick brown fox"
STEPS, LENGTH = 12, 24


@pytest.fixture(scope="module")
def pieces() -> bytes:
    """A model of SentencePiece: BPE with bytes."""
    content = io.BytesIO()
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(CORPUS * 4),
        model_writer=content,
        vocab_size=400,
        model_type="bpe",
        byte_fallback=True,
        minloglevel=2,
    )
    return content.getvalue()


def test_the_generator_writes_the_tokens_of_native_litert(program: str, tmp_path: Path, pieces: bytes) -> None:
    """It writes what SentencePiece decodes from native LiteRT's tokens."""
    pieces_file = tmp_path / "pieces.model"
    pieces_file.write_bytes(pieces)
    file = tmp_path / "decoder.tflite"
    content = decoder(DecoderShape(vocabulary=400, cache=48))
    file.write_bytes(content)
    found = call_in_node(program, "language", "generate", file, str(pieces_file), PROMPT, STEPS)
    library = sentencepiece.SentencePieceProcessor(model_proto=pieces)
    prompt = [library.bos_id(), *library.encode(PROMPT)]
    tokens = decode_natively(content, prompt, STEPS).argmax(axis=1).tolist()
    assert found["promptTokens"] == len(prompt)
    # The library strips the first space of a text.
    assert PROMPT + found["text"] == library.decode([*prompt, *tokens])


def test_the_embedder_returns_the_mean_of_native_litert_rows(program: str, tmp_path: Path, pieces: bytes) -> None:
    pieces_file = tmp_path / "pieces.model"
    pieces_file.write_bytes(pieces)
    file = tmp_path / "encoder.tflite"
    content = sentence_encoder(length=LENGTH, words=400)
    file.write_bytes(content)
    found = call_in_node(program, "language", "embed", file, str(pieces_file), PROMPT)
    library = sentencepiece.SentencePieceProcessor(model_proto=pieces)
    ids = [library.bos_id(), *library.encode(PROMPT), library.eos_id()]
    padded = np.zeros((1, LENGTH), np.int64)
    padded[0, : len(ids)] = ids
    mask = (np.arange(LENGTH) < len(ids)).astype(np.int64)[None]
    runner = Interpreter(model_content=content).get_signature_runner("serving_default")
    (rows,) = runner(input_ids=padded, attention_mask=mask).values()
    mean = rows[0, : len(ids)].mean(axis=0)
    np.testing.assert_allclose(found, mean / np.linalg.norm(mean), atol=1e-6)
