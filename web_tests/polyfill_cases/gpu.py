"""The cases that the engines on TensorFlow.js support, and their tolerances on a GPU."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from web_tests.polyfill_cases.case import Case, Tolerance

# The error for what a context's opSupportLimits() do not include.
_BEYOND_LIMITS = re.compile(r"TypeError: .*The (data type|rank) of .+; (it should be|no type is supported)")
_MAX_RANK = 4
_EPSILON = float(np.finfo(np.float32).eps)
# Shaders may compute sine and cosine with this error (https://www.w3.org/TR/WGSL/#concrete-float-accuracy).
_TRIGONOMETRIC = {"cos": 2**-11, "sin": 2**-11, "tan": 2**-9}
# One operation of a shader, and sums of products: relative to 1, or to a larger magnitude.
_ONE_OPERATION, _SUM = 2e-6, 1e-5


def is_within_limits(case: Case, result: Mapping[str, Any]) -> bool:
    """Return from its result whether the engine supports a case.

    Raises:
        AssertionError: it rejects float32 of a rank that all its kernels support.
    """
    is_rejected = _BEYOND_LIMITS.search(result.get("error", "")) is not None
    assert not (is_rejected and _has_only(case, "float32")), f"{case.name}: {result['error']}"
    return not is_rejected


def _has_only(case: Case, *dtypes: str) -> bool:
    arrays = [*case.inputs("all").values(), *case.expected]
    return all(array.dtype.name in dtypes and array.ndim <= _MAX_RANK for array in arrays)


def one_of_each(cases: Sequence[Case]) -> list[Case]:
    """Return one case of each operator that the engine supports: the first all-float32 one, if any."""
    floats = [case for case in cases if _has_only(case, "float32")]
    held = [case for case in cases if _has_only(case, "float32", "int32", "int8", "uint8")]
    return list({case.op: case for case in reversed([*floats, *held])}.values())


def gpu_tolerance(case: Case) -> Tolerance:
    """Return a case's tolerance on a GPU: results that are exact on a CPU are exact there, except pow's."""
    # Shaders compute pow with exp2 and log2, even a square.
    if case.tolerance.ulps == 0 and case.op != "pow":
        return case.tolerance
    error = _TRIGONOMETRIC.get(case.op, _SUM if case.tolerance.floor >= 1 else _ONE_OPERATION)
    return Tolerance(error / _EPSILON, 1)
