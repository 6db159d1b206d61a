"""Comparisons of two results: values and types, through dictionaries and lists."""

from typing import Any

import numpy as np
import pytest


def assert_same(actual: Any, native: Any, where: str = "") -> None:
    """Fail if anything differs, except rounding in floating-point arrays."""
    assert type(actual) is type(native), f"{where}: {actual!r} is no {native!r}"
    if isinstance(native, dict):
        assert list(actual) == list(native), where
        for key in native:
            assert_same(actual[key], native[key], f"{where}[{key!r}]")
    elif isinstance(native, (list, tuple)):
        assert len(actual) == len(native), where
        for index, (one, other) in enumerate(zip(actual, native, strict=True)):
            assert_same(one, other, f"{where}[{index}]")
    elif isinstance(native, (np.ndarray, np.generic)):
        assert_same_values(actual, native, where)
    else:
        assert actual == native, where


def assert_same_values(actual: Any, native: Any, where: str = "") -> None:
    """Fail if type, shape or values of arrays differ."""
    assert actual.dtype == native.dtype, where
    assert actual.shape == native.shape, where
    if np.issubdtype(native.dtype, np.inexact):
        np.testing.assert_allclose(actual, native, rtol=1e-5, atol=1e-6, err_msg=where)
    else:
        np.testing.assert_array_equal(actual, native, err_msg=where)


def assert_same_error(actual: Any, native: Any, *, same_message: bool = True) -> None:
    """Fail if two calls do not raise alike: our class may be a subclass of native LiteRT's."""
    with pytest.raises(Exception) as expected:  # noqa: PT011 - whatever it is
        native()
    with pytest.raises(type(expected.value)) as found:
        actual()
    if same_message:
        assert str(found.value) == str(expected.value)
