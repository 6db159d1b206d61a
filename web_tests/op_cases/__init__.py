"""One table of cases for every op of the delegate: a file per family, each with a function `cases`."""

import itertools
from collections.abc import Iterator

import numpy as np

from web_tests.models.recipes import Array
from web_tests.op_cases import (
    arithmetic,
    composed,
    convolution,
    edges,
    elementwise,
    folded,
    indexing,
    integers,
    placement,
    pooling,
    quantized,
    recurrent,
    shape,
)
from web_tests.op_cases.case import OpCase

FAMILIES = (elementwise, arithmetic, convolution, pooling, shape, indexing, placement, composed, folded, recurrent)


def all_cases() -> list[OpCase]:
    float_cases = list(itertools.chain.from_iterable(family.cases() for family in FAMILIES))
    return [*float_cases, *integers.cases(float_cases), *quantized.cases(float_cases), *edges.cases()]


def cases_with_nan(op: str) -> Iterator[tuple[OpCase, list[Array]]]:
    """Yield an op's float32 cases, once for each input: that one has a NaN. A sparse product skips zero weights."""
    for case in all_cases():
        inputs = case.inputs() if case.op == op and "sparse" not in case.name else []
        if {array.dtype.name for array in inputs} != {"float32"}:
            continue
        for index, array in enumerate(inputs):
            if array.size:
                provided = [one.copy() for one in inputs]
                provided[index].flat[array.size // 2] = np.nan
                yield case, provided


def case_id(case: OpCase) -> str:
    """Return a case's unique name, e.g. CONV_2D-same_stride_2x2."""
    return f"{case.op}-{case.name}"
