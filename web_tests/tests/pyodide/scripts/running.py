"""Runs in Pyodide: models with the Interpreter, as in a user's script."""

import zipfile
from typing import Any

import numpy as np
from tflite_webnn import Interpreter, load_delegate

Array = np.ndarray[Any, Any]


def run(model: str, webnn: bool = False, **inputs: Array) -> dict[str, Any]:
    """Return the outputs of a model by position."""
    interpreter = _interpreter(model, webnn)
    _set_inputs(interpreter, inputs)
    interpreter.invoke()
    return _outputs(interpreter)


async def run_async(model: str, webnn: bool = False, **inputs: Array) -> dict[str, Any]:
    """Do the same with invoke_async()."""
    interpreter = _interpreter(model, webnn)
    _set_inputs(interpreter, inputs)
    await interpreter.invoke_async()
    return {**_outputs(interpreter), "report": interpreter.report()}


def classify(model: str, image: Array) -> str:
    """Return an image's label, from the labels in the model's file."""
    interpreter = Interpreter(model_path=model)
    interpreter.allocate_tensors()
    interpreter.set_tensor(interpreter.get_input_details()[0]["index"], image)
    interpreter.invoke()
    scores = interpreter.get_tensor(interpreter.get_output_details()[0]["index"])[0]
    with zipfile.ZipFile(model) as archive:
        labels = archive.read("labels_without_background.txt").decode().splitlines()
    return labels[int(scores.argmax())]


def run_resized(model: str, x: Array) -> Array:
    """Run a model on an input of another shape."""
    interpreter = Interpreter(model_path=model)
    index = interpreter.get_input_details()[0]["index"]
    interpreter.resize_tensor_input(index, x.shape)
    interpreter.allocate_tensors()
    interpreter.set_tensor(index, x)
    interpreter.invoke()
    result: Array = interpreter.get_tensor(interpreter.get_output_details()[0]["index"])
    return result


def count(model: str, x: Array, factor: Array) -> list[Array]:
    """Call the signatures of a model with a variable, and reset it."""
    interpreter = Interpreter(model_path=model)
    add, peek = interpreter.get_signature_runner("add"), interpreter.get_signature_runner("peek")
    return [add(x=x)["y"], add(x=x)["y"], peek(factor=factor)["product"]]


def step(model: str, steps: int, x: Array) -> list[Array]:
    """Run a model with state several times."""
    interpreter = Interpreter(model_path=model)
    interpreter.allocate_tensors()
    results = []
    for _ in range(steps):
        interpreter.set_tensor(interpreter.get_input_details()[0]["index"], x)
        interpreter.invoke()
        results.append(interpreter.get_tensor(interpreter.get_output_details()[0]["index"]))
    return results


def _interpreter(model: str, webnn: bool) -> Interpreter:
    delegates = [load_delegate("webnn")] if webnn else None
    interpreter = Interpreter(model_path=model, experimental_delegates=delegates)
    interpreter.allocate_tensors()
    return interpreter


def _set_inputs(interpreter: Interpreter, inputs: dict[str, Array]) -> None:
    for detail, array in zip(interpreter.get_input_details(), inputs.values(), strict=True):
        interpreter.set_tensor(detail["index"], array)


def _outputs(interpreter: Interpreter) -> dict[str, Any]:
    return {"outputs": [interpreter.get_tensor(detail["index"]) for detail in interpreter.get_output_details()]}
