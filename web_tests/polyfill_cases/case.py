"""Cases, and their form for JavaScript: the graph descriptions that the runtime replays."""

import base64
import math
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np

from web_tests.models.recipes import SEED, Array


@dataclass(frozen=True)
class Input:
    """An operand provided at run time."""

    values: Array


@dataclass(frozen=True)
class Constant:
    """An operand known when the graph is built."""

    values: Array


@dataclass(frozen=True)
class Tolerance:
    """Allowed error of a float: `ulps` of its magnitude, or of `floor` if that is greater."""

    ulps: float = 0
    floor: float = 0


# Which operands are inputs: the case's choice, all, the first or none; the others are constants.
InputChoice = Literal["as provided", "all", "first", "none"]

EXACT = Tolerance()
# One operation, rounded once; kernels may use a reciprocal or a fused multiply-add.
ROUNDED = Tolerance(ulps=2)
# Polynomials of exp, log and similar functions.
APPROXIMATE = Tolerance(ulps=40, floor=0.05)
# Sums of products in any order.
SUMMED = Tolerance(ulps=40, floor=1)


@dataclass(frozen=True)
class Case:
    """One call of an operator.

    Attributes:
        name: unique among all cases.
        op: the method of MLGraphBuilder.
        arguments: its positional arguments: operands, sequences of operands, numbers, lists, names.
        options: its options, which may hold operands.
        expected: its results, in order.
        tolerance: for floats; integers must be equal.
    """

    name: str
    op: str
    arguments: tuple[Any, ...]
    expected: tuple[Array, ...]
    options: Mapping[str, Any] = field(default_factory=dict)
    tolerance: Tolerance = EXACT

    def inputs(self, which: InputChoice = "as provided") -> dict[str, Array]:
        """Return the values of the inputs by name."""
        operands = enumerate(self._operands())
        return {f"x{index}": operand.values for index, operand in operands if _is_input(operand, index, which)}

    def graph(self, which: InputChoice = "as provided") -> dict[str, Any]:
        """Return the graph description (docs/architecture.md), constants with their bytes as base64."""
        operands = self._operands()
        numbers = {id(operand): index for index, operand in enumerate(operands)}
        descriptions = [(_description(index, operand.values), operand, index) for index, operand in enumerate(operands)]
        provided = [description for description, operand, index in descriptions if _is_input(operand, index, which)]
        constants = [
            {**description, "data": base64.b64encode(np.ascontiguousarray(operand.values).tobytes()).decode()}
            for description, operand, index in descriptions
            if not _is_input(operand, index, which)
        ]
        outputs = [_description(len(operands) + index, values) for index, values in enumerate(self.expected)]
        arguments = [*self.arguments, dict(self.options)]
        operator = {
            "op": self.op,
            "label": self.name,
            "args": [_argument(argument, numbers) for argument in arguments],
            "outputs": [output["id"] for output in outputs],
        }
        return {"inputs": provided, "constants": constants, "operators": [operator], "outputs": outputs}

    def _operands(self) -> list[Input | Constant]:
        found = _operands_in([*self.arguments, *self.options.values()])
        return list({id(operand): operand for operand in found}.values())


def case(
    name: str,
    op: str,
    arguments: Sequence[Any],
    expected: Array | Sequence[Array],
    tolerance: Tolerance = EXACT,
    **options: Any,
) -> Case:
    """Return a case; options have their JavaScript names."""
    results = (expected,) if isinstance(expected, np.ndarray | np.generic) else tuple(expected)
    return Case(f"{op}_{name}", op, tuple(arguments), tuple(map(np.asarray, results)), options, tolerance)


def uniform(shape: Sequence[int], low: float = -2, high: float = 2, dtype: str = "float32", seed: int = 0) -> Array:
    """Return seeded values in [low, high); integers without `high`."""
    random = np.random.default_rng(SEED + seed + zlib.crc32(repr((tuple(shape), low, high, dtype)).encode()))
    if np.dtype(dtype).kind in "iu":
        return np.asarray(random.integers(int(low), int(high), tuple(shape), dtype=dtype))
    return np.asarray(random.uniform(low, high, tuple(shape)).astype(dtype))


def float32(values: Any) -> Array:
    return np.array(values, dtype=np.float32)


def int32(values: Any) -> Array:
    return np.array(values, dtype=np.int32)


def int64(values: Any) -> Array:
    return np.array(values, dtype=np.int64)


def int8(values: Any) -> Array:
    return np.array(values, dtype=np.int8)


def uint8(values: Any) -> Array:
    return np.array(values, dtype=np.uint8)


def error_of(actual: Array, expected: Array, tolerance: Tolerance) -> str:
    """Return a result's error as text, empty if there is none."""
    if actual.shape != expected.shape or actual.dtype != expected.dtype:
        return f"{actual.dtype}{list(actual.shape)} instead of {expected.dtype}{list(expected.shape)}"
    if expected.dtype.kind != "f":
        wrong = actual != expected
    else:
        with np.errstate(invalid="ignore"):
            magnitude = np.maximum(np.abs(expected.astype(np.float64)), tolerance.floor)
            allowed = tolerance.ulps * float(np.finfo(expected.dtype).eps) * magnitude
            off = np.abs(actual.astype(np.float64) - expected.astype(np.float64)) > allowed
        finite = np.isfinite(expected)
        equal = (actual == expected) | (np.isnan(actual) & np.isnan(expected))
        wrong = np.where(finite, off | ~np.isfinite(actual), ~equal)
    if not np.any(wrong):
        return ""
    first = tuple(int(index) for index in np.argwhere(wrong)[0])
    count = int(np.count_nonzero(wrong))
    return f"{count} of {expected.size} differ, first at {list(first)}: {actual[first]} instead of {expected[first]}"


def _operands_in(value: Any) -> list[Input | Constant]:
    if isinstance(value, Input | Constant):
        return [value]
    if isinstance(value, list | tuple):
        return [operand for element in value for operand in _operands_in(element)]
    return []


def _is_input(operand: Input | Constant, index: int, which: InputChoice) -> bool:
    if which == "as provided":
        return isinstance(operand, Input)
    return which == "all" or (which == "first" and index == 0)


def _description(index: int, values: Array) -> dict[str, Any]:
    return {"id": index, "name": f"x{index}", "dataType": values.dtype.name, "shape": list(values.shape)}


def _argument(value: Any, numbers: Mapping[int, int]) -> Any:
    if isinstance(value, Input | Constant):
        return {"operand": numbers[id(value)]}
    if isinstance(value, list | tuple):
        return [_argument(element, numbers) for element in value]
    if isinstance(value, dict):
        return {key: _argument(element, numbers) for key, element in value.items()}
    if isinstance(value, float) and math.isinf(value):
        return "Infinity" if value > 0 else "-Infinity"
    return value
