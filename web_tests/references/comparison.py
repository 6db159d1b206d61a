"""Differences between outputs, and the tolerances of tests and demo."""

import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Literal

import numpy as np

from web_tests.models.recipes import Array

Table = Literal["webnn", "cpu", "gpu", "quantized", "ops", "quantized_ops", "properties"]

TABLE_PATH = Path(__file__).with_name("tolerances.toml")


@dataclass(frozen=True)
class Tolerance:
    """The largest allowed difference: a fraction of the output's range, or steps of a quantized output."""

    relative_to_range: float
    steps: int
    why: str


@dataclass(frozen=True)
class Difference:
    """The largest differences over all outputs of a model.

    Attributes:
        absolute: the largest absolute difference.
        relative: the largest absolute difference of an output, divided by that output's range.
    """

    absolute: float
    relative: float


def tolerance(table: Table, name: str = "default") -> Tolerance:
    """Return the row `name` of a table of tolerances.toml, or its default row."""
    rows = all_rows()[table]
    row = rows.get(name, rows["default"])
    return Tolerance(row.get("relative_to_range", 0.0), row.get("steps", 0), row["why"])


def output_range(reference: Array) -> float:
    """Return highest minus lowest finite value; the magnitude if all are equal; 1 if all are zero, or not finite."""
    wide = reference.astype(np.float64)
    finite = wide[np.isfinite(wide)]
    return (float(np.ptp(finite)) or float(np.abs(finite).max()) or 1.0) if finite.size else 1.0


def compare(found: Sequence[Array], reference: Sequence[Array]) -> Difference:
    """Return the largest differences. A NaN that the reference lacks counts as an infinite difference.

    Raises:
        ValueError: the number of outputs or a shape differs.
    """
    if [array.shape for array in found] != [array.shape for array in reference]:
        raise ValueError(f"shapes {[a.shape for a in found]} instead of {[a.shape for a in reference]}")
    absolute = [_largest(one, other) for one, other in zip(found, reference, strict=True)]
    relative = [value / output_range(array) for value, array in zip(absolute, reference, strict=True)]
    return Difference(max(absolute, default=0.0), max(relative, default=0.0))


def assert_close(
    found: Sequence[Array], expected: Sequence[Array], of_range: float = 0.0, *, absolute: float = 0.0
) -> None:
    """Assert that each output is the expected one: within a part of its range or an absolute difference; else equal.

    Shapes are equal: assert_allclose() alone would broadcast.
    """
    shapes, expected_shapes = ([np.shape(one) for one in arrays] for arrays in (found, expected))
    assert shapes == expected_shapes, f"shapes {shapes} instead of {expected_shapes}"
    for index, (one, other) in enumerate(zip(found, expected, strict=True)):
        allowed = max(absolute, of_range * float(np.ptp(other)) if of_range else 0.0)
        np.testing.assert_allclose(one, other, rtol=0, atol=allowed, err_msg=f"output {index}")


def _largest(found: Array, reference: Array) -> float:
    if found.size == 0:
        return 0.0
    wide_found, wide_reference = found.astype(np.float64), reference.astype(np.float64)
    # Equal infinities and NaNs agree; inf - inf would say NaN.
    same = (wide_found == wide_reference) | (np.isnan(wide_found) & np.isnan(wide_reference))
    with np.errstate(invalid="ignore"):
        distance = np.where(same, 0.0, np.abs(wide_found - wide_reference))
    return float(np.nan_to_num(distance, nan=np.inf, posinf=np.inf).max())


@cache
def all_rows() -> dict[str, dict[str, dict[str, Any]]]:
    """Return tolerances.toml: table -> row -> keys."""
    with TABLE_PATH.open("rb") as stream:
        return tomllib.load(stream)
