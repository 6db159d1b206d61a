"""The probes of gather and scatter operators: the ranks of input and indices vary separately."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

import numpy as np

from tools.probe.probes import Operand, Rows, both_kinds, probe, shape_of, values_of
from web_tests.models.recipes import Array
from web_tests.polyfill_cases.case import Case, Input

MAX_RANK = 8


@dataclass(frozen=True)
class _Types:
    """Data types of input and indices. The first pair is varied in full, the others only in rank."""

    input: str
    indices: str
    in_full: bool

    def of(self, indices: Array) -> Iterator[tuple[str, Operand]]:
        """Yield the indices as an operand: as a constant, and provided at run time."""
        operands = both_kinds(indices.astype(self.indices))
        return operands if self.in_full else islice(operands, 1, 2)

    def __str__(self) -> str:
        return f"{self.input} by {self.indices}"


def _types(rows: Rows) -> Iterator[_Types]:
    """Yield each type of the input with the first of the indices, and vice versa."""
    first, *others = rows["input"].dtypes
    first_index, *other_indices = rows["indices"].dtypes
    yield _Types(first, first_index, in_full=True)
    yield from (_Types(dtype, first_index, in_full=False) for dtype in others)
    yield from (_Types(first, index_type, in_full=False) for index_type in other_indices)


def _zeros_and_ones(shape: tuple[int, ...]) -> Array:
    return (np.arange(int(np.prod(shape))) % 2).reshape(shape)


def _gather(op: str, rows: Rows) -> Iterator[Case]:
    for types in _types(rows):
        for rank in rows["input"].ranks:
            x = Input(values_of(shape_of(rank), types.input))
            for index_rank in rows["indices"].ranks:
                if rank - 1 + index_rank > MAX_RANK:
                    continue
                for name, indices in types.of(_zeros_and_ones(shape_of(index_rank))):
                    about = f"{types} rank {rank}, indices rank {index_rank} ({name})"
                    yield probe(op, about, x, indices, axis=rank - 1)


def _gather_nd(op: str, rows: Rows) -> Iterator[Case]:
    for types in _types(rows):
        for rank in rows["input"].ranks:
            x = Input(values_of((2,) * rank, types.input))
            for index_rank in rows["indices"].ranks:
                for depth in sorted({1, rank} if types.in_full else {1}):
                    if index_rank - 1 + rank - depth > MAX_RANK:
                        continue
                    # The same number of tuples at each rank, but one at rank 1.
                    shape = (*shape_of(index_rank - 1), depth)
                    for name, indices in types.of(_zeros_and_ones(shape)):
                        about = f"{types} rank {rank}, indices rank {index_rank} of {depth} ({name})"
                        yield probe(op, about, x, indices)


def _gather_elements(op: str, rows: Rows) -> Iterator[Case]:
    for types in _types(rows):
        for rank in rows["input"].ranks:
            x = Input(values_of(shape_of(rank), types.input))
            for axis in sorted({0, rank - 1}):
                shape = shape_of(rank)
                indices = _zeros_and_ones(shape) % shape[axis]
                for name, operand in types.of(indices):
                    yield probe(op, f"{types} rank {rank}, axis {axis} ({name})", x, operand, axis=axis)


def _scatter_elements(op: str, rows: Rows) -> Iterator[Case]:
    for types in _types(rows):
        for rank in rows["input"].ranks:
            shape = shape_of(rank)
            x = Input(values_of(shape, types.input))
            updates = Input(values_of(shape, types.input))
            for axis in sorted({0, rank - 1}):
                indices = np.indices(shape)[axis] if rank else np.zeros(shape)
                for name, operand in types.of(indices):
                    about = f"{types} rank {rank}, axis {axis} ({name})"
                    yield probe(op, about, x, operand, updates, axis=axis)


def _scatter_nd(op: str, rows: Rows) -> Iterator[Case]:
    for types in _types(rows):
        for rank in rows["input"].ranks:
            shape = (2,) * rank
            x = Input(values_of(shape, types.input))
            for index_rank in rows["indices"].ranks:
                for depth in sorted({1, rank} if types.in_full else {1}):
                    if index_rank - 1 + rank - depth not in rows["updates"].ranks:
                        continue
                    tuples = (1,) * (index_rank - 1)
                    updates = Input(values_of((*tuples, *shape[depth:]), types.input))
                    for name, indices in types.of(np.ones((*tuples, depth))):
                        about = f"{types} rank {rank}, indices rank {index_rank} of {depth} ({name})"
                        yield probe(op, about, x, indices, updates)


MAKERS = {
    "gather": _gather,
    "gatherElements": _gather_elements,
    "gatherND": _gather_nd,
    "scatterElements": _scatter_elements,
    "scatterND": _scatter_nd,
}
