"""Runs in Pyodide: the locations of the package's files."""

from typing import Any

import numpy as np
from tflite_webnn import Interpreter


def doubled(model: str) -> list[float]:
    """Let the first interpreter start the package, and run a model."""
    interpreter = Interpreter(model_path=model)
    interpreter.allocate_tensors()
    interpreter.set_tensor(interpreter.get_input_details()[0]["index"], np.full(8, 0.5, np.float32))
    interpreter.invoke()
    values: list[float] = interpreter.get_tensor(interpreter.get_output_details()[0]["index"]).tolist()
    return values


async def set_up(model: str, base_url: str | None = None) -> list[float]:
    """Start the package with setup(), and run a model."""
    import tflite_webnn

    await tflite_webnn.setup(base_url=base_url)
    return doubled(model)


def evaluates() -> bool:
    """Return whether Python can evaluate JavaScript in this page."""
    from pyodide.code import run_js

    try:
        result: Any = run_js("true")
    except Exception:
        return False
    return bool(result)
