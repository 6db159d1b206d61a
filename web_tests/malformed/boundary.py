"""A model of one node at the limit of a check of the runner."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from web_tests.models.model_writer import ModelWriter, Quantization
from web_tests.models.op_options import Options
from web_tests.models.recipes import SEED, Array

IMAGE = (1, 4, 4, 2)
VECTOR = (4,)
INFINITE = """the kernel converts an infinite quotient of scales to int64: undefined in C++; 0 on x86, where native \
LiteRT then outputs zero points; a crash on ARM and in WebAssembly"""


@dataclass(frozen=True)
class Tensor:
    """An input or output of the node; `values` make it a constant, "random" a seeded one."""

    shape: tuple[int, ...] = VECTOR
    dtype: str = "int8"
    scales: float | tuple[float, ...] | None = None
    zero_points: tuple[int, ...] = (0,)
    axis: int = 0
    values: Any = None

    @property
    def quantization(self) -> Quantization | None:
        """Its quantization, if it has a scale."""
        if self.scales is None:
            return None
        scales = self.scales if isinstance(self.scales, tuple) else (self.scales,)
        return Quantization(scales, self.zero_points, self.axis)

    def content(self, seed: int) -> Array:
        """Return the constant's values, or the input's."""
        if self.values is not None and not isinstance(self.values, str):
            return np.asarray(self.values, self.dtype).reshape(self.shape)
        random = np.random.default_rng(SEED + seed)
        if self.dtype == "float32":
            return random.uniform(-2, 2, self.shape).astype(np.float32)
        lowest, highest = (-99, 99) if self.dtype == "int32" else _range(self.dtype)
        return random.integers(lowest, highest + 1, self.shape).astype(self.dtype)


@dataclass(frozen=True)
class Boundary:
    """A model of one node.

    Attributes:
        name: unique.
        op: the builtin's name.
        inputs: of the node; those without `values` are model inputs.
        outputs: of node and model.
        rejected: whether the module must reject it, because native LiteRT rejects it or crashes.
        options: those that differ from the schema's defaults.
        undefined: why the module rejects a model that native LiteRT runs, or, if it does not, why its numbers are any.
    """

    name: str
    op: str
    inputs: tuple[Tensor, ...]
    outputs: tuple[Tensor, ...]
    rejected: bool
    options: Options = field(default_factory=dict)
    undefined: str = field(default="", compare=False)

    def model(self) -> bytes:
        writer = ModelWriter()
        tensors = []
        for index, tensor in enumerate(self.inputs):
            if tensor.values is None:
                tensors.append(writer.tensor(f"x{index}", tensor.shape, tensor.dtype, tensor.quantization))
            else:
                tensors.append(writer.constant(f"c{index}", tensor.content(index), tensor.quantization))
        outputs = [writer.tensor(f"y{i}", y.shape, y.dtype, y.quantization) for i, y in enumerate(self.outputs)]
        writer.node(self.op, tensors, outputs, self.options)
        provided = [tensor for tensor, row in zip(tensors, self.inputs, strict=True) if row.values is None]
        return writer.finish(provided, outputs)

    def model_inputs(self) -> list[Array]:
        return [tensor.content(index) for index, tensor in enumerate(self.inputs) if tensor.values is None]


def _range(dtype: str) -> tuple[int, int]:
    limits = np.iinfo(dtype)
    return int(limits.min), int(limits.max)
