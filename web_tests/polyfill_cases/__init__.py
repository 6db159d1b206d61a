"""Calls of every WebNN operator with numpy's results: for the polyfill's models and for browsers."""

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

_MODULES = (
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

# One family for each family of the polyfill's rules and lowerings.
FAMILIES: dict[str, list[Case]] = {module.__name__.rpartition(".")[2]: module.CASES for module in _MODULES}
CASES: tuple[Case, ...] = tuple(case for cases in FAMILIES.values() for case in cases)
