"""resample2d."""

from typing import Any

import numpy as np

from web_tests.models.recipes import Array
from web_tests.polyfill_cases.case import EXACT, Case, Input, Tolerance, case, uniform


def _resampled(x: Array, axis: int, size: int, mode: str) -> Array:
    """Return one axis resampled; pixels are sampled at their centres."""
    length = x.shape[axis]
    positions = (np.arange(size) + 0.5) * length / size - 0.5
    if mode == "nearest-neighbor":
        return np.asarray(np.take(x, np.clip(np.ceil(positions - 0.5).astype(int), 0, length - 1), axis))
    clamped = np.clip(positions, 0, length - 1)
    low = np.floor(clamped).astype(int)
    high = np.minimum(low + 1, length - 1)
    shape = [-1 if other == axis else 1 for other in range(x.ndim)]
    weight = (clamped - low).reshape(shape)
    return np.asarray(np.take(x, low, axis) * (1 - weight) + np.take(x, high, axis) * weight)


def _case(name: str, x: Array, axes: tuple[int, int], to: tuple[int, int], mode: str, **options: Any) -> Case:
    expected = x.astype(np.float64)
    for axis, size in zip(axes, to, strict=True):
        expected = _resampled(expected, axis, size, mode)
    tolerance = EXACT if mode == "nearest-neighbor" else Tolerance(8 if x.dtype == np.float32 else 1, 1)
    provided = {"mode": mode, "axes": list(axes), **options}
    return case(name, "resample2d", [Input(x)], expected.astype(x.dtype), tolerance, **provided)


def _cases() -> list[Case]:
    cases = []
    x = uniform((2, 4, 5, 3))
    for mode in ("nearest-neighbor", "linear"):
        for axes in ((1, 2), (2, 3), (0, 1), (2, 1), (0, 3)):
            sizes = (7, 3)
            cases.append(_case(f"{mode}_{axes}", x, axes, sizes, mode, sizes=list(sizes)))
        cases.append(_case(f"{mode}_scales", x, (1, 2), (8, 12), mode, scales=[2, 2.5]))
        cases.append(_case(f"{mode}_half", x, (1, 2), (2, 2), mode, scales=[0.5, 0.5]))
        cases.append(_case(f"{mode}_float16", x.astype(np.float16), (1, 2), (8, 10), mode, sizes=[8, 10]))
    return cases


CASES = _cases()
