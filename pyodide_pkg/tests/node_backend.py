"""The real JavaScript half in a Node process: the same bundle and wasm module as in a browser."""

import base64
import json
import subprocess
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np

from pyodide_pkg.tests.fake_backend import FakeError
from support.npm import pinned_node
from support.paths import artefact_dir

SERVER = Path(__file__).with_name("session_server.mjs")


class NodeEndedError(Exception):
    """Node has ended instead of responding; the next session gets a new process."""


class NodeProcess:
    """Calls methods of the sessions in one Node process."""

    def __init__(self, bundle: Path, variant: str) -> None:
        wasm = artefact_dir(variant) / "tflite_webnn.wasm"
        self._process = subprocess.Popen(
            [pinned_node(), str(SERVER), str(bundle), variant, str(wasm)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    @property
    def is_open(self) -> bool:
        return self._process.poll() is None

    def close(self) -> None:
        self._process.kill()
        self._process.wait()

    def request(self, session: int | None, method: str, *arguments: Any, view: dict[str, Any] | None = None) -> Any:
        """Call a method; raise its error as Pyodide does.

        Raises:
            NodeEndedError: the process ends meanwhile, or has ended; the message has the method and the exit status.
        """
        assert self._process.stdin
        assert self._process.stdout
        message = {"session": session, "method": method, "args": arguments, **({"view": view} if view else {})}
        line = ""
        with suppress(BrokenPipeError):
            self._process.stdin.write(json.dumps(message) + "\n")
            self._process.stdin.flush()
            line = self._process.stdout.readline()
        if not line:
            raise NodeEndedError(f"Node has ended with {self._process.wait()} during {method}")
        reply = json.loads(line)
        if "error" not in reply:
            return reply["result"]
        error = reply["error"]
        raise FakeError(error["name"], error["code"], error["message"])


class NodeBackend:
    """The sessions of a Node process; a new one once that has ended."""

    def __init__(self, bundle: Path, variant: str) -> None:
        self._arguments = (bundle, variant)
        self._process: NodeProcess | None = None

    def process(self) -> NodeProcess:
        if self._process is None or not self._process.is_open:
            self._process = NodeProcess(*self._arguments)
        return self._process

    def close(self) -> None:
        if self._process:
            self._process.close()

    def openSession(self, modelSizeBytes: int, options: str) -> "NodeSession":
        process = self.process()
        return NodeSession(process, process.request(None, "openSession", modelSizeBytes, options))

    def openMetadata(self, modelSizeBytes: int) -> "NodeSession":
        process = self.process()
        return NodeSession(process, process.request(None, "openMetadata", modelSizeBytes))

    def parseDelegateOptions(self, options: str) -> str:
        return str(self.process().request(None, "parseDelegateOptions", options))

    async def startHelper(self) -> None:
        self.process().request(None, "startHelper")


class NodeSession:
    def __init__(self, process: NodeProcess, number: int) -> None:
        self._process = process
        self._number = number

    def modelBytes(self) -> "NodeView":
        return NodeView(self, "modelBytes")

    def load(self) -> None:
        self.request("load")

    def read(self) -> str:
        return str(self.request("read"))

    def describe(self) -> str:
        return str(self.request("describe"))

    def describeTensors(self, subgraph: int) -> str:
        return str(self.request("describeTensors", subgraph))

    def describeNodes(self, subgraph: int) -> str:
        return str(self.request("describeNodes", subgraph))

    def resizeInput(self, tensor: int, subgraph: int, shape: str, strict: bool) -> None:
        self.request("resizeInput", tensor, subgraph, shape, strict)

    def allocate(self, subgraph: int) -> None:
        self.request("allocate", subgraph)

    def tensorBytes(self, tensor: int, subgraph: int) -> "NodeView":
        return NodeView(self, "tensorBytes", tensor, subgraph)

    def reserveBytes(self, tensor: int, subgraph: int, sizeBytes: int) -> "NodeView":
        return NodeView(self, "reserveBytes", tensor, subgraph, sizeBytes)

    def needsPromise(self) -> bool:
        return bool(self.request("needsPromise"))

    def invoke(self, subgraph: int) -> None:
        self.request("invoke", subgraph)

    async def invokeAsync(self) -> None:
        self.request("invokeAsync")

    async def prepareAsync(self) -> None:
        self.request("prepareAsync")

    def resetVariables(self) -> None:
        self.request("resetVariables")

    def report(self) -> str:
        return str(self.request("report"))

    def dispose(self) -> None:
        if self._process.is_open:
            self.request("dispose")
            self.request("release")

    def request(self, method: str, *arguments: Any, view: dict[str, Any] | None = None) -> Any:
        return self._process.request(self._number, method, *arguments, view=view)


class NodeView:
    """Memory in Node: a method's result, or a part of it."""

    def __init__(self, session: NodeSession, method: str, *arguments: int, part: tuple[int, int] | None = None) -> None:
        self._session = session
        self._method = method
        self._arguments = arguments
        size = session.request(method, *arguments, view={"what": "size"}) if part is None else 0
        self._begin, self._end = part or (0, size)

    @property
    def byteLength(self) -> int:
        return self._end - self._begin

    def assign(self, source: Any) -> None:
        content = memoryview(source)
        assert content.format == "B", "Pyodide rejects other formats"
        self._request("write", content=base64.b64encode(content).decode())

    def assign_to(self, target: Any) -> None:
        content = base64.b64decode(self._request("read"))
        np.copyto(target, np.frombuffer(content, np.uint8))

    def subarray(self, begin: int, end: int) -> "NodeView":
        part = (self._begin + begin, self._begin + end)
        return NodeView(self._session, self._method, *self._arguments, part=part)

    def _request(self, what: str, **more: str) -> Any:
        view = {"what": what, "begin": self._begin, "end": self._end, **more}
        return self._session.request(self._method, *self._arguments, view=view)
