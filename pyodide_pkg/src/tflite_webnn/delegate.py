"""Delegates: they run a model, or part of it, elsewhere than on the CPU. WebNN is the only one."""

import json
from collections.abc import Mapping
from typing import Any

from tflite_webnn.assets import current_backend
from tflite_webnn.delegate_options import DelegateOptions
from tflite_webnn.errors import DelegateError, UnknownDelegateError, translated

WEBNN = "webnn"


class Delegate:
    """A loaded delegate, for `Interpreter(experimental_delegates=[...])`.

    Attributes:
        options: the options in the form of the JavaScript code.
    """

    def __init__(self, library: str, options: DelegateOptions | Mapping[str, object] | None = None) -> None:
        """Load a delegate.

        Args:
            library: its name: "webnn".
            options: see load_delegate().

        Raises:
            UnknownDelegateError: there is no such delegate.
            DelegateError: an option is unknown, or its value invalid.
        """
        if library != WEBNN:
            raise UnknownDelegateError(f"{library}: a browser has no shared libraries; the only delegate is '{WEBNN}'")
        texts = {str(key): _text(value) for key, value in (options or {}).items()}
        with translated():
            self.options: dict[str, Any] = json.loads(current_backend().parseDelegateOptions(json.dumps(texts)))


def load_delegate(library: str, options: DelegateOptions | Mapping[str, object] | None = None) -> Delegate:
    """Load a delegate by name.

    Nodes that WebNN rejects run on the CPU; without WebNN in the browser, all do.
    `Interpreter.report()` lists where each node runs, and why.

    Args:
        library: "webnn".
        options: optional. Values are strings, or objects whose `str()` is the string.

            The keys are those of DelegateOptions, and

            + `polyfill`: auto, never, or tflite: this package's own WebNN, on the CPU.

    Returns:
        A delegate for `Interpreter(experimental_delegates=[...])`.

    Raises:
        UnknownDelegateError: a ValueError and an OSError: there is no such delegate.
        DelegateError: a ValueError: an option is unknown, or its value invalid.
    """
    try:
        return Delegate(library, options)
    except UnknownDelegateError:
        raise
    except DelegateError as error:
        raise DelegateError(f"Failed to load delegate from {library}\n{error}", error.code) from error


def _text(value: object) -> str:
    if isinstance(value, (list, tuple, set, frozenset)):
        return ",".join(map(str, value))
    return str(value)
