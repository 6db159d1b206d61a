"""Where the server keeps what Python and a page send to each other."""

from __future__ import annotations

import threading


class LetterBox:
    """Byte strings by name, passed between the server's threads."""

    def __init__(self) -> None:
        self._letters: dict[str, bytes] = {}
        self._changed = threading.Condition()

    def put(self, name: str, content: bytes) -> None:
        """Store a letter, replacing an earlier one of that name."""
        with self._changed:
            self._letters[name] = content
            self._changed.notify_all()

    def peek(self, name: str) -> bytes | None:
        """Return a letter and leave it there."""
        with self._changed:
            return self._letters.get(name)

    def take(self, name: str, *, timeout_seconds: float = 0) -> bytes | None:
        """Remove and return a letter, waiting for it; None when the time is over."""
        with self._changed:
            self._changed.wait_for(lambda: name in self._letters, timeout_seconds)
            return self._letters.pop(name, None)

    def take_below(self, folder: str) -> dict[str, bytes]:
        """Remove and return the letters whose names start with `folder`, by the rest of their names."""
        with self._changed:
            names = [name for name in self._letters if name.startswith(folder)]
            return {name.removeprefix(folder): self._letters.pop(name) for name in names}
