"""A model of one node at the limit of a check of the runner."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from web_tests.models.model_writer import Quantization
from web_tests.models.op_options import Options
from web_tests.op_cases.case import Input, OpCase, Operand, Values, Weights

IMAGE = (1, 4, 4, 2)
VECTOR = (4,)
INFINITE = """the kernel converts an infinite quotient of scales to int64: undefined in C++; 0 on x86, where native \
LiteRT then outputs zero points; a crash on ARM and in WebAssembly"""


def tensor(
    shape: tuple[int, ...] = VECTOR,
    dtype: str = "int8",
    scales: float | tuple[float, ...] | None = None,
    zero_points: tuple[int, ...] = (0,),
    axis: int = 0,
    values: Any = None,
) -> Operand:
    """Return an input or output of the node; `values` make it a constant, "random" a seeded one."""
    quantization = None
    if scales is not None:
        quantization = Quantization(scales if isinstance(scales, tuple) else (scales,), zero_points, axis)
    if values is not None and not isinstance(values, str):
        return Values(np.asarray(values, dtype).reshape(shape), dtype, quantization)
    low, high = {"float32": (-2, 2), "int32": (-99, 100), "bool": (0, 2)}.get(dtype) or _range(dtype)
    if values is None:
        return Input(shape, low, high, dtype, quantization)
    return Weights(shape, low, high, dtype=dtype, quantization=quantization)


def _range(dtype: str) -> tuple[int, int]:
    limits = np.iinfo(dtype)
    return int(limits.min), int(limits.max) + 1


@dataclass(frozen=True)
class Boundary:
    """A model of one node.

    Attributes:
        name: unique.
        op: the builtin's name.
        inputs: of the node; those without values are model inputs.
        outputs: of node and model, of one shape and quantization.
        rejected: whether the module must reject it, because native LiteRT rejects it or crashes.
        options: those that differ from the schema's defaults.
        undefined: why the module rejects a model that native LiteRT runs, or, if it does not, why its numbers are any.
    """

    name: str
    op: str
    inputs: tuple[Operand, ...]
    outputs: tuple[Operand, ...]
    rejected: bool
    options: Options = field(default_factory=dict)
    undefined: str = field(default="", compare=False)

    @property
    def case(self) -> OpCase:
        """The node, with its declared output."""
        output = self.outputs[0]
        assert isinstance(output, Input)
        return OpCase(
            self.name,
            self.op,
            self.inputs,
            self.options,
            output_shape=output.shape,
            output_dtypes=(output.dtype,) * len(self.outputs),
            output_quantization=output.quantization,
        )
