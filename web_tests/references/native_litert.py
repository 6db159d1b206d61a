"""Outputs of native LiteRT (the PyPI package ai-edge-litert), the reference of every comparison."""

import hashlib
import io
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from importlib.metadata import version
from multiprocessing import get_context
from pathlib import Path
from typing import Any, Literal

import numpy as np
from ai_edge_litert.interpreter import Interpreter, OpResolverType

from support import cache
from support.errors import BuildError
from support.paths import cache_dir
from web_tests.models.recipes import Array

PACKAGE = "ai-edge-litert"
# Native LiteRT's kernels: with XNNPACK; TFLite's optimized ones; its reference ones, the only ones that round alike on
# all processors (AVX2's ADD, SUB and LEAKY_RELU of int16 cut off where others round).
Kernels = Literal["default", "builtin", "reference"]
_RESOLVERS: dict[Kernels, OpResolverType] = {
    "default": OpResolverType.AUTO,
    "builtin": OpResolverType.BUILTIN_WITHOUT_DEFAULT_DELEGATES,
    "reference": OpResolverType.BUILTIN_REF,
}


class ReferenceError(BuildError):
    """Native LiteRT cannot load or run a model: there is no reference."""


@dataclass(frozen=True)
class TensorDetail:
    """Native LiteRT's description of an input or output tensor; `scale` is 0 unless quantized per tensor."""

    name: str
    shape: tuple[int, ...]
    dtype: type[Any]
    scale: float
    zero_point: int


def input_details(content: bytes) -> list[TensorDetail]:
    """Return a model's inputs, in order."""
    return [_detail(row) for row in _interpreter(content, "default").get_input_details()]


def output_details(content: bytes) -> list[TensorDetail]:
    """Return a model's outputs, in order."""
    return [_detail(row) for row in _interpreter(content, "default").get_output_details()]


def outputs_of(content: bytes, inputs: Sequence[Array], *, kernels: Kernels = "default", runs: int = 1) -> list[Array]:
    """Return native LiteRT's outputs, in order, from the user's cache if possible.

    TFLite's `builtin` kernels share no code with the browser's engine or with this project's. State persists over
    several `runs`; the outputs are those of the last.

    Raises:
        ReferenceError: native LiteRT rejects the model or the inputs.
    """
    name = _key(content, inputs, kernels) + (f"_{runs}" if runs > 1 else "")

    def create(path: Path) -> None:
        arrays = run_native(content, inputs, kernels=kernels, runs=runs)
        buffer = io.BytesIO()
        np.savez(buffer, *arrays)
        path.write_bytes(buffer.getvalue())

    path = cache_dir() / "references" / f"{name}.npz"
    if not path.exists():
        with cache.locked(f"references/{name}.npz", title="native reference"):
            temporary = path.with_suffix(".partial")
            create(temporary)
            temporary.replace(path)
    with np.load(path) as stored:
        return [stored[f"arr_{index}"] for index in range(len(stored.files))]


def run_native(
    content: bytes, inputs: Sequence[Array], *, kernels: Kernels = "default", runs: int = 1, resize: bool = False
) -> list[Array]:
    shapes = [array.shape for array in inputs] if resize else []
    return outputs_of_runs(content, [inputs] * runs, kernels=kernels, shapes=shapes)[-1]


def outputs_of_runs(
    content: bytes,
    runs: Sequence[Sequence[Array]],
    *,
    kernels: Kernels = "default",
    shapes: Sequence[tuple[int, ...]] = (),
) -> list[list[Array]]:
    """Return the outputs of each of several runs of one interpreter: state persists from one to the next.

    `shapes` are those of the inputs, if they differ from the file's.

    Raises:
        ReferenceError: native LiteRT rejects the model or the inputs.
    """
    interpreter = _interpreter(content, kernels, shapes)
    results = []
    try:
        for inputs in runs:
            for detail, array in zip(interpreter.get_input_details(), inputs, strict=True):
                interpreter.set_tensor(detail["index"], array)
            interpreter.invoke()
            results.append([interpreter.get_tensor(row["index"]).copy() for row in interpreter.get_output_details()])
    except (ValueError, RuntimeError) as error:
        raise ReferenceError(f"native LiteRT cannot run the model: {error}") from error
    return results


def separate_outputs(content: bytes, inputs: Sequence[Array]) -> list[Array]:
    """Do as `outputs_of` in a separate process: some damaged models make native LiteRT crash.

    Raises:
        ReferenceError: native LiteRT rejects the model or the inputs, or crashes.
    """
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        try:
            return pool.submit(outputs_of, content, inputs).result()
        except BrokenProcessPool as error:
            raise ReferenceError("native LiteRT crashes on this model") from error


def _interpreter(content: bytes, kernels: Kernels, shapes: Sequence[tuple[int, ...]] = ()) -> Any:
    try:
        interpreter = Interpreter(
            model_content=content, num_threads=1, experimental_op_resolver_type=_RESOLVERS[kernels]
        )
        for detail, shape in zip(interpreter.get_input_details(), shapes, strict=False):
            interpreter.resize_tensor_input(detail["index"], shape)
        interpreter.allocate_tensors()
    except (ValueError, RuntimeError) as error:
        raise ReferenceError(f"native LiteRT cannot load the model: {error}") from error
    return interpreter


def _detail(row: dict[str, Any]) -> TensorDetail:
    scale, zero_point = row["quantization"]
    shape = tuple(int(size) for size in row["shape"])
    return TensorDetail(row["name"], shape, row["dtype"], float(scale), int(zero_point))


def _key(content: bytes, inputs: Sequence[Array], kernels: Kernels) -> str:
    digest = hashlib.sha256(f"{version(PACKAGE)} {kernels}".encode())
    digest.update(content)
    for array in inputs:
        digest.update(f"{array.dtype} {array.shape}".encode())
        digest.update(np.ascontiguousarray(array).tobytes())
    return digest.hexdigest()[:24]
