"""The probes of values that break kernels: division by zero, out-of-range indices, values beyond all integers."""

from collections.abc import Iterator, Mapping

import numpy as np

from tools.probe.probes import Rows, both_kinds, probe
from web_tests.polyfill_cases.case import Case, Input

_FAR = {"int32": 2**31 - 1, "int64": 2**40, "uint32": 2**32 - 1}


def cases(rows: Mapping[str, Rows]) -> Iterator[Case]:
    """Yield the probes of the operators in the browser."""
    for dtype in rows["div"]["a"].dtypes if "div" in rows else ():
        if not dtype.startswith("int"):
            continue
        lowest = np.iinfo(dtype).min
        for about, a, b in (("by zero", 5, 0), ("of zero by zero", 0, 0), ("of the lowest by -1", lowest, -1)):
            for name, operand in both_kinds(np.full(4, b, dtype)):
                yield probe("div", f"{dtype} {about} ({name})", Input(np.full(4, a, dtype)), operand)
    for op in ("gather", "gatherElements", "gatherND", "scatterElements", "scatterND"):
        yield from _indices(op, rows.get(op, {}))
    for source in ("float32", "float16"):
        for target in rows["cast"]["output"].dtypes if "cast" in rows else ():
            for value in (np.nan, np.inf, -np.inf, 6e4):
                yield probe("cast", f"{source} {value} to {target}", Input(np.full(4, value, source)), target)
    for exponent in (-1, 0, 40):
        if "pow" in rows and "int32" in rows["pow"]["a"].dtypes:
            operands = [Input(np.array([0, 2], "int32")), Input(np.full(2, exponent, "int32"))]
            yield probe("pow", f"int32 to the {exponent}", *operands)


def _indices(op: str, rows: Rows) -> Iterator[Case]:
    for dtype in rows["indices"].dtypes if rows else ():
        for index in (-1, -4, -5, 4, _FAR[dtype], *(() if dtype.startswith("u") else (-_FAR[dtype],))):
            if dtype.startswith("u") and index < 0:
                continue
            shape = (2, 1) if op.endswith("ND") else (2,)
            x, updates = Input(np.arange(4, dtype="float32")), Input(np.array([7, 8], "float32"))
            for name, indices in both_kinds(np.full(shape, index, dtype)):
                more = [updates] if op.startswith("scatter") else []
                yield probe(op, f"{dtype} index {index} of 4 ({name})", x, indices, *more)
