"""This project's outputs of random nodes: executions, and their processes or pages."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple, NoReturn

import numpy as np
from playwright.sync_api import Playwright, sync_playwright

from support.npm import pinned_node
from wasm.toolchain.variants import built_variants
from web_tests.browsers import chromium_flags, installed
from web_tests.browsers.installed import BrowserMissingError
from web_tests.browsers.node import NodePage
from web_tests.browsers.page import EnginePage, PageError
from web_tests.browsers.playwright_pages import PlaywrightPage
from web_tests.drivers.harness import LoadOptions
from web_tests.drivers.page_calls import ModelError, PageCaller
from web_tests.models.recipes import Array
from web_tests.server.server import Server

# A batch takes half a second; a slower one hangs.
TIMEOUT_SECONDS = 60.0
CONTEXT_LOST = "CONTEXT_LOST"  # the code of ContextLostError
ALIGNMENT_BYTES = 8  # of pages/properties.mjs

OpenPage = Callable[[], AbstractContextManager[EnginePage]]


@dataclass(frozen=True)
class Execution:
    """A way to run models: `host` is `node` or `browser`."""

    name: str
    host: str
    options: LoadOptions


CPU_VARIANTS = ("simd", "relaxed-simd")
_WEBNN: dict[str, Any] = {"ignorePartitionCost": True}


def executions(on: str = "") -> list[Execution]:
    """Return the available executions whose names start with `on` (`cpu`: each built variant)."""
    built = built_variants()
    cpu = [
        Execution(f"cpu-{name}", "node", LoadOptions(webnn=False, extra={"variant": name}))
        for name in CPU_VARIANTS
        if name in built
    ]
    others = [
        Execution("webnn", "browser", LoadOptions(webnn_options={**_WEBNN, "polyfill": "never"})),
        Execution("polyfill", "node", LoadOptions(webnn_options={**_WEBNN, "polyfill": "tflite"})),
    ]
    return [each for each in (*cpu, *others) if not on or each.name.startswith(on)]


@dataclass(frozen=True)
class Run:
    """The result of a batch.

    Attributes:
        outputs: of its nodes, in order.
        context_losses: number of crashes of the GPU process.
        turned_off: why the entire model runs without WebNN, or without XNNPACK, after failures; empty if it does not.
    """

    outputs: list[Array]
    context_losses: int = 0
    turned_off: str = ""


class Request(NamedTuple):
    """A call of a page: its key, and the messages with model and inputs."""

    caller: PageCaller
    key: str
    messages: tuple[str, ...]


class Engine:
    """A page that loads, runs and frees models; replaced after a crash of its own or of the GPU process."""

    def __init__(self, execution: Execution, open_page: OpenPage, server: Server) -> None:
        self.execution = execution
        self._open_page = open_page
        self._server = server
        self._files = ExitStack()
        self._caller: PageCaller | None = None

    def start(self, model: bytes, inputs: Sequence[Array], runs: int) -> Callable[[], Run]:
        """Start to load a model, run it and free it; return a function that waits for the result.

        That function raises:
            ModelError: the package rejects the model or a run.
            PageError: the page crashed, hung, or reported an uncaught error.
        """
        try:
            request = self._send(model, inputs, runs)
        except PageError as error:
            self.close()
            return partial(_fail, error)
        return partial(self._finish, request)

    def _send(self, model: bytes, inputs: Sequence[Array], runs: int) -> Request:
        caller = self._caller or self._open()
        request = Request(caller, caller.new_key(), (caller.send(model), caller.send(_packed(inputs))))
        arguments = {
            "source": f"/exchange/{request.messages[0]}",
            "options": self.execution.options.to_json(),
            "inputs": {
                "url": f"/exchange/{request.messages[1]}",
                "arrays": [{"dtype": array.dtype.name, "length": array.size} for array in inputs],
            },
            "runs": runs,
        }
        caller.begin("loadAndRun", arguments, request.key)
        return request

    def _finish(self, request: Request) -> Run:
        caller = request.caller
        try:
            response = caller.finish("loadAndRun", request.key, TIMEOUT_SECONDS)
            if uncaught := caller.take_errors():
                raise PageError(f"uncaught in the page: {uncaught}")
        except PageError:
            self.close()
            raise
        except ModelError as error:
            if error.code != CONTEXT_LOST:
                raise
            self.close()
            return Run([], context_losses=1)
        finally:
            for message in request.messages:
                self._server.mailbox.take(message)
        content = self._server.mailbox.take(f"{request.key}/outputs") or b""
        needed = sum(map(_padded_bytes, response["outputs"]))
        if len(content) != needed:
            self.close()
            raise PageError(f"the outputs have {len(content)} bytes, their shapes need {needed}: {response['outputs']}")
        if response["contextLosses"]:
            # Chromium has no WebNN after the third loss.
            self.close()
        outputs = _unpacked(content, response["outputs"])
        return Run(outputs, response["contextLosses"], response["turnedOff"])

    def close(self) -> None:
        """End the page; the next run opens another."""
        self._caller = None
        self._files.close()

    def _open(self) -> PageCaller:
        page = self._files.enter_context(self._open_page())
        self._caller = PageCaller(page, self._server, "properties.html")
        return self._caller


def _fail(error: PageError) -> NoReturn:
    raise error


@contextmanager
def engine(execution: Execution, server: Server, playwright: Playwright | None = None) -> Iterator[Engine]:
    """Open an engine for an execution, for a with-block; `playwright` is the running one, if any.

    Raises:
        BrowserMissingError: no browser with WebNN is installed.
    """
    with ExitStack() as stack:
        open_page: OpenPage = _node_page
        if execution.host == "browser":
            driver = playwright or stack.enter_context(sync_playwright())
            program = next(
                (each for each, probe in installed.survey(driver, installed.discover()) if probe.webnn), None
            )
            if program is None:
                raise BrowserMissingError("WebNN works in no browser here", hint="python3 build.py setup")
            open_page = _browser_pages(driver, program)
        opened = Engine(execution, open_page, server)
        stack.callback(opened.close)
        yield opened


@contextmanager
def _node_page() -> Iterator[EnginePage]:
    page = NodePage(pinned_node())
    try:
        yield page
    finally:
        page.close()


def _browser_pages(driver: Playwright, program: installed.BrowserProgram) -> OpenPage:
    @contextmanager
    def open_page() -> Iterator[EnginePage]:
        flags = chromium_flags.BOUNDS_CHECK_FLAGS
        with installed.launched(driver, program, extra_flags=flags) as browser:
            yield PlaywrightPage(browser.new_page())

    return open_page


def _packed(arrays: Sequence[Array]) -> bytes:
    contents = (np.ascontiguousarray(array).tobytes() for array in arrays)
    return b"".join(content + bytes(-len(content) % ALIGNMENT_BYTES) for content in contents)


def _unpacked(content: bytes, infos: Sequence[dict[str, Any]]) -> list[Array]:
    arrays, offset = [], 0
    for info in infos:
        dtype, count = np.dtype(info["dtype"]), int(np.prod(info["shape"], dtype=np.int64))
        arrays.append(np.frombuffer(content, dtype, count, offset).reshape(info["shape"]))
        offset += _padded_bytes(info)
    return arrays


def _padded_bytes(info: dict[str, Any]) -> int:
    size_bytes: int = int(np.prod(info["shape"], dtype=np.int64)) * np.dtype(info["dtype"]).itemsize
    return -(-size_bytes // ALIGNMENT_BYTES) * ALIGNMENT_BYTES
