"""The border to JavaScript: what an interpreter needs of the other side, and nothing else of it.

In the browser these are objects of js/pyodide; tests have their own. Names are JavaScript's.
"""

from __future__ import annotations

import sys
from collections.abc import Awaitable
from typing import Any, Protocol, TypeVar

Result = TypeVar("Result")


class HeapView(Protocol):
    """Memory of WebAssembly: a Uint8Array. It dies with the next call that enters WebAssembly."""

    @property
    def byteLength(self) -> int:
        """Its size."""

    def assign(self, source: Any) -> None:
        """Copy from an object with a buffer of unsigned bytes, of exactly this size."""

    def assign_to(self, target: Any) -> None:
        """Copy into an object with a writable buffer of unsigned bytes, of exactly this size."""

    def subarray(self, begin: int, end: int) -> HeapView:
        """Return a part."""


class Session(Protocol):
    """One model. Failures are exceptions with `name`, `code` and `message`, see errors.py."""

    def modelBytes(self) -> HeapView:
        """Return the memory that the model's bytes are to be put into."""

    def load(self) -> None:
        """Build the interpreter; allocate nothing."""

    def describe(self) -> str:
        """Return JSON: `inputs` and `outputs`, by index; `signatures`; `subgraphCount`."""

    def describeTensors(self, subgraph: int) -> str:
        """Return JSON: all tensors of a subgraph as they are now, see tensors.py."""

    def describeNodes(self, subgraph: int) -> str:
        """Return JSON: all nodes of a subgraph: `index`, `op`, `inputs`, `outputs`."""

    def resizeInput(self, tensor: int, subgraph: int, shape: str, strict: bool) -> None:
        """Give an input another shape, in JSON. The subgraph has to be allocated next."""

    def allocate(self, subgraph: int) -> None:
        """Make a subgraph ready to run."""

    def tensorBytes(self, tensor: int, subgraph: int) -> HeapView:
        """Return the memory of a tensor."""

    def reserveBytes(self, tensor: int, subgraph: int, sizeBytes: int) -> HeapView:
        """Return memory of this size for a tensor whose size depends on its values, as of strings."""

    def needsPromise(self) -> bool:
        """Tell whether running the main subgraph takes invokeAsync(), or a thread that may sleep."""

    def invoke(self, subgraph: int) -> None:
        """Run a subgraph before this returns."""

    def invokeAsync(self) -> Awaitable[None]:
        """Run the main subgraph."""

    def prepareAsync(self) -> Awaitable[None]:
        """Make WebNN ready for the present shapes."""

    def resetVariables(self) -> None:
        """Zero the variable tensors."""

    def report(self) -> str:
        """Return JSON: where the nodes run, and why."""

    def dispose(self) -> None:
        """Free what the model holds."""


class Backend(Protocol):
    """Opens models."""

    def openSession(self, modelSizeBytes: int, options: str) -> Session:
        """Make room for a model.

        Args:
            modelSizeBytes: size of the file.
            options: JSON: `numThreads`, `enableXnnpackDelegate`, `preserveAllTensors`, `webnn`.
        """

    def takeDelegateOptions(self, options: str) -> str:
        """Check options of the delegate, JSON of texts by name; return what `webnn` is to be, in JSON."""

    def startHelper(self) -> Awaitable[None]:
        """Start the worker by which runs on WebNN can be waited for, where there can be one."""


_backend: Backend | None = None


def use_backend(backend: Backend | None) -> None:
    """Have all interpreters that are made from now on run on a backend; None: load it with the next one."""
    global _backend
    _backend = backend


def current_backend() -> Backend:
    """Return the backend; load it from the package's files where there is none yet.

    Raises:
        BackendUnavailableError: it cannot be had here.
    """
    if _backend is None:
        from tflite_webnn.assets import load_backend

        use_backend(load_backend())
    assert _backend is not None
    return _backend


def can_wait() -> bool:
    """Tell whether this very call may wait for a promise: Pyodide can where the browser has JSPI, and in a task."""
    if sys.platform != "emscripten":
        return False
    from pyodide.ffi import can_run_sync

    return bool(can_run_sync())


def wait_for(promise: Awaitable[Result]) -> Result:
    """Wait for a promise; other tasks run meanwhile."""
    from pyodide.ffi import run_sync

    result: Result = run_sync(promise)
    return result
