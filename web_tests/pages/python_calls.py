"""Runs in Pyodide: calls functions of the tests' modules with arrays, for python_host.mjs."""

import importlib
import inspect
import json
from collections.abc import Mapping
from typing import Any

import numpy as np

Response = list[Any]


def call(module: str, name: str, arrays: Any, arguments_json: str) -> Response:
    """Return a function's result as JSON that only describes arrays, and the bytes of the arrays."""
    return _response(_called(module, name, arrays, arguments_json))


async def call_and_wait(module: str, name: str, arrays: Any, arguments_json: str) -> Response:
    """Do the same for a function that may be asynchronous."""
    result = _called(module, name, arrays, arguments_json)
    return _response(await result if inspect.isawaitable(result) else result)


def _called(module: str, name: str, arrays: Mapping[str, Mapping[str, Any]], arguments_json: str) -> Any:
    inputs = {
        key: np.frombuffer(array["content"], array["dtype"]).reshape(list(array["shape"]))
        for key, array in arrays.items()
    }
    return getattr(importlib.import_module(module), name)(**inputs, **json.loads(arguments_json))


def _response(result: Any) -> Response:
    contents: list[bytes] = []

    def described(value: Any) -> Any:
        if isinstance(value, np.generic):
            return value.item()
        if not isinstance(value, np.ndarray):
            raise TypeError(f"a test cannot return a {type(value).__name__}")
        contents.append(value.tobytes())
        return {"array": len(contents) - 1, "dtype": value.dtype.str, "shape": value.shape}

    return [json.dumps(result, default=described), *contents]
