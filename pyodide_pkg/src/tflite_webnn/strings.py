"""String tensors: their count, the offsets of each string and of the end, and their bytes."""

import itertools
from typing import Any

import numpy as np
from numpy.typing import NDArray


def encode_strings(value: object) -> NDArray[np.uint8]:
    """Encode an array of strings as a tensor's bytes.

    Raises:
        ValueError: it is not an array, or contains anything but str and bytes.
    """
    if not isinstance(value, np.ndarray):
        raise ValueError(f"Passed in value type is not a numpy array, got type {type(value).__name__}.")
    texts = [_encoded(text) for text in value.reshape(-1).tolist()]
    offsets = np.zeros(len(texts) + 2, np.int32)
    offsets[0] = len(texts)
    offsets[1:] = offsets.nbytes + np.cumsum([0, *map(len, texts)])
    return np.frombuffer(offsets.tobytes() + b"".join(texts), np.uint8)


def decode_strings(content: NDArray[Any], dimensions: tuple[int, ...]) -> NDArray[Any]:
    """Return an array of bytes objects; None for strings that the tensor does not hold."""
    strings = np.full(dimensions, None, np.object_)
    if content.size == 0:
        return strings
    data = content.tobytes()
    header = content[: content.size // 4 * 4].view(np.int32)
    ends = header[1 : int(header[0]) + 2]
    texts = [data[begin:end] for begin, end in itertools.pairwise(ends)]
    flat = strings.reshape(-1)  # shares its memory
    flat[: len(texts)] = np.array([*texts, None], np.object_)[: min(len(texts), flat.size)]
    return strings


def _encoded(text: object) -> bytes:
    if isinstance(text, str):
        return text.encode()
    if isinstance(text, bytes):
        return text
    raise ValueError(f"A string tensor holds str and bytes; got {type(text).__name__}.")
