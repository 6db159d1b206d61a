"""What is tried: calls of every operator at each rank and data type of opSupportLimits().

Probes of one group compute the same numbers at different ranks, so a rank that gives others is found without a
reference. The numpy cases of the polyfill bring references of their own.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from web_tests.polyfill_cases import CASES
from web_tests.polyfill_cases.case import Case, Constant, Input
from web_tests.recipes import Array

Operand = Input | Constant

# Elements of an operand of rank 1 and above: axes of 2, as far as they go, behind axes of 1.
ELEMENTS = 8
# numpy has no int4; it is promised for operators that only move bytes and for dequantizeLinear.
DTYPES_NOT_PROBED = ("int4",)


@dataclass(frozen=True)
class Probe:
    """One graph of one operator.

    Attributes:
        case: the call; `expected` is empty where nothing is known of the results.
        group: probes with the same text must give the same numbers; empty for none.
    """

    case: Case
    group: str = ""

    @property
    def name(self) -> str:
        """The unique name, which starts with the operator's."""
        return self.case.name


@dataclass(frozen=True)
class Row:
    """What an operator takes for one operand."""

    dtypes: tuple[str, ...]
    ranks: tuple[int, ...]

    @classmethod
    def of(cls, limits: Mapping[str, Any]) -> Row:
        """Read `{"dataTypes": [...], "rankRange": {min, max}}`."""
        ranks = limits["rankRange"]
        dtypes = tuple(dtype for dtype in limits["dataTypes"] if dtype not in DTYPES_NOT_PROBED)
        return cls(dtypes, tuple(range(ranks["min"], ranks["max"] + 1)))


Rows = Mapping[str, Row]


def rows_of(limits: Mapping[str, Any]) -> dict[str, dict[str, Row]]:
    """Return what opSupportLimits() promises of each operator's operands."""
    return {
        op: {name: Row.of(row) for name, row in operands.items() if isinstance(row, Mapping) and "dataTypes" in row}
        for op, operands in limits.items()
        if isinstance(operands, Mapping) and any(isinstance(row, Mapping) and row for row in operands.values())
        if op not in ("input", "constant", "output")
    }


def numpy_probes(rows: Mapping[str, Rows]) -> list[Probe]:
    """Return those of the polyfill's cases, whose results are known, that use nothing but promised types."""
    return [Probe(case) for case in CASES if _dtypes_of(case) <= _promised(rows.get(case.op, {}))]


def _dtypes_of(case: Case) -> set[str]:
    graph = case.graph()
    return {port["dataType"] for ports in ("inputs", "constants", "outputs") for port in graph[ports]}


def _promised(rows: Rows) -> set[str]:
    return {dtype for row in rows.values() for dtype in row.dtypes}


def shape_of(rank: int) -> tuple[int, ...]:
    """Return a shape of ELEMENTS elements: of one for rank 0."""
    axes = {0: (), 1: (ELEMENTS,), 2: (2, 4)}.get(rank, (2, 2, 2))
    return (1,) * (rank - len(axes)) + axes


def values_of(shape: tuple[int, ...], dtype: str) -> Array:
    """Return 1, 2, 3, 1, ... in the type: no operator's results overflow int8."""
    return (np.arange(int(np.prod(shape))) % 3 + 1).reshape(shape).astype(dtype)


def both_kinds(values: Array) -> Iterator[tuple[str, Operand]]:
    """Yield the operand as given at run time and as a constant, by name."""
    yield "input", Input(values)
    yield "constant", Constant(values)


def probe(op: str, about: str, *arguments: Any, group: str = "", **options: Any) -> Probe:
    """Return a probe; `about` tells the ranks and types."""
    return Probe(Case(f"{op} {about}", op, arguments, (), options), f"{op} {group}" if group else "")
