"""Grades outputs: their difference to native LiteRT's, and the tolerance."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from web_tests.models.catalogue import Model
from web_tests.models.recipes import Array
from web_tests.references.comparison import Table, compare, output_range, tolerance

Unit = Literal["range", "steps"]

# A quantized model's float output was dequantized at its end: a step is about this fraction of its range.
STEPS_OF_RANGE = 256


@dataclass(frozen=True)
class Grade:
    """Outputs compared with native LiteRT's.

    Attributes:
        difference, allowed: in `unit`: the largest difference of all outputs, and the limit of tolerances.toml.
        unit: range (a fraction of the output's range) or steps (of a quantized output).
        why: the reason for the tolerance.
        note: another bug than the difference.
    """

    difference: float
    allowed: float
    unit: Unit
    why: str
    note: str = ""

    @property
    def is_right(self) -> bool:
        """Whether the outputs are within the tolerance."""
        return not self.note and self.difference <= self.allowed


def grade(model: Model, found: Sequence[Array], expected: Sequence[Array], table: Table) -> Grade:
    """Compare a model's outputs with native LiteRT's, by a table of tolerances.toml.

    Quantized models have their own table, and the index of an output's maximum must match.

    Raises:
        ValueError: the number of outputs or a shape differs.
    """
    dtypes = [array.dtype for array in expected]
    note = "" if [array.dtype for array in found] == dtypes else f"not the types {', '.join(map(str, dtypes))}"
    graded = grade_by("quantized" if model.quantized else table, model.name, found, expected)
    if not note and model.quantized:
        pairs = zip(found, expected, strict=True)
        note = "another value is the largest" if any(one.argmax() != other.argmax() for one, other in pairs) else ""
    return replace(graded, note=note)


def grade_by(table: Table, name: str, found: Sequence[Array], expected: Sequence[Array]) -> Grade:
    """Compare outputs by the row `name` of a table: `quantized` counts steps, the others fractions of the range.

    Raises:
        ValueError: the number of outputs or a shape differs.
    """
    row = tolerance(table, name)
    if table != "quantized":
        return Grade(compare(found, expected).relative, row.relative_to_range, "range", row.why)
    steps = max((_steps(one, other) for one, other in zip(found, expected, strict=True)), default=0.0)
    return Grade(steps, row.steps, "steps", row.why)


def _steps(found: Array, expected: Array) -> float:
    step = output_range(expected) / STEPS_OF_RANGE if np.issubdtype(expected.dtype, np.floating) else 1.0
    return compare([found], [expected]).absolute / step
