"""Input tensors for a model: the right shape and dtype, with content that means something to it."""

from __future__ import annotations

import zlib
from typing import Any

import numpy as np

from web_tests.models import SEED, Array, InputRecipe, Model, WavesInput
from web_tests.reference import TensorDetail, input_details


def inputs_for(model: Model) -> list[Array]:
    """Return one array per input of a real model, in the order of the model's inputs."""
    return [_tensor(detail, model.input) for detail in input_details(model.content())]


def seeded_inputs(content: bytes) -> list[Array]:
    """Return inputs for a model that nothing is known about: smooth values in [0, 1], small integers, False and True."""
    return [_tensor(detail, WavesInput(0, 1)) for detail in input_details(content)]


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
