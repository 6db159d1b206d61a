"""Python's half of web_tests/pages/python.mjs: has functions called by Pyodide in a page, a worker or Node."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from tools.support.paths import BUILD_DIR
from web_tests.browsers.page import EnginePage, PageError
from web_tests.drivers.page_calls import PageCaller
from web_tests.models.recipes import Array
from web_tests.server.server import PAGES_DIR, Server

OWN_SIDE = PAGES_DIR / "python_side.py"
PYODIDE_URL = "/pyodide/pyodide.mjs"
NUMPY = "numpy"
# A page under load takes a while to start Python.
START_SECONDS = 200.0


def wheel_url() -> str:
    """Return the address of the wheel that `build.py pyodide` has built, a path of the server."""
    return f"/wheel/{next((BUILD_DIR / 'pyodide').glob('*.whl')).name}"


class PythonPage(PageCaller):
    """Pyodide in a page of any engine, or, `in_worker`, in a module worker of it. `start` comes first."""

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
    ) -> PythonPage:
        """Start Python.

        Args:
            packages: names of packages of Pyodide, and addresses of wheels; numpy and this project's wheel by default.
            module: where Pyodide is.
            options: of loadPyodide().
        """
        wish = {
            "packages": [NUMPY, wheel_url()] if packages is None else list(packages),
            "module": module,
            "options": dict(options or {}),
        }
        self.call("start", wish, timeout_seconds=START_SECONDS)
        self.add_module(OWN_SIDE)
        return self

    def load(self, packages: Sequence[str]) -> None:
        """Load more packages: names of packages of Pyodide, and addresses of wheels."""
        self.call("load", {"packages": list(packages)})

    def register(self, name: str, url: str) -> None:
        """Register a JavaScript module that Python can import."""
        self.call("register", {"name": name, "url": url})

    def write(self, path: str, content: bytes) -> None:
        """Write a file into the file system of the page's Python."""
        with self.server.serving() as serve:
            self.call("writeFile", {"path": path, "url": serve(content)})
        self.files.add(path)

    def add_module(self, file: Path) -> None:
        """Let the page's Python import a module."""
        self.write(file.name, file.read_bytes())

    def run(
        self, function: str, inputs: Mapping[str, Array] | None = None, *, awaited: bool = True, **arguments: Any
    ) -> Any:
        """Call `module.function` and return its result.

        Args:
            function: its name after that of its module.
            inputs: arguments that are arrays.
            awaited: whether Python may wait there: what `runPython()` or a callback calls may not.
            **arguments: what JSON can hold.

        Raises:
            ModelError: it raised something; the traceback is in the message.
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

    def _with_arrays(self, answer: Any, key: str) -> Any:
        """Put the arrays of an answer, which came as letters, in their places."""

        def replaced(value: dict[str, Any]) -> Any:
            if set(value) != {"array", "dtype", "shape"}:
                return value
            content = self.server.letters.take(f"{key}/{value['array']}")
            if content is None:
                raise PageError("the page sent no array")
            return np.frombuffer(content, value["dtype"]).reshape(value["shape"])

        return json.loads(json.dumps(answer), object_hook=replaced)
