"""A model of one node."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from web_tests.models.model_writer import ModelWriter
from web_tests.models.op_options import DEFAULTS, Options

# (shape, dtype, quantization) of a tensor, or (array, quantization) of a constant; the quantization may be left out.
Described = tuple[Any, ...]


def one_node(
    op: str, inputs: Sequence[Described], output: Described, options: Options = DEFAULTS, *, version: int = 1
) -> bytes:
    """Return the file; its inputs are those of the node that are no constants, `x0`, `x1` and so on, its output `y`."""
    writer = ModelWriter()
    tensors, provided = [], []
    for index, described in enumerate(inputs):
        if isinstance(described[0], np.ndarray):
            tensors.append(writer.constant(f"c{index}", *described))
        else:
            tensors.append(writer.tensor(f"x{index}", *described))
            provided.append(tensors[-1])
    y = writer.tensor("y", *output)
    writer.node(op, tensors, [y], options, version=version)
    return writer.finish(provided, [y])
