"""What makes probes: calls of an operator at a rank and data type of opSupportLimits()."""

import base64
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from web_tests.models.recipes import Array
from web_tests.polyfill_cases import CASES
from web_tests.polyfill_cases.case import Case, Constant, Input

Operand = Input | Constant

# Elements of an operand of rank 1 and above: as many axes of 2 as fit, preceded by axes of 1.
ELEMENTS = 8
# numpy has no int4; it is promised for operators that only move bytes and for dequantizeLinear.
DTYPES_NOT_PROBED = ("int4",)


@dataclass(frozen=True)
class Row:
    """Data types and ranks that an operator accepts for one operand."""

    dtypes: tuple[str, ...]
    ranks: tuple[int, ...]

    @classmethod
    def of(cls, limits: Mapping[str, Any]) -> Self:
        """Read `{"dataTypes": [...], "rankRange": {min, max}}`."""
        ranks = limits["rankRange"]
        dtypes = tuple(dtype for dtype in limits["dataTypes"] if dtype not in DTYPES_NOT_PROBED)
        return cls(dtypes, tuple(range(ranks["min"], ranks["max"] + 1)))


Rows = Mapping[str, Row]


def rows_of(limits: Mapping[str, Any]) -> dict[str, dict[str, Row]]:
    """Return the limits of each operator's operands."""
    return {
        op: {name: Row.of(row) for name, row in operands.items() if isinstance(row, Mapping) and "dataTypes" in row}
        for op, operands in limits.items()
        if isinstance(operands, Mapping) and any(isinstance(row, Mapping) and row for row in operands.values())
        if op not in ("input", "constant", "output")
    }


def numpy_cases() -> list[Case]:
    """Return the polyfill's cases, which have expected results."""
    return [case for case in CASES if not _has_scale_of_other_rank(case)]


def _has_scale_of_other_rank(case: Case) -> bool:
    """Return whether a case needs what the specification allows and opSupportLimits() cannot express."""
    if not case.op.endswith("izeLinear"):
        return False
    x, scale, *_ = case.arguments
    return bool(x.values.ndim != scale.values.ndim)


def graph_of(case: Case) -> dict[str, Any]:
    """Return the graph's description, including the bytes of its inputs."""
    graph = case.graph()
    inputs = case.inputs()
    for tensor in graph["inputs"]:
        tensor["data"] = base64.b64encode(np.ascontiguousarray(inputs[tensor["name"]]).tobytes()).decode()
    return graph


def shape_of(rank: int) -> tuple[int, ...]:
    """Return a shape of ELEMENTS elements; of one for rank 0."""
    axes = {0: (), 1: (ELEMENTS,), 2: (2, 4)}.get(rank, (2, 2, 2))
    return (1,) * (rank - len(axes)) + axes


def values_of(shape: tuple[int, ...], dtype: str) -> Array:
    """Return 1, 2, 3, 1, ... in the type: no operator's results overflow int8."""
    return (np.arange(int(np.prod(shape))) % 3 + 1).reshape(shape).astype(dtype)


def both_kinds(values: Array) -> Iterator[tuple[str, Operand]]:
    """Yield the operand as provided at run time and as a constant, by name."""
    yield "input", Input(values)
    yield "constant", Constant(values)


def probe(op: str, about: str, *arguments: Any, **options: Any) -> Case:
    """Return a case without results; `about` describes the ranks and types."""
    return Case(f"{op} {about}", op, arguments, (), options)
