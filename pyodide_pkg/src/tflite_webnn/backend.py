"""The interface to JavaScript, as far as an interpreter needs it.

In the browser, js/apps/pyodide implements it; tests have fakes. The names are JavaScript's.
"""

import sys
from collections.abc import Awaitable
from typing import Any, Protocol, TypeVar

Result = TypeVar("Result")


class HeapView(Protocol):
    """Memory of WebAssembly: a Uint8Array. The next call into WebAssembly invalidates it."""

    @property
    def byteLength(self) -> int:
        """Size in bytes."""

    def assign(self, source: Any) -> None:
        """Copy from an object with a buffer of unsigned bytes, of exactly this size."""

    def assign_to(self, target: Any) -> None:
        """Copy into an object with a writable buffer of unsigned bytes, of exactly this size."""

    def subarray(self, begin: int, end: int) -> "HeapView":
        """Return a part."""


class Session(Protocol):
    """One model. Failures are exceptions with `name`, `code` and `message`, see errors.py."""

    def modelBytes(self) -> HeapView:
        """Return the memory for the model's bytes."""

    def load(self) -> None:
        """Build the interpreter; allocate nothing."""

    def describe(self) -> str:
        """Return JSON: `inputs` and `outputs`, by index; `signatures`; `subgraphCount`."""

    def describeTensors(self, subgraph: int) -> str:
        """Return JSON: all tensors of a subgraph as they are now, see tensors.py."""

    def describeNodes(self, subgraph: int) -> str:
        """Return JSON: all nodes of a subgraph with `index`, `op`, `inputs`, `outputs`."""

    def resizeInput(self, tensor: int, subgraph: int, shape: str, strict: bool) -> None:
        """Change the shape (JSON) of an input; allocate() must follow."""

    def allocate(self, subgraph: int) -> None:
        """Make a subgraph ready to run."""

    def tensorBytes(self, tensor: int, subgraph: int) -> HeapView:
        """Return the memory of a tensor."""

    def reserveBytes(self, tensor: int, subgraph: int, sizeBytes: int) -> HeapView:
        """Return memory of this size for a tensor whose size depends on its values, as of strings."""

    def needsPromise(self) -> bool:
        """Return whether a run of the main subgraph needs invokeAsync(), or a thread that may sleep."""

    def invoke(self, subgraph: int) -> None:
        """Run a subgraph synchronously."""

    def invokeAsync(self) -> Awaitable[None]:
        """Run the main subgraph."""

    def prepareAsync(self) -> Awaitable[None]:
        """Prepare WebNN for the present shapes."""

    def resetVariables(self) -> None:
        """Zero the variable tensors."""

    def report(self) -> str:
        """Return JSON: where the nodes run, and why."""

    def dispose(self) -> None:
        """Free what the model holds."""


class MetadataSession(Protocol):
    """A file whose metadata is read."""

    def modelBytes(self) -> HeapView:
        """Return the buffer for the file."""

    def read(self) -> str:
        """Return the file's metadata as JSON, `null` where it has none: `ModelMetadata` of JavaScript's package."""


class Backend(Protocol):
    """Opens models."""

    def openMetadata(self, modelSizeBytes: int) -> MetadataSession:
        """Open a file to read its metadata, with a buffer for it."""

    def openSession(self, modelSizeBytes: int, options: str) -> Session:
        """Open a session with a buffer for a model.

        Args:
            modelSizeBytes: size of the file.
            options: JSON: `numThreads`, `enableXnnpackDelegate`, `preserveAllTensors`, `webnn`.
        """

    def parseDelegateOptions(self, options: str) -> str:
        """Check the delegate's options, texts by name as JSON; return the session option `webnn` as JSON."""

    def startHelper(self) -> Awaitable[None]:
        """Start the worker that lets a thread wait for WebNN, if workers can do that here."""


def can_wait() -> bool:
    """Return whether this call may wait for a promise: in Pyodide, inside a task, if the browser has JSPI."""
    if sys.platform != "emscripten":
        return False
    from pyodide.ffi import can_run_sync

    return bool(can_run_sync())


def wait_for(promise: Awaitable[Result]) -> Result:
    """Wait for a promise while other tasks run."""
    from pyodide.ffi import run_sync

    result: Result = run_sync(promise)
    return result
