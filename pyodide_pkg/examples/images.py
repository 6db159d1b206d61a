"""Classifies and segments an image. images.mjs runs it in a page.

The functions are coroutines because WebNN returns promises; on the CPU they return immediately.
"""

import time
import zipfile
from functools import cache
from typing import Any

import numpy as np
from PIL import Image
from tflite_webnn import Interpreter, load_delegate

Array = np.ndarray[Any, Any]
# Colour of each class, mixed into the image; the first class, the background, has none.
COLOURS = ((230, 25, 75), (60, 180, 75), (0, 130, 200), (245, 130, 48), (145, 30, 180), (0, 160, 160), (240, 50, 230))
OPACITY = 0.6
SHOWN_PIXELS = 640


def show(image: str) -> dict[str, Any]:
    return {"labels": [], "image": _pixels(_opened(image))}


async def classify(image: str, model: str, webnn: bool = True, count: int = 5) -> dict[str, Any]:
    """Return an image's most likely labels with their probabilities, best first."""
    shown = _opened(image)
    scores, info = await _run(shown, model, webnn)
    best = np.argsort(-scores[0], kind="stable")[:count]
    labels = _labels(model)
    return {"labels": [(labels[index], float(scores[0, index])) for index in best], "image": _pixels(shown), **info}


async def segment(image: str, model: str, webnn: bool = True) -> dict[str, Any]:
    """Return the classes in an image with their share of the pixels, and the image with the classes coloured."""
    shown = _opened(image)
    scores, info = await _run(shown, model, webnn)
    classes = scores[0].argmax(axis=-1).astype(np.uint8)
    shares = np.bincount(classes.ravel(), minlength=scores.shape[-1]) / classes.size
    found = [int(index) for index in np.argsort(-shares, kind="stable") if shares[index] > 0]
    labels = _labels(model)
    coloured = _coloured(shown, Image.fromarray(classes))
    return {"labels": [(labels[index], float(shares[index])) for index in found], "image": _pixels(coloured), **info}


def _opened(path: str) -> Image.Image:
    image = Image.open(path).convert("RGB")
    image.thumbnail((SHOWN_PIXELS, SHOWN_PIXELS))
    return image


@cache
def _interpreter(model: str, webnn: bool) -> Interpreter:
    delegates = [load_delegate("webnn")] if webnn else None
    interpreter = Interpreter(model_path=model, experimental_delegates=delegates)
    interpreter.allocate_tensors()
    return interpreter


async def _run(image: Image.Image, model: str, webnn: bool) -> tuple[Array, dict[str, Any]]:
    """Return the model's first output as real numbers, and how it was computed."""
    interpreter = _interpreter(model, webnn)
    pixels, scores = interpreter.get_input_details()[0], interpreter.get_output_details()[0]
    _, height, width, _ = pixels["shape"].tolist()
    values = np.asarray(image.resize((width, height)))[np.newaxis]
    if pixels["dtype"] == np.float32:
        values = (values.astype(np.float32) - 127.5) / 127.5
    interpreter.set_tensor(pixels["index"], values)
    await interpreter.prepare_async()
    start = time.perf_counter()
    await interpreter.invoke_async()
    milliseconds = (time.perf_counter() - start) * 1000
    output = interpreter.get_tensor(scores["index"])
    scale, zero_point = scores["quantization"]
    report = interpreter.report()
    info = {
        "milliseconds": milliseconds,
        "delegated": report["totals"]["delegatedNodes"],
        "nodes": report["totals"]["nodes"],
        "reason": report["webnn"]["reason"] if webnn else None,
    }
    return scale * (output.astype(np.float32) - zero_point) if scale else output, info


def _labels(model: str) -> list[str]:
    with zipfile.ZipFile(model) as archive:
        return archive.read(archive.namelist()[0]).decode().splitlines()


def _coloured(image: Image.Image, classes: Image.Image) -> Image.Image:
    indices = np.asarray(classes.resize(image.size, Image.Resampling.NEAREST))
    colours = np.array(COLOURS, np.float32)[(indices.astype(int) - 1) % len(COLOURS)]
    weights = np.where(indices == 0, 0, OPACITY)[..., np.newaxis]
    return Image.fromarray(((1 - weights) * np.asarray(image) + weights * colours).astype(np.uint8))


def _pixels(image: Image.Image) -> dict[str, Any]:
    return {"width": image.width, "height": image.height, "rgba": image.convert("RGBA").tobytes()}
