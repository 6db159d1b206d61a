"""Runs in Pyodide: synchronous runs on WebNN."""

from typing import Any

import numpy as np
import tflite_webnn
from tflite_webnn import Interpreter, load_delegate

Array = np.ndarray[Any, Any]


async def start_helper() -> None:
    """Start the worker that lets this thread wait, if workers can do that here."""
    await tflite_webnn.setup()


def invoked(model: str, x: Array) -> dict[str, Any]:
    """Return the output of invoke(), and its execution mode."""
    interpreter = Interpreter(model_path=model, experimental_delegates=[load_delegate("webnn")])
    interpreter.allocate_tensors()
    interpreter.set_tensor(interpreter.get_input_details()[0]["index"], x)
    interpreter.invoke()
    output = interpreter.get_tensor(interpreter.get_output_details()[0]["index"])
    return {"output": output, "mode": interpreter.report()["executionMode"]}
