"""Delegates: what runs a model elsewhere than on the CPU. There is one here, WebNN."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from tflite_webnn.backend import current_backend
from tflite_webnn.delegate_options import DelegateOptions
from tflite_webnn.errors import DelegateError, UnknownDelegateError, translated

WEBNN = "webnn"


class Delegate:
    """A loaded delegate, for `Interpreter(experimental_delegates=[...])`.

    Attributes:
        options: the options as the JavaScript side takes them.
    """

    def __init__(self, library: str, options: DelegateOptions | Mapping[str, object] | None = None) -> None:
        """Load a delegate.

        Args:
            library: its name: "webnn".
            options: see load_delegate().

        Raises:
            UnknownDelegateError: there is no such delegate.
            DelegateError: there is no such option, or it cannot have this value.
        """
        if library != WEBNN:
            raise UnknownDelegateError(
                f"{library}: a browser has no shared libraries; the delegate that there is is called '{WEBNN}'"
            )
        texts = {str(key): _text(value) for key, value in (options or {}).items()}
        with translated():
            self.options: dict[str, Any] = json.loads(current_backend().takeDelegateOptions(json.dumps(texts)))


def load_delegate(library: str, options: DelegateOptions | Mapping[str, object] | None = None) -> Delegate:
    """Load a delegate by name.

    Whatever WebNN cannot take, and everything where the browser has no WebNN, runs on the CPU;
    `Interpreter.report()` tells which node runs where, and why.

    Args:
        library: "webnn".
        options: all may be left out. Values are texts, or anything whose `str()` is the text.

            The names are those of DelegateOptions, and

            + `polyfill`: auto, never, or tflite: WebNN as this package itself computes it on the CPU.

    Returns:
        What `Interpreter(experimental_delegates=[...])` takes.

    Raises:
        UnknownDelegateError: a ValueError, and an OSError: there is no such delegate.
        DelegateError: a ValueError: there is no such option, or it cannot have this value.
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
