"""A model's signatures, each with seeded inputs and native LiteRT's outputs."""

from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from multiprocessing import get_context
from typing import Any

import numpy as np
from ai_edge_litert.interpreter import Interpreter

from web_tests.models.recipes import SEED, Array
from web_tests.references.native_litert import ReferenceError

# Small: token ids, positions and masks of any model are valid.
INTEGERS = 2


@dataclass(frozen=True)
class SignatureRun:
    """Inputs and outputs of a signature.

    Attributes:
        key: the signature's; empty for a model without signatures, whose tensors keep their own names and order.
        input_names, output_names: of the signature.
        inputs: seeded values, in the shapes that the file has.
        outputs: native LiteRT's.
    """

    key: str
    input_names: Sequence[str]
    inputs: Sequence[Array]
    output_names: Sequence[str]
    outputs: Sequence[Array]


def runs(content: bytes) -> list[SignatureRun]:
    """Run every signature of a model once with native LiteRT.

    Raises:
        ReferenceError: native LiteRT rejects the model or cannot run it.
    """
    try:
        return list(_runs(Interpreter(model_content=content, num_threads=1)))
    except (ValueError, RuntimeError) as error:
        raise ReferenceError(f"native LiteRT cannot run the model: {error}") from error


def separate_runs(content: bytes) -> list[SignatureRun]:
    """Do as `runs` in a separate process: some models make native LiteRT crash.

    Raises:
        ReferenceError: native LiteRT rejects the model, cannot run it, or crashes.
    """
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        try:
            return pool.submit(runs, content).result()
        except BrokenProcessPool as error:
            raise ReferenceError("native LiteRT crashes on this model") from error


def _runs(native: Any) -> Iterator[SignatureRun]:
    for key in native.get_signature_list():
        runner = native.get_signature_runner(key)
        inputs = {name: _values(name, detail) for name, detail in runner.get_input_details().items()}
        outputs = runner(**inputs)
        yield SignatureRun(key, [*inputs], [*inputs.values()], [*outputs], [*outputs.values()])
    if native.get_signature_list():
        return
    native.allocate_tensors()
    details, output_details = native.get_input_details(), native.get_output_details()
    values = [_values(detail["name"], detail) for detail in details]
    for detail, value in zip(details, values, strict=True):
        native.set_tensor(detail["index"], value)
    native.invoke()
    outputs = [native.get_tensor(detail["index"]) for detail in output_details]
    names, output_names = ([detail["name"] for detail in rows] for rows in (details, output_details))
    yield SignatureRun("", names, values, output_names, outputs)


def _values(name: str, detail: Mapping[str, Any]) -> Array:
    """Return seeded values: normal ones, all steps of a quantized type, small integers, both booleans."""
    random = np.random.default_rng(SEED + len(name))
    shape, dtype = tuple(detail["shape"]), np.dtype(detail["dtype"])
    if np.issubdtype(dtype, np.floating):
        return random.normal(size=shape).astype(dtype)
    if detail["quantization"][0] > 0:
        limits = np.iinfo(dtype)
        return random.integers(limits.min, limits.max + 1, shape).astype(dtype)
    return random.integers(0, INTEGERS, shape).astype(dtype)
