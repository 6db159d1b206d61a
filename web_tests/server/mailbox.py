"""Data that Python and a page send to each other through the server."""

import threading


class Mailbox:
    """Byte strings by name, passed between the server's threads."""

    def __init__(self) -> None:
        self._messages: dict[str, bytes] = {}
        self._changed = threading.Condition()

    def put(self, name: str, content: bytes) -> None:
        """Store a message, replacing an earlier one with that name."""
        with self._changed:
            self._messages[name] = content
            self._changed.notify_all()

    def peek(self, name: str) -> bytes | None:
        """Return a message without removing it."""
        with self._changed:
            return self._messages.get(name)

    def take(self, name: str, *, timeout_seconds: float = 0) -> bytes | None:
        """Wait for a message, remove it and return it; None after the time limit."""
        with self._changed:
            self._changed.wait_for(lambda: name in self._messages, timeout_seconds)
            return self._messages.pop(name, None)

    def take_below(self, directory: str) -> dict[str, bytes]:
        """Remove and return the messages whose names start with `directory`, by the remainder of their names."""
        with self._changed:
            names = [name for name in self._messages if name.startswith(directory)]
            return {name.removeprefix(directory): self._messages.pop(name) for name in names}
