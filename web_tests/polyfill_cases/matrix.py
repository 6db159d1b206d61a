"""gemm and matmul."""

from typing import Any

import numpy as np

from web_tests.polyfill_cases.case import SUMMED, Case, Constant, Input, Tolerance, case, uniform


def _gemm(name: str, c_shape: tuple[int, ...] | None, operand: Any = Constant, **options: Any) -> Case:
    a, b = uniform((3, 4)), uniform((4, 5))
    result = options.get("alpha", 1) * (a.astype(np.float64) @ b)
    provided = {}
    if c_shape is not None:
        c = uniform(c_shape, seed=2)
        result = result + options.get("beta", 1) * c
        provided = {"c": operand(c)}
    left = a.T.copy() if options.get("aTranspose") else a
    right = b.T.copy() if options.get("bTranspose") else b
    arguments = [Input(left), operand(right)]
    return case(name, "gemm", arguments, result.astype(np.float32), SUMMED, **options, **provided)


def _matmul(a_shape: tuple[int, ...], b_shape: tuple[int, ...], operand: Any, dtype: str = "float32") -> Case:
    a, b = uniform(a_shape, dtype=dtype), uniform(b_shape, dtype=dtype)
    expected = (a.astype(np.float64) @ b.astype(np.float64)).astype(dtype)
    name = f"{a_shape}_{b_shape}_{operand.__name__.lower()}_{dtype}"
    tolerance = SUMMED if dtype == "float32" else Tolerance(1, 1)
    return case(name, "matmul", [Input(a), operand(b)], expected, tolerance)


_SHAPES = (
    ((3, 4), (4, 5)),
    ((2, 3, 4), (4, 5)),
    ((2, 3, 4), (2, 4, 5)),
    ((2, 1, 3, 4), (3, 4, 5)),
    ((4, 3), (2, 3, 2)),
    ((2, 1, 2, 1, 3, 4), (1, 2, 1, 2, 4, 2)),
    ((1, 3, 4), (1, 4, 1)),
)

CASES = [
    _gemm("plain", None),
    _gemm("bias", (5,)),
    _gemm("bias_row", (1, 5)),
    _gemm("column", (3, 1)),
    _gemm("matrix", (3, 5)),
    _gemm("scalar", ()),
    _gemm("transposed", (5,), aTranspose=True, bTranspose=True),
    _gemm("factors", (5,), alpha=0.5, beta=-2),
    _gemm("factors_transposed", (1, 5), alpha=0.5, beta=2, aTranspose=True, bTranspose=True),
    _gemm("inputs", (5,), Input),
    _gemm("inputs_factors", (3, 1), Input, alpha=0.5, beta=-2, bTranspose=True),
    *(_matmul(a, b, operand) for a, b in _SHAPES for operand in (Input, Constant)),
    _matmul((3, 4), (4, 5), Constant, "float16"),
]
