"""Input tensors for a model: the right shape and dtype, and meaningful content."""

import zlib
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from support.errors import BuildError
from web_tests.models.catalogue import Model
from web_tests.models.recipes import SEED, Array, InputRecipe, WavesInput
from web_tests.references.native_litert import TensorDetail, input_details


class UnknownInputError(BuildError):
    """A model has an input of a type without generated values."""


def inputs_for(model: Model) -> list[Array]:
    """Return one array per input of a real model, in the model's order."""
    return [_tensor(detail, model.input) for detail in input_details(model.content())]


def inputs_of_file(content: bytes) -> list[Array]:
    """Return inputs as `seeded_inputs` does, by native LiteRT's descriptions."""
    return [_tensor(detail, WavesInput(0, 1)) for detail in input_details(content)]


def seeded_inputs(infos: Sequence[Mapping[str, Any]]) -> list[Array]:
    """Return inputs for an unknown model: smooth values in [0, 1], small integers, both booleans.

    Args:
        infos: the package's descriptions (TensorInfo) of the model's inputs.

    Raises:
        UnknownInputError: an element type has no generated values, for example strings.
    """
    return [_tensor(_detail(info), WavesInput(0, 1)) for info in infos]


def _detail(info: Mapping[str, Any]) -> TensorDetail:
    try:
        dtype = np.dtype(info["dtype"]).type
    except TypeError as error:
        raise UnknownInputError(f"cannot generate values for input {info['name']} of type {info['dtype']}") from error
    quantization = info["quantization"] or {"scales": [0.0], "zeroPoints": [0]}
    return TensorDetail(
        info["name"], tuple(info["shape"]), dtype, quantization["scales"][0], quantization["zeroPoints"][0]
    )


def _tensor(detail: TensorDetail, recipe: InputRecipe) -> Array:
    dtype = np.dtype(detail.dtype)
    if np.issubdtype(dtype, np.floating):
        return np.ascontiguousarray(recipe.make(detail.shape), dtype=dtype)
    if detail.scale > 0:
        return _quantized(recipe.make(detail.shape), detail)
    random = np.random.default_rng(SEED + zlib.crc32(detail.name.encode()))
    high: Any = 2 if dtype == np.bool_ else 10
    return random.integers(0, high, detail.shape).astype(dtype)


def _quantized(values: Array, detail: TensorDetail) -> Array:
    limits = np.iinfo(detail.dtype)
    steps = np.round(values / detail.scale) + detail.zero_point
    return np.clip(steps, limits.min, limits.max).astype(detail.dtype)
