"""Judges a runtime's outputs: their distance to native LiteRT's, and whether that is rounding or wrong."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from web_tests.models.recipes import Array
from web_tests.references import comparison
from web_tests.references.comparison import Table
from web_tests.references.grading import grade_by

Grade = Literal["same bits", "close", "off", "WRONG", "not compared"]
# Beyond this fraction of the range, an output is wrong, whatever was rounded on the way.
WRONG_BEYOND = 0.25


@dataclass(frozen=True)
class Verdict:
    """Outputs compared with native LiteRT's.

    Attributes:
        grade: close is within tolerances.toml, off beyond it, WRONG different outputs.
        absolute, relative: the largest difference, and the same over the output's range; None without a comparison.
        note: what is wrong.
    """

    grade: Grade
    absolute: float | None = None
    relative: float | None = None
    note: str = ""

    @property
    def is_good(self) -> bool:
        """Whether the output is usable."""
        return self.grade in ("same bits", "close")


def judge(found: Sequence[Array], expected: Sequence[Array], *, model: str, quantized: bool, on_webnn: bool) -> Verdict:
    """Compare outputs, in the same order, with the expected ones; integer types may differ."""
    if len(found) != len(expected):
        return Verdict("WRONG", note=f"{len(found)} outputs instead of {len(expected)}")
    if any(one.size != other.size for one, other in zip(found, expected, strict=True)):
        return Verdict("WRONG", note="outputs of other sizes")
    shaped = [one.reshape(other.shape) for one, other in zip(found, expected, strict=True)]
    difference = comparison.compare(shaped, expected)
    numbers = (difference.absolute, difference.relative)
    if difference.absolute == 0:
        return Verdict("same bits", *numbers)
    note = _symptom(shaped, expected)
    if note or not difference.relative <= WRONG_BEYOND:
        return Verdict("WRONG", *numbers, note=note or "another output")
    table: Table = "quantized" if quantized else "webnn" if on_webnn else "cpu"
    return Verdict("close" if grade_by(table, model, shaped, expected).is_right else "off", *numbers)


def _symptom(found: Sequence[Array], expected: Sequence[Array]) -> str:
    """Return the symptom of a wrong output; empty if it has none."""
    for one, other in zip(found, expected, strict=True):
        if _has_nan(one) and not _has_nan(other):
            return "NaN"
        if not one.any() and other.any():
            return "all zeros"
        if one.size > 1 and np.ptp(one.astype(np.float64)) == 0 < np.ptp(other.astype(np.float64)):
            return "all the same"
    return ""


def _has_nan(array: Array) -> bool:
    return np.issubdtype(array.dtype, np.floating) and bool(np.isnan(array).any())


def in_order(
    found: Sequence[Array], names: Sequence[str], expected: Sequence[Array], expected_names: Sequence[str]
) -> list[Array]:
    """Return outputs in the order of the expected ones: by name, else by size, else unchanged."""
    if sorted(names) == sorted(expected_names):
        return [found[names.index(name)] for name in expected_names]
    sizes, expected_sizes = [array.size for array in found], [array.size for array in expected]
    if sizes != expected_sizes and sorted(sizes) == sorted(expected_sizes):
        remainder = list(found)
        return [remainder.pop([array.size for array in remainder].index(size)) for size in expected_sizes]
    return list(found)
