"""Node as a browser engine: its pages are processes that run a script."""

import json
import os
import signal
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from support.command import run
from support.paths import PACKAGE_DIR
from web_tests.browsers.page import SCRIPT_SECONDS, PageError
from web_tests.server.server import PAGES_DIR

DRIVER = Path(__file__).with_name("node_page.mjs")


class NodePage:
    """A Node process as an EnginePage: `/name.html` runs the script `/name.mjs` with the package's entry for Node.

    With `?worker` it runs in a worker thread.
    """

    def __init__(self, node: str | Path) -> None:
        self._node = node
        self._process: subprocess.Popen[str] | None = None

    def open(self, url: str) -> None:
        self.close()
        parts = urlsplit(url)
        script = PAGES_DIR / f"{Path(parts.path).stem}.mjs"
        origin = f"{parts.scheme}://{parts.netloc}"
        thread = ["worker"] if parts.query == "worker" else []
        command = [str(self._node), "--no-warnings", str(DRIVER), origin, str(script), str(PACKAGE_DIR), *thread]
        # A separate process group: a `node` on PATH may be a script that starts another process.
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, start_new_session=True
        )

    def evaluate(self, function: str, argument: Any = None) -> Any:
        process = self._process
        if process is None or process.stdin is None or process.stdout is None:
            raise PageError("no page is open")
        timer = threading.Timer(SCRIPT_SECONDS, _kill, [process])
        timer.start()
        try:
            process.stdin.write(json.dumps({"function": function, "argument": argument}) + "\n")
            process.stdin.flush()
            line = process.stdout.readline()
        except OSError as error:
            raise PageError(f"Node has ended: {error}") from error
        finally:
            timer.cancel()
        if not line:
            raise PageError(f"Node has ended with {process.wait()}")
        response = json.loads(line)
        if "error" in response:
            raise PageError(f"the page says: {response['error']}")
        return response["value"]

    def take_errors(self) -> list[str]:
        errors: list[str] = self.evaluate("() => takeErrors()")
        return errors

    def close(self) -> None:
        if self._process:
            _kill(self._process)
            self._process.communicate()
            self._process = None


def _kill(process: subprocess.Popen[str]) -> None:
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)


class NodeBrowser:
    def __init__(self, node: str | Path) -> None:
        self._node = node

    @property
    def version(self) -> str:
        return run([self._node, "--version"], capture=True, quiet=True).strip().removeprefix("v")

    def new_page(self) -> NodePage:
        return NodePage(self._node)


@contextmanager
def node(program: str | Path) -> Iterator[NodeBrowser]:
    """Yield Node as a browser; its processes end with their pages."""
    yield NodeBrowser(program)
