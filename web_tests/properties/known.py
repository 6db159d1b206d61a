"""Known differences from native LiteRT with names and reasons: known.toml, each matched narrowly."""

import tomllib
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from web_tests.models.recipes import Array
from web_tests.properties.comparer import Failure
from web_tests.properties.spec import NodeSpec

TABLE_PATH = Path(__file__).with_name("known.toml")


@dataclass(frozen=True)
class Row:
    """A known difference.

    Attributes:
        name: of the row.
        ops: the ops of its nodes.
        on: the executions' names, or their parts before the first hyphen.
        kinds: of the failure.
        when: a condition's name, or empty.
        reason: whose bug it is, and why it remains.
    """

    name: str
    ops: tuple[str, ...]
    on: tuple[str, ...]
    kinds: tuple[str, ...]
    when: str
    reason: str

    def is_on(self, execution: str) -> bool:
        """Return whether the row applies to an execution."""
        return execution in self.on or execution.split("-", maxsplit=1)[0] in self.on

    def matches(self, failure: Failure) -> bool:
        """Return whether the failure is this difference."""
        spec = failure.spec
        is_this = spec.op in self.ops and failure.kind in self.kinds and self.is_on(failure.execution)
        return is_this and (not self.when or CONDITIONS[self.when](spec))


class Known:
    """The rows of a table."""

    def __init__(self, rows: Sequence[Row]) -> None:
        self.rows = rows

    def name_of(self, failure: Failure) -> str:
        """Return the name of the row that a failure matches; empty if none does."""
        return next((row.name for row in self.rows if row.matches(failure)), "")

    def never_met(self, execution: str, ops: Sequence[str], met: Collection[str]) -> list[str]:
        """Return the names of an execution's rows about these ops that are not in `met`."""
        return [row.name for row in self.rows if row.is_on(execution) and {*row.ops} & {*ops} and row.name not in met]


def load(path: Path = TABLE_PATH) -> Known:
    """Return the rows of a file.

    Raises:
        KeyError: a row lacks a key, or names an unknown condition.
    """
    rows = []
    for name, row in tomllib.loads(path.read_text()).items():
        when = row.get("when", "")
        if when:
            _ = CONDITIONS[when]
        rows.append(Row(name, tuple(row["ops"]), tuple(row["on"]), tuple(row["kinds"]), when, row["reason"]))
    return Known(rows)


def _has_empty_batch(spec: NodeSpec) -> bool:
    data = spec.operands[0]
    return data is not None and data.shape[:1] == (0,)


def _is_quantized(spec: NodeSpec) -> bool:
    return spec.results[0].quantization is not None


def _exceeds_16_bits(spec: NodeSpec) -> bool:
    """Return whether a quantized sum may be beyond 16 bits in steps of the result."""
    result = spec.results[0].quantization
    if result is None:
        return False
    largest = 0.0
    for operand in spec.operands:
        assert operand
        assert operand.quantization
        (scale,), (zero_point,) = operand.quantization.scales, operand.quantization.zero_points
        largest += scale * float(np.abs(operand.values().astype(np.int64) - zero_point).max(initial=0))
    return largest / result.scales[0] + abs(result.zero_points[0]) > np.iinfo(np.int16).max


def _has_nan(spec: NodeSpec) -> bool:
    return any(bool(np.isnan(values).any()) for values in _reals(spec))


def _is_not_finite(spec: NodeSpec) -> bool:
    return any(not np.isfinite(values).all() for values in _reals(spec))


def _has_huge(spec: NodeSpec) -> bool:
    """Return whether a number is infinite, or so large that its product with 1.5 is."""
    return any(bool((np.abs(values) > np.finfo(np.float32).max / 1.5).any()) for values in _reals(spec))


def _exceeds_int32(spec: NodeSpec) -> bool:
    """Return whether a quantized EXP or RSQRT may be beyond 32 bits in steps of the result."""
    data, result = spec.operands[0], spec.results[0].quantization
    assert data
    if data.quantization is None or result is None:
        return False
    reals = (data.values().astype(np.float64) - data.quantization.zero_points[0]) * data.quantization.scales[0]
    with np.errstate(divide="ignore"):
        values = np.exp(reals) if spec.op == "EXP" else 1 / np.sqrt(np.abs(reals))
    return bool((values / result.scales[0] > np.iinfo(np.int32).max - np.iinfo(np.uint8).max).any())


def _has_denormal(spec: NodeSpec) -> bool:
    return any(bool(((values != 0) & (np.abs(values) < np.finfo(np.float32).tiny)).any()) for values in _reals(spec))


def _reals(spec: NodeSpec) -> Iterator[Array]:
    return (each.values() for each in spec.operands if each and each.dtype == "float32")


def _is_hybrid_of_batches(spec: NodeSpec) -> bool:
    """Return whether a hybrid product has batches of several dimensions, or of a rank above 4."""
    batches = [operand.shape[:-2] for operand in spec.operands if operand]
    counts = [sum(1 for size in shape if size > 1) + (len(shape) > 2) for shape in batches]
    return spec.is_hybrid and max(counts) > 1


CONDITIONS: Mapping[str, Callable[[NodeSpec], bool]] = {
    "empty_batch": _has_empty_batch,
    "quantized": _is_quantized,
    "beyond_16_bits": _exceeds_16_bits,
    "nan": _has_nan,
    "not_finite": _is_not_finite,
    "huge": _has_huge,
    "beyond_int32": _exceeds_int32,
    "denormal": _has_denormal,
    "hybrid_batches": _is_hybrid_of_batches,
}
