"""What tests ask of a browser engine, whatever drives it: pages that open addresses and call functions."""

from __future__ import annotations

from typing import Any, Protocol

from tools.support.errors import BuildError

SCRIPT_SECONDS = 120.0


class PageError(BuildError):
    """The page itself failed: it crashed, hung, does not load, or a function that was called in it threw."""


class EnginePage(Protocol):
    """One page."""

    def open(self, url: str) -> None:
        """Load a document, and what its scripts import.

        Raises:
            PageError: it does not load.
        """

    def evaluate(self, function: str, argument: Any = None) -> Any:
        """Call a JavaScript function, async or not, and return its result. Both ways travel what JSON can hold.

        Raises:
            PageError: the function threw, or the page is gone.
        """

    def take_errors(self) -> list[str]:
        """Return the errors that nobody caught in the page since it was opened, or since the last call.

        Raises:
            PageError: the page is gone.
        """

    def close(self) -> None:
        """Close the page."""


class EngineBrowser(Protocol):
    """A running browser."""

    @property
    def version(self) -> str:
        """The browser's version."""

    def new_page(self) -> EnginePage:
        """Return a new, empty page."""
