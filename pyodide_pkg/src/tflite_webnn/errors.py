"""What can go wrong. Each class is also the built-in one that native TFLite raises in its place."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator


class TFLiteWebnnError(Exception):
    """Base class of all errors that only this package raises.

    Attributes:
        code: stable, upper-case identifier of the kind of failure.
    """

    def __init__(self, message: str, code: str = "") -> None:
        super().__init__(message)
        self.code = code


class ModelError(TFLiteWebnnError, ValueError):
    """The file is no model, is damaged, or needs ops that are not there."""


class InterpreterError(TFLiteWebnnError, RuntimeError):
    """TensorFlow Lite could not resize, allocate or run the model."""


class InterpreterCrashedError(InterpreterError):
    """WebAssembly trapped. This interpreter cannot be used any more; others are not touched."""


class InterpreterBusyError(InterpreterError):
    """The interpreter was used while a run of it was under way."""


class AsyncInvokeRequiredError(InterpreterError):
    """`invoke()` would have to wait for WebNN, which cannot be done here: `await interpreter.invoke_async()`."""


class WebnnRunError(InterpreterError):
    """WebNN failed while it ran the model."""


class ContextLostError(WebnnRunError):
    """The browser took WebNN away while the model ran. Run it again: it is made ready anew."""


class DelegateError(TFLiteWebnnError, ValueError):
    """A delegate cannot be loaded with these options."""


class UnknownDelegateError(DelegateError, OSError):
    """There is no delegate of this name. Native TFLite raises an OSError where a shared library is not found."""

    def __init__(self, message: str) -> None:
        super().__init__(message, "UNKNOWN_DELEGATE")


class BackendUnavailableError(TFLiteWebnnError, RuntimeError):
    """The JavaScript side of this package is not there."""


# By the names of the classes in JavaScript.
_CLASSES: dict[str, type[TFLiteWebnnError]] = {
    "NotATFLiteModelError": ModelError,
    "MalformedModelError": ModelError,
    "FlexOpError": ModelError,
    "EdgeTpuOpError": ModelError,
    "OpsNotInBuildError": ModelError,
    "UnresolvedCustomOpError": ModelError,
    "InterpreterError": InterpreterError,
    "WasmTrapError": InterpreterCrashedError,
    "ModelDisposedError": InterpreterError,
    "BlockingError": AsyncInvokeRequiredError,
    "WebnnRunError": WebnnRunError,
    "WebnnBuildError": WebnnRunError,
    "WorkerFailedError": WebnnRunError,
    "ContextLostError": ContextLostError,
    "DelegateOptionError": DelegateError,
    "WasmLoadError": BackendUnavailableError,
}


@contextlib.contextmanager
def translated(*, loading: bool = False) -> Iterator[None]:
    """Raise errors of JavaScript as those of this module; let others pass.

    Args:
        loading: a model is being loaded: native TFLite raises ValueError for whatever is wrong then.
    """
    try:
        yield
    except Exception as error:
        known = _CLASSES.get(str(getattr(error, "name", "")))
        if known is None:
            raise
        if loading and known is InterpreterError:
            known = ModelError
        message = str(getattr(error, "message", error))
        raise _make(known, message, str(getattr(error, "code", ""))) from error


def _make(error_class: type[TFLiteWebnnError], message: str, code: str) -> TFLiteWebnnError:
    if error_class is AsyncInvokeRequiredError:
        message += " Use `await interpreter.invoke_async()`, which always works."
    return error_class(message, code)
