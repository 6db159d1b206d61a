"""Probes: calls of every operator at each rank and data type of opSupportLimits().

Probes of one group compute the same numbers at different ranks, so a deviating rank is found without a
reference. The numpy cases of the polyfill have their own references.
"""

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
class Probe:
    """One graph of one operator.

    Attributes:
        case: the call; `expected` is empty if the results are unknown.
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
    """Data types and ranks that an operator takes for one operand."""

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


def numpy_probes() -> list[Probe]:
    """Return the polyfill's cases, which have expected results."""
    return [Probe(case) for case in CASES if not _has_scale_of_other_rank(case)]


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
    for port in graph["inputs"]:
        port["data"] = base64.b64encode(np.ascontiguousarray(inputs[port["name"]]).tobytes()).decode()
    return graph


def is_promised(case: Case, rows: Rows) -> bool:
    """Return whether the operator's rows cover the types of all operands and the greatest rank."""
    graph = case.graph()
    ports = [port for kind in ("inputs", "constants", "outputs") for port in graph[kind]]
    dtypes = {dtype for row in rows.values() for dtype in row.dtypes}
    max_rank = max(max(row.ranks) for row in rows.values())
    first = next((row for name, row in rows.items() if name in ("input", "a", "trueValue")), None)
    given = next((operand for operand in case.arguments if isinstance(operand, Input)), None)
    if first is not None and given is not None and case.op != "where":
        dtypes_fit = given.values.dtype.name in first.dtypes and given.values.ndim in first.ranks
        if not dtypes_fit:
            return False
    return all(port["dataType"] in dtypes and len(port["shape"]) <= max_rank for port in ports)


def shape_of(rank: int) -> tuple[int, ...]:
    """Return a shape of ELEMENTS elements; of one for rank 0."""
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
    """Return a probe; `about` describes the ranks and types."""
    return Probe(Case(f"{op} {about}", op, arguments, (), options), f"{op} {group}" if group else "")
