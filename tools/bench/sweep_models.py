"""The models of `build.py bench --sweep`: in each series one quantity grows, all others are constant."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from web_tests.models.handmade import tiny_network
from web_tests.models.model_writer import ModelWriter, options_object

# The ops of the generated chains: on WebNN, and on the CPU between two partitions.
DELEGATED_OP, CPU_OP = "ADD", "NEG"

FLOAT_BYTES = 4
DEPTH_LENGTH, PARTITIONS_LENGTH = 16 * 1024, 1024
BORDER_PARTITIONS = 4


@dataclass(frozen=True)
class Series:
    """Models that differ in one number.

    Attributes:
        name, unit: of the growing quantity.
        mode: direct models are compared with the same graph written by hand in WebNN; stepped ones, whose partitions
            on WebNN have nodes on the CPU between them, with the same model wholly on the CPU.
        xs: the values of the quantity.
        model: generates the model of a value.
    """

    name: str
    unit: str
    mode: Literal["direct", "stepped"]
    xs: Sequence[int]
    model: Callable[[int], bytes]


def chain(ops: Sequence[str], length: int) -> bytes:
    """Return a chain of elementwise nodes over a vector of floats; ADD adds 1."""
    writer = ModelWriter()
    one = writer.constant("one", np.array(1, dtype=np.float32))
    values = first = writer.tensor("x", (1, length))
    for number, op in enumerate(ops):
        result = writer.tensor(f"y{number}", (1, length))
        if op == DELEGATED_OP:
            writer.node(op, [values, one], [result], options_object("AddOptions", {}))
        else:
            writer.node(op, [values], [result], options_object("NegOptions", {}))
        values = result
    return writer.finish([first], [values])


def partitioned(partitions: int, length: int) -> bytes:
    """Return a chain of partitions on WebNN, which denies CPU_OP, and as many steps on the CPU."""
    return chain([DELEGATED_OP, CPU_OP] * partitions, length)


def all_series() -> list[Series]:
    kilo = 1024
    lengths = [kilo, *(128 * kilo * step for step in range(1, 9))]
    border_lengths = [kilo, *(32 * kilo * step for step in range(1, 9))]
    # Bytes that cross: input and output of a direct model; of a stepped one, those of each partition.
    per_float = {"direct": 2 * FLOAT_BYTES, "stepped": 2 * FLOAT_BYTES * BORDER_PARTITIONS}

    return [
        Series(
            "input size",
            "border bytes",
            "direct",
            [length * per_float["direct"] for length in lengths],
            lambda size: chain([DELEGATED_OP], size // per_float["direct"]),
        ),
        Series(
            "depth",
            "nodes",
            "direct",
            [1, 32, 64, 96, 128, 192, 256],
            lambda nodes: chain([DELEGATED_OP] * nodes, DEPTH_LENGTH),
        ),
        Series("batch", "pictures", "direct", [1, 8, 16, 24, 32, 48, 64], tiny_network),
        Series(
            "partitions",
            "partitions",
            "stepped",
            [1, 2, 4, 6, 8, 12, 16],
            lambda partitions: partitioned(partitions, PARTITIONS_LENGTH),
        ),
        Series(
            f"border of {BORDER_PARTITIONS} partitions",
            "border bytes",
            "stepped",
            [length * per_float["stepped"] for length in border_lengths],
            lambda size: partitioned(BORDER_PARTITIONS, size // per_float["stepped"]),
        ),
    ]
