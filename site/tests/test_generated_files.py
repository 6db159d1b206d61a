"""The files that the site generates for its demos."""

import json

import numpy as np
from ai_edge_litert.interpreter import Interpreter
from site_generator import generated_files


def test_each_piece_is_in_the_vocabulary_once() -> None:
    vocabulary = json.loads(generated_files.tokenizer())["model"]["vocab"]
    pieces = [piece for piece, _ in vocabulary]
    assert len(set(pieces)) == len(pieces)
    assert {"\u2581", "a", "z", "0", ".", "\u2581cat", "\u2581window"} <= set(pieces)


def test_the_models_accept_all_tokens() -> None:
    last = len(generated_files.vocabulary()) - 1
    decode = Interpreter(model_content=generated_files.language_model()).get_signature_runner("decode")
    details = decode.get_input_details()
    caches = {name: np.zeros(detail["shape"], np.float32) for name, detail in details.items() if "cache" in name}
    logits = decode(tokens=np.array([[last]], np.int32), input_pos=np.array([255], np.int32), **caches)["logits"]
    assert logits.shape[-1] == last + 1
    assert np.isfinite(logits).all()
    encode = Interpreter(model_content=generated_files.sentences()).get_signature_runner()
    ids = np.full((1, 48), last, np.int64)
    (vectors,) = encode(input_ids=ids, attention_mask=np.ones_like(ids)).values()
    assert vectors.shape == (1, 48, 128)
