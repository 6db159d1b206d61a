"""Python's half of web_tests/pages/called.mjs: calls a page and waits for its response."""

import base64
import itertools
import json
import time
import uuid
from collections.abc import Mapping, Sequence
from typing import Any, Protocol

import numpy as np

from support.errors import BuildError
from web_tests.browsers.page import EnginePage, PageError
from web_tests.models.recipes import Array
from web_tests.server.server import Server

TIMEOUT_SECONDS = 120.0
# A request costs more than so many bytes in a call.
INLINE_BYTES = 8192

Inputs = Sequence[Array] | Mapping[str, Array]


class ModelError(BuildError):
    """The package rejected something in the page: the JavaScript error's class, code and message."""

    def __init__(self, name: str, code: str, message: str, cause: str) -> None:
        super().__init__(message if not cause else f"{message} (the browser says: {cause})", where=name)
        self.name = name
        self.code = code
        self.message = message


# called.mjs sets `harness` when the page, or its worker, is ready.
READY = """async () => {
    for (let waited = 0; !globalThis.harness; waited += 10) {
        if (waited > 30_000) throw new Error('its script does not start');
        await new Promise((resolve) => setTimeout(resolve, 10));
    }
}"""


class Evaluates(Protocol):
    """A page or a frame, of any driver."""

    def evaluate(self, function: str, argument: Any = ..., /) -> Any: ...


def call_script(page: Evaluates, script: str, name: str, *arguments: Any) -> Any:
    """Call a function that web_tests/pages/tests/SCRIPT.mjs exports, in a page of the kit's server."""
    function = "async ([script, name, args]) => (await import(`/tests/${script}.mjs`))[name](...args)"
    return page.evaluate(function, [script, name, list(arguments)])


class PageCaller:
    """A page of any engine whose script responds to calls. After a PageError, open another.

    With `in_worker`, it runs in a worker of the page.
    """

    def __init__(self, engine_page: EnginePage, server: Server, address: str, *, in_worker: bool = False) -> None:
        self.engine_page = engine_page
        self.server = server
        self.failed = False
        self._uncaught: list[str] = []
        self._keys = (f"{uuid.uuid4().hex}-{number}" for number in itertools.count())
        engine_page.open(f"{server.origin}/{address}{'?worker' if in_worker else ''}")
        engine_page.evaluate(READY)

    def take_errors(self) -> list[str]:
        """Return the page's uncaught errors, each once."""
        taken, self._uncaught = self._uncaught, []
        return taken if self.failed else [*taken, *self.engine_page.take_errors()]

    def call(
        self, name: str, arguments: Mapping[str, Any], *, key: str = "", timeout_seconds: float | None = None
    ) -> Any:
        """Call a function of the page's script and return its value."""
        key = key or self.new_key()
        self.begin(name, arguments, key)
        return self.finish(name, key, timeout_seconds)

    def post(self, name: str, arguments: Mapping[str, Any]) -> None:
        """Call a function of the page's script without waiting for it; an error is one of `take_errors`."""
        self.begin(name, arguments, None)

    def begin(self, name: str, arguments: Mapping[str, Any], key: str | None) -> None:
        """Call a function of the page's script; `finish` returns its value."""
        request = {"key": key, "call": name, "args": dict(arguments)}
        try:
            self.engine_page.evaluate("request => { harness.handle(request) }", request)
        except PageError as error:
            self.failed = True
            raise PageError(f"the page cannot {name}: {error}") from error

    def finish(self, name: str, key: str, timeout_seconds: float | None = None) -> Any:
        """Wait for the value of a call that `begin` started."""
        message = self._wait_for(key, timeout_seconds or TIMEOUT_SECONDS)
        if message is None:
            self.failed = True
            seconds = timeout_seconds or TIMEOUT_SECONDS
            raise PageError(f"the page crashed, or did not respond within {seconds:g} s, during `{name}`")
        response = json.loads(message)
        if "error" in response:
            raise _model_error(response["error"])
        return response["value"]

    def _wait_for(self, key: str, timeout_seconds: float) -> bytes | None:
        """Wait for a message, and check the page every other second: a crashed one never writes."""
        end = time.monotonic() + timeout_seconds
        while time.monotonic() < end:
            message = self.server.mailbox.take(key, timeout_seconds=min(2.0, timeout_seconds))
            if message is not None:
                return message
            try:
                self._uncaught += self.engine_page.take_errors()
            except PageError:
                return None
        return None

    def send(self, content: bytes) -> str:
        """Put a message at /exchange/NAME for the page to fetch, and return its name."""
        name = self.new_key()
        self.server.mailbox.put(name, content)
        return name

    def send_inputs(self, inputs: Inputs, *, shapes: bool = False) -> Any:
        """Put inputs where the page can fetch them, small ones into the address, and return their descriptions."""
        if isinstance(inputs, Mapping):
            return {name: self._send_array(array, shapes) for name, array in inputs.items()}
        return [self._send_array(array, shapes) for array in inputs]

    def _send_array(self, array: Array, with_shape: bool) -> dict[str, Any]:
        content = np.ascontiguousarray(array).tobytes()
        url = data_url(content) or f"/exchange/{self.send(content)}"
        return {"url": url, "dtype": array.dtype.name, "shape": list(array.shape) if with_shape else None}

    def new_key(self) -> str:
        """Return an unused name for a message."""
        return next(self._keys)


def data_url(content: bytes) -> str:
    """Return a URL that has the content in itself; empty if a request costs less."""
    if len(content) > INLINE_BYTES:
        return ""
    return f"data:application/octet-stream;base64,{base64.b64encode(content).decode()}"


def _model_error(error: Mapping[str, Any]) -> ModelError:
    cause = error.get("cause") or {}
    return ModelError(error["name"], error["code"], error["message"], cause.get("message", ""))
