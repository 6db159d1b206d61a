"""Mutations of a file's bytes. Most results fail verification; the others have what no writer would write."""

from collections.abc import Callable

import numpy as np

from tools.fuzz.choice import Random, number

ByteMutation = Callable[[bytes, Random], bytes]
# Root offset and identifier: without them only the first check runs.
HEADER_BYTES = 8
INT32_BYTES = 4


def bytes_(content: bytes, random: Random) -> bytes:
    """Change 1 to 16 bytes."""
    changed = bytearray(content)
    for position in random.integers(HEADER_BYTES, len(content), random.integers(1, 17)):
        changed[position] = int(random.integers(0, 256))
    return bytes(changed)


def bit(content: bytes, random: Random) -> bytes:
    """Flip one bit."""
    changed = bytearray(content)
    changed[int(random.integers(HEADER_BYTES, len(content)))] ^= 1 << int(random.integers(8))
    return bytes(changed)


def word(content: bytes, random: Random) -> bytes:
    """Overwrite an aligned int32: an offset, a length, an index, a dimension."""
    changed = bytearray(content)
    position = int(random.integers(HEADER_BYTES // INT32_BYTES, len(content) // INT32_BYTES)) * INT32_BYTES
    changed[position : position + INT32_BYTES] = np.array([number(random)], "<i4").tobytes()
    return bytes(changed)


def shared(content: bytes, random: Random) -> bytes:
    """Let an offset lead to what another one leads to, or into it."""
    words = np.frombuffer(content[: len(content) // INT32_BYTES * INT32_BYTES], "<i4").copy()
    positions = np.arange(len(words)) * INT32_BYTES
    targets = positions + words
    offsets = np.flatnonzero((positions >= HEADER_BYTES) & (words > 0) & (targets < len(content)))
    later = targets[offsets][targets[offsets] > positions[offsets[0]]] if len(offsets) else offsets
    if len(later) == 0:
        return content
    target = int(random.choice(later)) + INT32_BYTES * int(random.integers(0, 4))
    slot = int(random.choice(offsets[positions[offsets] < target]))
    words[slot] = target - positions[slot]
    return words.tobytes() + content[words.nbytes :]


def cut(content: bytes, random: Random) -> bytes:
    """Cut the file's end, mostly a short one."""
    lost = int(random.integers(1, min(len(content), 64))) if random.random() < 0.5 else len(content) // 3
    return content[: max(len(content) - lost, HEADER_BYTES)]


def moved(content: bytes, random: Random) -> bytes:
    """Leave out a few bytes in the middle, which moves the following ones."""
    position = int(random.integers(HEADER_BYTES, len(content)))
    return content[:position] + content[position + int(random.integers(1, 9)) :]


BYTE_MUTATIONS: tuple[ByteMutation, ...] = (bytes_, bit, bit, word, word, word, shared, cut, moved)
