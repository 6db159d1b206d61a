"""The tests' interface to a browser engine, whatever drives it: pages that open URLs and call functions."""

from typing import Any, Protocol

from support.errors import BuildError

SCRIPT_SECONDS = 120.0


class PageError(BuildError):
    """The page itself failed: it crashed, hung, does not load, or a function called in it threw."""


class EnginePage(Protocol):
    """One page."""

    def open(self, url: str) -> None:
        """Load a document and its scripts' imports.

        Raises:
            PageError: it does not load.
        """

    def evaluate(self, function: str, argument: Any = None) -> Any:
        """Call a JavaScript function, async or not, and return its result. Argument and result are JSON.

        Raises:
            PageError: the function threw, or the page is gone.
        """

    def take_errors(self) -> list[str]:
        """Return the page's uncaught errors since it was opened, or since the last call.

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
