"""Every element type goes in and comes out as it is, on WebNN where that has the type, and on the CPU."""

from __future__ import annotations

import numpy as np
import pytest

from web_tests.harness import Harness, LoadOptions, PageHarness
from web_tests.models_made import reshaped

FLOATS = ("float16", "float32", "float64")
INTEGERS = ("int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64")
DTYPES = (*FLOATS, *INTEGERS, "bool")


def check_data_type(harness: PageHarness, dtype: str, options: LoadOptions) -> None:
    """Run the type's smallest and largest values through a model, and an array of another type against it."""
    if dtype == "bool":
        values = np.array([True, False, True, True, False, False])
    else:
        limits = np.iinfo(dtype) if dtype in INTEGERS else np.finfo(dtype)
        values = np.array([limits.min, limits.max, 0, 1, 2, 100], dtype)
    loaded = harness.load(reshaped(dtype), options)
    assert (loaded.inputs[0]["dtype"], loaded.outputs[0]["dtype"]) == (dtype, dtype)
    (found,) = loaded.run([values])
    assert found.dtype == values.dtype
    np.testing.assert_array_equal(found, values.reshape(2, 3))


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("webnn_on", [True, False], ids=["webnn", "cpu"])
def test_data_type(webnn: Harness, dtype: str, webnn_on: bool) -> None:
    check_data_type(webnn, dtype, LoadOptions(webnn=webnn_on))
