"""Runs in Pyodide, for `build.py bench --pyodide`: the time to write an array into a model, and to read one."""

import time
from collections.abc import Callable
from statistics import median
from typing import Any

import numpy as np
from tflite_webnn import Interpreter


def measure(model: str, rounds: int) -> dict[str, Any]:
    """Return the medians of set_tensor() and get_tensor() of the first input."""
    interpreter = Interpreter(model_path=model)
    interpreter.allocate_tensors()
    detail = interpreter.get_input_details()[0]
    index, values = detail["index"], np.zeros(detail["shape"], detail["dtype"])
    return {
        "shape": values.shape,
        "dtype": values.dtype.name,
        "inMs": _median_ms(lambda: interpreter.set_tensor(index, values), rounds),
        "outMs": _median_ms(lambda: interpreter.get_tensor(index), rounds),
    }


def _median_ms(call: Callable[[], object], rounds: int) -> float:
    times = []
    for _ in range(rounds):
        start = time.perf_counter()
        call()
        times.append(time.perf_counter() - start)
    return median(times) * 1000
