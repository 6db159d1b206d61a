"""Calls of every WebNN operator with what numpy says they give: for the polyfill's models and for browsers."""

from __future__ import annotations

from web_tests.polyfill_cases import (
    activation,
    arithmetic,
    convolution,
    elementwise,
    indexing,
    logic,
    matrix,
    movement,
    normalization,
    pooling,
    quantization,
    recurrent,
    reduction,
    resampling,
)
from web_tests.polyfill_cases.case import Case

FAMILIES = (
    activation,
    arithmetic,
    convolution,
    elementwise,
    indexing,
    logic,
    matrix,
    movement,
    normalization,
    pooling,
    quantization,
    recurrent,
    reduction,
    resampling,
)

CASES: tuple[Case, ...] = tuple(case for family in FAMILIES for case in family.CASES)
