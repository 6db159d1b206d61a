"""Runtimes with a loaded model, as benchmarks and loading measurements see them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from support.errors import BuildError
from tools.bench.models import Task
from tools.bench.runtimes import Runtime
from web_tests.browsers.page import EnginePage, PageError
from web_tests.drivers.page_calls import PageCaller
from web_tests.models.recipes import Array
from web_tests.server.server import Server

PAGE = "bench/bench.html"
TIMEOUT_SECONDS = 60.0


class NativeCrashError(BuildError):
    """Native LiteRT rejects a model, or crashes on it."""


@dataclass(frozen=True)
class FirstRun:
    """The first inference: its time, and its outputs in the runtime's order under the runtime's names."""

    ms: float
    outputs: Sequence[Array]
    names: Sequence[str]


class Session(Protocol):
    """A loaded model, its loading time `load_ms`, and the library's `report` on it."""

    load_ms: float
    report: dict[str, Any]

    def first_run(self) -> FirstRun:
        """Run once."""

    def turn(self, min_ms: float) -> float:
        """Take a turn in a round: run once, then for at least `min_ms`; return the milliseconds of a run."""

    def dispose(self) -> None:
        """Free the model."""


class Host(Protocol):
    """Where a runtime runs: a page or a process with the library."""

    def open(self) -> float:
        """Load the library, and return the milliseconds."""

    def load(self, task: Task) -> Session:
        """Load a model."""

    def close(self) -> None:
        """End the page or the process."""


class BenchPage(PageCaller):
    """A page with one runtime: pages/bench/bench.mjs. After a PageError, open another."""

    def __init__(self, engine_page: EnginePage, server: Server, runtime: Runtime) -> None:
        super().__init__(engine_page, server, PAGE, in_worker=runtime.host == "worker")
        self.runtime = runtime

    def open(self) -> float:
        arguments = {"adapter": self.runtime.adapter, "options": dict(self.runtime.open_options)}
        ms: float = self.call("open", arguments, timeout_seconds=TIMEOUT_SECONDS)
        return ms

    def load(self, task: Task) -> "PageSession":
        """Load a model.

        Raises:
            BuildError: the library rejects it, or the model lacks the runtime's form.
            PageError: the page crashed or hung.
        """
        content = task.form(self.runtime.form)
        with self.server.serving() as serve:
            tensors = {"inputs": list(task.infos), "outputs": list(task.output_infos)}
            options = dict(self.runtime.load_options)
            part = {"signature": task.signature, "residentNames": list(task.persistent)}
            arguments = {"url": serve(content), **tensors, **part, "options": options}
            response = self.call("load", arguments, timeout_seconds=TIMEOUT_SECONDS)
        return PageSession(self, task, response)

    def close(self) -> None:
        self.engine_page.close()


class PageSession:
    def __init__(self, page: BenchPage, task: Task, response: Mapping[str, Any]) -> None:
        self._page, self._task = page, task
        self._id: int = response["id"]
        self.load_ms: float = response["ms"]
        self.report: dict[str, Any] = response["report"] or {}

    def first_run(self) -> FirstRun:
        """Run once.

        Raises:
            ModelError: the library rejects the input.
            PageError: the page crashed or hung.
        """
        key = self._page.new_key()
        arguments = {"id": self._id, "inputs": self._page.send_inputs(self._task.inputs)}
        response = self._page.call("firstRun", arguments, key=key, timeout_seconds=TIMEOUT_SECONDS)
        outputs = [self._output(f"{key}/{index}", dtype) for index, dtype in enumerate(response["dtypes"])]
        return FirstRun(response["ms"], outputs, response["names"])

    def turn(self, min_ms: float) -> float:
        arguments = {"id": self._id, "minMs": min_ms}
        ms: float = self._page.call("turn", arguments, timeout_seconds=TIMEOUT_SECONDS)
        return ms

    def dispose(self) -> None:
        if not self._page.failed:
            self._page.call("dispose", {"id": self._id}, timeout_seconds=TIMEOUT_SECONDS)

    def _output(self, message: str, dtype: str) -> Array:
        content = self._page.server.mailbox.take(message)
        if content is None:
            raise PageError("the page sent no output")
        return np.frombuffer(content, np.dtype(dtype))
