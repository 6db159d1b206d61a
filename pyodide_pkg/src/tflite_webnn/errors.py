"""Errors. Each class is also the built-in class that native TFLite raises in its place."""

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
    """The file is not a model, is damaged, or needs ops that the module lacks."""


class MetadataError(TFLiteWebnnError, ValueError):
    """The file's metadata is damaged, or contradicts the model."""


class InterpreterError(TFLiteWebnnError, RuntimeError):
    """TensorFlow Lite could not resize, allocate or run the model."""


class InterpreterCrashedError(InterpreterError):
    """WebAssembly trapped. This interpreter is unusable; others are unaffected."""


class InterpreterBusyError(InterpreterError):
    """The interpreter was used during one of its runs."""


class AsyncInvokeRequiredError(InterpreterError):
    """`invoke()` would have to wait for WebNN, which is impossible here: `await interpreter.invoke_async()`."""


class WebnnRunError(InterpreterError):
    """WebNN failed while it ran the model."""


class ContextLostError(WebnnRunError):
    """The browser lost WebNN while the model ran. Run it again: that prepares it again."""


class DelegateError(TFLiteWebnnError, ValueError):
    """The delegate rejects these options."""


class UnknownDelegateError(DelegateError, OSError):
    """There is no delegate of this name. Native TFLite raises an OSError if it does not find a shared library."""

    def __init__(self, message: str) -> None:
        super().__init__(message, "UNKNOWN_DELEGATE")


class BackendUnavailableError(TFLiteWebnnError, RuntimeError):
    """The JavaScript half of this package is missing or cannot run."""


# By the names of the JavaScript classes.
_CLASSES: dict[str, type[TFLiteWebnnError]] = {
    "NotATFLiteModelError": ModelError,
    "MalformedModelError": ModelError,
    "MetadataError": MetadataError,
    "ArchiveError": MetadataError,
    "UnsupportedOpError": ModelError,
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
    """Turn JavaScript's errors into those of this module; let others pass.

    Args:
        loading: a model is being loaded: native TFLite then raises ValueError for every failure.
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
