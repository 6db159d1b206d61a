"""One table of cases for every op of the delegate: a file per family, each with a function `cases`."""

import itertools

from web_tests.op_cases import (
    arithmetic,
    composed,
    convolution,
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
    plain = list(itertools.chain.from_iterable(family.cases() for family in FAMILIES))
    return [*plain, *integers.cases(plain), *quantized.cases(plain)]


def case_id(case: OpCase) -> str:
    """Return a case's unique name, e.g. CONV_2D-same_stride_2x2."""
    return f"{case.op}-{case.name}"
