"""One place of one engine: its page, replaced when it fails, and the page's facts."""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from support.errors import BuildError
from tools.matrix.axes import Execution, Place
from tools.matrix.questions import Question
from web_tests.browsers.page import EngineBrowser
from web_tests.drivers.harness import LoadedModel, PageHarness
from web_tests.server.server import Server

# Pages are replaced, because engines free some things late: threads, graphics memory, compiled code.
CELLS_PER_PAGE = 60


@dataclass(frozen=True)
class Servers:
    """The page servers, with and without cross-origin isolation."""

    isolated: Server
    plain: Server

    def of(self, place: Place) -> Server:
        return self.isolated if place.isolated else self.plain


class PlacePage:
    """The pages of one place, one after the other."""

    def __init__(self, browser: EngineBrowser, servers: Servers, place: Place) -> None:
        self._browser, self._server, self.place = browser, servers.of(place), place
        self._harness: PageHarness | None = None
        self._cells = 0

    def harness(self) -> PageHarness:
        """Return the page.

        Raises:
            PageError: it does not load.
        """
        if self._harness is None or self._harness.failed or self._cells >= CELLS_PER_PAGE:
            self.close()
            page = self._browser.new_page()
            self._harness = PageHarness(page, self._server, in_worker=self.place.in_worker)
            self._cells = 0
        self._cells += 1
        return self._harness

    def load(self, question: Question, execution: Execution) -> LoadedModel:
        """Load a model with an execution's options.

        Raises:
            ModelError: the package rejects the model or the options.
            PageError: the page crashed or hung.
        """
        return self.harness().load(question.address, execution.options)

    def facts(self) -> Mapping[str, Any]:
        """Return the page's facts, see pages/facts.mjs."""
        return self.harness().facts()

    def errors(self) -> str:
        """Return the page's uncaught errors since the last call, as one line."""
        with suppress(BuildError):
            return "; ".join(self._harness.take_errors()) if self._harness else ""
        return ""

    def close(self) -> None:
        if self._harness:
            with suppress(BuildError):
                self._harness.engine_page.close()
            self._harness = None
