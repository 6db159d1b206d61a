"""Python's half of web_tests/pages/python.mjs: calls functions in Pyodide in a page, a worker or Node."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Self

import numpy as np

from support.paths import BUILD_DIR
from web_tests.browsers.page import EnginePage, PageError
from web_tests.drivers.page_calls import PageCaller
from web_tests.models.recipes import Array
from web_tests.server.server import PAGES_DIR, Server

OWN_SCRIPT = PAGES_DIR / "python_calls.py"
PYODIDE_URL = "/pyodide/pyodide.mjs"
NUMPY = "numpy"
# A page under load takes a while to start Python.
START_SECONDS = 200.0


def wheel_url() -> str:
    """Return the URL path of the wheel of `build.py pyodide` on the server."""
    return f"/wheel/{next((BUILD_DIR / 'pyodide').glob('*.whl')).name}"


class PythonPage(PageCaller):
    """Pyodide in a page of any engine, or with `in_worker` in a module worker of it. Call `start` first."""

    def __init__(
        self, page: EnginePage, server: Server, address: str = "python.html", *, in_worker: bool = False
    ) -> None:
        super().__init__(page, server, address, in_worker=in_worker)
        self.files: set[str] = set()

    def start(
        self,
        packages: Sequence[str] | None = None,
        *,
        module: str = PYODIDE_URL,
        options: Mapping[str, Any] | None = None,
    ) -> Self:
        """Start Python.

        Args:
            packages: names of Pyodide's packages, and URLs of wheels; numpy and this project's wheel by default.
            module: URL of Pyodide.
            options: of loadPyodide().
        """
        request = {
            "packages": [NUMPY, wheel_url()] if packages is None else list(packages),
            "module": module,
            "options": dict(options or {}),
        }
        self.call("start", request, timeout_seconds=START_SECONDS)
        self.add_module(OWN_SCRIPT)
        return self

    def load(self, packages: Sequence[str]) -> None:
        """Load more packages: names of Pyodide's packages, and URLs of wheels."""
        self.call("load", {"packages": list(packages)})

    def register(self, name: str, url: str) -> None:
        """Register a JavaScript module for Python to import."""
        self.call("register", {"name": name, "url": url})

    def write(self, path: str, content: bytes) -> None:
        """Write a file into the page's Python file system."""
        with self.server.serving() as serve:
            self.call("writeFile", {"path": path, "url": serve(content)})
        self.files.add(path)

    def add_module(self, file: Path) -> None:
        """Make a module importable by the page's Python."""
        self.write(file.name, file.read_bytes())

    def run(
        self, function: str, inputs: Mapping[str, Array] | None = None, *, awaited: bool = True, **arguments: Any
    ) -> Any:
        """Call `module.function` and return its result.

        Args:
            function: module and function, joined by a dot.
            inputs: array arguments.
            awaited: whether Python may wait: not if `runPython()` or a callback calls it.
            **arguments: JSON values.

        Raises:
            ModelError: it raised an exception; the message has the traceback.
        """
        module, _, name = function.rpartition(".")
        key = self.new_key()
        request = {
            "module": module,
            "name": name,
            "inputs": self.send_inputs(inputs or {}, shapes=True),
            "args": arguments,
            "awaited": awaited,
        }
        return self._with_arrays(self.call("call", request, key=key), key)

    def _with_arrays(self, result: Any, key: str) -> Any:
        """Insert the arrays of a result, which arrive as messages."""

        def replaced(value: dict[str, Any]) -> Any:
            if set(value) != {"array", "dtype", "shape"}:
                return value
            content = self.server.mailbox.take(f"{key}/{value['array']}")
            if content is None:
                raise PageError("the page sent no array")
            return np.frombuffer(content, value["dtype"]).reshape(value["shape"])

        return json.loads(json.dumps(result), object_hook=replaced)
