"""Comparisons of two results: values and types, through dictionaries and lists."""

from typing import Any

import numpy as np
import pytest


def assert_same(ours: Any, native: Any, where: str = "") -> None:
    """Fail if anything differs, except rounding in floating-point arrays."""
    assert type(ours) is type(native), f"{where}: {ours!r} is no {native!r}"
    if isinstance(native, dict):
        assert list(ours) == list(native), where
        for key in native:
            assert_same(ours[key], native[key], f"{where}[{key!r}]")
    elif isinstance(native, (list, tuple)):
        assert len(ours) == len(native), where
        for index, (our, theirs) in enumerate(zip(ours, native, strict=True)):
            assert_same(our, theirs, f"{where}[{index}]")
    elif isinstance(native, (np.ndarray, np.generic)):
        assert_same_values(ours, native, where)
    else:
        assert ours == native, where


def assert_same_values(ours: Any, native: Any, where: str = "") -> None:
    """Fail if type, shape or values of arrays differ."""
    assert ours.dtype == native.dtype, where
    assert ours.shape == native.shape, where
    if np.issubdtype(native.dtype, np.inexact):
        np.testing.assert_allclose(ours, native, rtol=1e-5, atol=1e-6, err_msg=where)
    else:
        np.testing.assert_array_equal(ours, native, err_msg=where)


def assert_same_error(ours: Any, native: Any, *, same_words: bool = True) -> None:
    """Fail if two calls do not raise alike: our class may be a subclass of native LiteRT's."""
    with pytest.raises(Exception) as expected:  # noqa: PT011 - whatever it is
        native()
    with pytest.raises(type(expected.value)) as found:
        ours()
    if same_words:
        assert str(found.value) == str(expected.value)
