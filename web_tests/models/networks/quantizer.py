"""Quantized forms of float networks, made by the PyPI package litert-quantizer."""

import io
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from typing import Any

from litert_quantizer import qtyping, recipe
from litert_quantizer import quantizer as litert

from web_tests.models.networks.network_writer import SIGNATURE
from web_tests.models.recipes import Array

# The types that each form stores, and computes with.
RECIPES: dict[str, Callable[[], Any]] = {
    "int8": recipe.static_wi8_ai8,  # int8 weights per channel, int8 activations
    "16x8": recipe.static_wi8_ai16,  # int8 weights per channel, int16 activations, int64 biases
    "dynamic": recipe.dynamic_wi8_afp32,  # int8 weights, float activations that the kernel quantizes while it runs
    "weight_only_int8": recipe.weight_only_wi8_afp32,  # int8 weights behind DEQUANTIZE nodes
    "weight_only_int4": recipe.weight_only_wi4_afp32,
}


def quantized(content: bytes, form: str, images: Array, *, uint8_boundaries: bool = False) -> bytes:
    """Return a float model's quantized form.

    Args:
        content: the float model, with one input named "input".
        form: a key of RECIPES.
        images: [count, height, width, channels], for the ranges of the activations.
        uint8_boundaries: make input and output uint8, with QUANTIZE nodes behind and before them.
    """
    quantizer = litert.Quantizer(bytearray(content), RECIPES[form]())
    if uint8_boundaries:
        for boundary in (qtyping.TFLOperationName.INPUT, qtyping.TFLOperationName.OUTPUT):
            quantizer.update_quantization_recipe(".*", boundary, _UINT8_BOUNDARY)
    with _quiet():
        ranges = quantizer.calibrate(_samples(images)) if quantizer.need_calibration else None
        return bytes(quantizer.quantize(ranges).quantized_model)


_UINT8_BOUNDARY = qtyping.OpQuantizationConfig(
    activation_tensor_config=qtyping.TensorQuantizationConfig(
        num_bits=8,
        symmetric=False,
        granularity=qtyping.QuantGranularity.TENSORWISE,
        dtype=qtyping.TensorDataType.UINT,
    ),
    compute_precision=qtyping.ComputePrecision.INTEGER,
)


def _samples(images: Array) -> dict[str, Sequence[dict[str, Array]]]:
    return {SIGNATURE: [{"input": image[None]} for image in images]}


@contextmanager
def _quiet() -> Iterator[None]:
    """Silence the quantizer's progress and statistics, and its interpreter's warning."""
    with warnings.catch_warnings(), redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()):
        warnings.filterwarnings("ignore", "Warning: Enabling `experimental_preserve_all_tensors`")
        yield
