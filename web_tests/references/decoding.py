"""Greedy decoding of a small decoder (models/networks/decoder.py) by native LiteRT."""

from collections.abc import Sequence

import numpy as np
from ai_edge_litert.interpreter import Interpreter

from web_tests.models.recipes import Array


def decode_natively(content: bytes, prompt: Sequence[int], steps: int) -> Array:
    """Return the logits of each step after the prompt, token by token: float32[steps, vocabulary]."""
    decode = Interpreter(model_content=content).get_signature_runner("decode")
    caches = {
        name: np.zeros(detail["shape"], np.float32)
        for name, detail in decode.get_input_details().items()
        if name.startswith("kv_cache")
    }
    tokens = list(prompt)
    logits: list[Array] = []
    for position in range(len(prompt) - 1 + steps):
        inputs = {"tokens": np.array([[tokens[position]]], np.int32), "input_pos": np.array([position], np.int32)}
        caches = decode(**inputs, **caches)
        logits.append(caches.pop("logits").reshape(-1))
        if position == len(tokens) - 1:
            tokens.append(int(np.argmax(logits[-1])))
    return np.stack(logits[len(prompt) - 1 :])
