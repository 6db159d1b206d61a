"""Python's half of web_tests/pages/litert.html: one program, with LiteRT.js and with tflite-webnn/litert."""

import itertools
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from playwright.sync_api import Page

from web_tests.browsers.page import PageError
from web_tests.browsers.playwright_pages import PlaywrightPage
from web_tests.models.recipes import Array
from web_tests.server.server import Server


@dataclass(frozen=True)
class LiteRtRun:
    """The outputs of a run in the model's order, and the `model` as the library describes it."""

    outputs: list[Array]
    model: Mapping[str, Any]


class LiteRtPage:
    """A page whose `@litertjs/core` is this project's if `own`, else the unmodified package.

    `warnings` are those of the console.
    """

    def __init__(self, page: Page, server: Server, *, own: bool) -> None:
        self.page = page
        self.engine_page = PlaywrightPage(page)
        self.server = server
        self.warnings: list[str] = []
        page.on("console", lambda message: self.warnings.append(message.text) if message.type == "warning" else None)
        self._keys = (f"{uuid.uuid4().hex}-{number}" for number in itertools.count())
        self.engine_page.open(f"{server.origin}/litert.html{'?tflite-webnn' if own else ''}")

    def call(self, name: str, **arguments: Any) -> Any:
        """Call a function of the page's program."""
        return self.engine_page.evaluate("([name, args]) => run(name, args)", [name, arguments])

    def run(
        self,
        url: str,
        inputs: Sequence[Array],
        options: Mapping[str, Any] | None = None,
        *,
        loading: Mapping[str, bool] | None = None,
    ) -> LiteRtRun:
        """Load a model and run it once.

        Args:
            url: on the server.
            inputs: in the library's order.
            options: of loadAndCompile().
            loading: of loadLiteRt().

        Raises:
            PageError: the library rejects the model or an input.
        """
        key = next(self._keys)
        sent = [self._send(array) for array in inputs]
        arguments = {"url": url, "inputs": sent, "options": dict(options or {}), "loading": dict(loading or {})}
        model = self.call("run", **arguments, key=key)
        outputs = []
        for index, (row, shape) in enumerate(zip(model["outputs"], model["shapes"], strict=True)):
            content = self.server.mailbox.take(f"{key}/{index}")
            if content is None:
                raise PageError(f"the page sent no output {row['name']}")
            outputs.append(np.frombuffer(content, np.dtype(row["dtype"])).reshape(shape))
        return LiteRtRun(outputs, model)

    def _send(self, array: Array) -> dict[str, Any]:
        message = next(self._keys)
        self.server.mailbox.put(message, np.ascontiguousarray(array).tobytes())
        return {"url": f"/exchange/{message}", "dtype": array.dtype.name, "shape": list(array.shape)}
