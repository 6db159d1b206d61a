"""Greedy decoding of a small decoder (models/networks/decoder.py) by native LiteRT."""

from collections.abc import Sequence

import numpy as np
from ai_edge_litert.interpreter import Interpreter

from web_tests.models.recipes import Array


def decode_natively(content: bytes, prompt: Sequence[int], steps: int) -> Array:
    """Return the logits of each step, float32[steps, vocabulary]."""
    interpreter = Interpreter(model_content=content)
    prefill, decode = (interpreter.get_signature_runner(key) for key in ("prefill", "decode"))
    caches = {
        name: np.zeros(detail["shape"], np.float32)
        for name, detail in prefill.get_input_details().items()
        if name.startswith("kv_cache")
    }
    positions = np.arange(len(prompt), dtype=np.int32)
    caches = prefill(tokens=np.array([prompt], np.int32), input_pos=positions, **caches)
    logits: list[Array] = []
    token = prompt[-1]
    for step in range(steps):
        position = np.array([len(prompt) + step], np.int32)
        caches = decode(tokens=np.array([[token]], np.int32), input_pos=position, **caches)
        logits.append(caches.pop("logits").reshape(-1))
        token = int(np.argmax(logits[-1]))
    return np.stack(logits)
