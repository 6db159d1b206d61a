"""Attention whose heads share a cache, as litert-torch writes it: the cache is repeated for each of them."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from web_tests.models.model_writer import ModelWriter

GROUPS, HEADS_PER_GROUP, DEPTH, LENGTH = 2, 3, 8, 20
HEADS = GROUPS * HEADS_PER_GROUP


@dataclass(frozen=True)
class SharedHeads:
    """f32[6,rows,8] x f32[20,2,8] -> f32[6,rows,20].

    Attributes:
        rows: of each head.
        transposed: the second factor is [6,20,8], and BATCH_MATMUL transposes it.
        is_tiled: the groups are repeated in order, 0 1 0 1 0 1, instead of 0 0 0 1 1 1.
        returns_repeated: what was repeated is an output, too.
        has_open_rows: the number of rows is open.
        scales_rows: the rows are scaled first, in a tensor that the file says the shape of.
    """

    rows: int = 1
    transposed: bool = False
    is_tiled: bool = False
    returns_repeated: bool = False
    has_open_rows: bool = False
    scales_rows: bool = False

    def write(self) -> bytes:
        """Return the file."""
        writer = ModelWriter()
        queries = writer.tensor("queries", (HEADS, self.rows, DEPTH))
        cache = writer.tensor("cache", (LENGTH, GROUPS, DEPTH))

        def add(op: str, x: int, name: str, shape: Sequence[int], argument: Sequence[int]) -> int:
            y = writer.tensor(name, shape)
            constant = writer.constant(f"{name}_argument", np.array(argument, np.int32))
            version = 2 if op == "BROADCAST_TO" else 1
            writer.node(op, [x, constant], [y], version=version)
            return y

        by_group = add("TRANSPOSE", cache, "by_group", (GROUPS, LENGTH, DEPTH), (1, 0, 2))
        narrow, wide = [GROUPS, LENGTH, DEPTH], [GROUPS, LENGTH, DEPTH]
        narrow.insert(0 if self.is_tiled else 1, 1)
        wide.insert(0 if self.is_tiled else 1, HEADS_PER_GROUP)
        single = add("RESHAPE", by_group, "single", narrow, narrow)
        repeated = add("BROADCAST_TO", single, "repeated", wide, wide)
        shape: tuple[int, ...] = (1, HEADS, LENGTH, DEPTH)
        joined = add("RESHAPE", repeated, "joined", shape, shape)
        scaled = writer.tensor("scaled", shape)
        scale = writer.constant("scale", np.array(DEPTH**-0.25, np.float32))
        writer.node("MUL", [joined, scale], [scaled])
        factor, shape = scaled, (HEADS, LENGTH, DEPTH)
        if not self.transposed:
            turned = (1, HEADS, DEPTH, LENGTH)
            factor = add("TRANSPOSE", scaled, "turned", turned, (0, 1, 3, 2))
            shape = (HEADS, DEPTH, LENGTH)
        factor = add("RESHAPE", factor, "factor", shape, shape)
        rows = queries
        if self.scales_rows:
            rows = writer.tensor("rows", (HEADS, self.rows, DEPTH))
            writer.node("MUL", [queries, scale], [rows])
        y = writer.tensor("y", (HEADS, self.rows, LENGTH))
        options = {"adjY": self.transposed}
        writer.node("BATCH_MATMUL", [rows, factor], [y], options)
        if self.has_open_rows:
            for tensor in (queries, y):
                writer.open_dimensions(tensor, [1])
        return writer.finish([queries, cache], [y, repeated] if self.returns_repeated else [y])
