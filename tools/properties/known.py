"""Differences from native LiteRT that have a name and a reason: known.toml, each matched narrowly."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from tools.properties.examiner import Failure
from tools.properties.spec import NodeSpec

TABLE_PATH = Path(__file__).with_name("known.toml")


@dataclass(frozen=True)
class Row:
    """A known difference.

    Attributes:
        name: of the row.
        ops: whose nodes.
        on: the executions' names, or what comes before their first hyphen.
        kinds: of the failure.
        when: a condition's name, or empty.
        reason: whose fault it is, and why it is not mended.
    """

    name: str
    ops: tuple[str, ...]
    on: tuple[str, ...]
    kinds: tuple[str, ...]
    when: str
    reason: str

    def is_on(self, execution: str) -> bool:
        """Tell whether the row is about an execution."""
        return execution in self.on or execution.split("-", maxsplit=1)[0] in self.on

    def matches(self, failure: Failure) -> bool:
        """Tell whether this is the difference."""
        spec = failure.spec
        is_this = spec.op in self.ops and failure.kind in self.kinds and self.is_on(failure.execution)
        return is_this and (not self.when or CONDITIONS[self.when](spec))


class Known:
    """The rows of a table."""

    def __init__(self, rows: Sequence[Row]) -> None:
        self.rows = rows

    def name_of(self, failure: Failure) -> str:
        """Return the name of the row that a failure matches; empty where there is none."""
        return next((row.name for row in self.rows if row.matches(failure)), "")

    def never_met(self, execution: str, ops: Sequence[str], met: Collection[str]) -> list[str]:
        """Return the names of rows about these ops on an execution that are not among those that were met."""
        return [row.name for row in self.rows if row.is_on(execution) and {*row.ops} & {*ops} and row.name not in met]


def load(path: Path = TABLE_PATH) -> Known:
    """Return the rows of a file.

    Raises:
        KeyError: a row lacks a key, or names a condition that is not known.
    """
    rows = []
    for name, row in tomllib.loads(path.read_text()).items():
        when = row.get("when", "")
        if when:
            _ = CONDITIONS[when]
        rows.append(Row(name, tuple(row["ops"]), tuple(row["on"]), tuple(row["kinds"]), when, row["reason"]))
    return Known(rows)


def _has_left_over_input(spec: NodeSpec) -> bool:
    """Tell whether padding SAME leaves input over: the last window ends before it."""
    data, filters = spec.operands[0], spec.operands[1]
    if spec.option("padding") != SAME or data is None or filters is None:
        return False
    for axis, side in ((1, "H"), (2, "W")):
        stride, dilation = spec.option(f"stride{side}", 1), spec.option(f"dilation{side}Factor", 1)
        reach = (filters.shape[axis] - 1) * dilation + 1
        if (-(-data.shape[axis] // stride) - 1) * stride + reach < data.shape[axis]:
            return True
    return False


def _has_no_axes(spec: NodeSpec) -> bool:
    axes = spec.operands[1]
    return axes is not None and axes.size == 0


def _is_empty(spec: NodeSpec) -> bool:
    return any(operand is not None and operand.size == 0 for operand in spec.operands)


def _has_empty_batch(spec: NodeSpec) -> bool:
    data = spec.operands[0]
    return data is not None and data.shape[:1] == (0,)


def _has_one_value(spec: NodeSpec) -> bool:
    values = spec.operands[2]
    return values is not None and values.shape == ()


def _is_quantized(spec: NodeSpec) -> bool:
    return spec.results[0].quantization is not None


def _has_nan(spec: NodeSpec) -> bool:
    data = spec.operands[0]
    return data is not None and data.dtype == "float32" and bool(np.isnan(data.values()).any())


def _has_constants_only(spec: NodeSpec) -> bool:
    return not spec.given


SAME = 0
CONDITIONS: Mapping[str, Callable[[NodeSpec], bool]] = {
    "left_over_input": _has_left_over_input,
    "no_axes": _has_no_axes,
    "empty": _is_empty,
    "empty_batch": _has_empty_batch,
    "one_value": _has_one_value,
    "quantized": _is_quantized,
    "nan": _has_nan,
    "constants_only": _has_constants_only,
}
