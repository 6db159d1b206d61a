"""`Interpreter.tensor()`: arrays that mirror the tensors' memory."""

from typing import Any

import numpy as np
import pytest
from tflite_webnn import Interpreter

from pyodide_pkg.tests import small_models
from pyodide_pkg.tests.comparisons import assert_same
from pyodide_pkg.tests.conftest import Pair
from web_tests.models import handmade

pytestmark = pytest.mark.usefixtures("backend")


def opened() -> tuple[Any, int, int]:
    """Return an interpreter, its input and its output."""
    interpreter = Interpreter(model_content=handmade.sin_example())
    interpreter.allocate_tensors()
    return interpreter, interpreter.get_input_details()[0]["index"], interpreter.get_output_details()[0]["index"]


def test_the_loop_that_native_litert_documents() -> None:
    pair = Pair(handmade.sin_example())
    pair.allocate()
    row, column = pair.native.get_input_details()[0]["index"], pair.native.get_output_details()[0]["index"]
    inputs, outputs = pair.call("tensor", row), pair.call("tensor", column)
    for value in (3.0, 4.0):
        for array in inputs:
            array().fill(value)
        pair.call("invoke")
        assert_same(outputs[0](), outputs[1]().copy())


def test_a_held_array_follows_later_runs() -> None:
    interpreter, row, column = opened()
    x, y = interpreter.tensor(row)(), interpreter.tensor(column)()
    for value in (1.0, 2.0):
        x[:] = value
        interpreter.invoke()
        np.testing.assert_allclose(y, handmade.sin_example_output(x), rtol=1e-5)
        np.testing.assert_array_equal(y, interpreter.get_tensor(column))
    assert interpreter.tensor(row)() is x


def test_what_is_set_is_seen_in_the_array_and_the_other_way_around() -> None:
    interpreter, row, _ = opened()
    array = interpreter.tensor(row)()
    interpreter.set_tensor(row, np.full(8, 5, np.float32))
    assert array.tolist() == [5.0] * 8
    array[0] = 7
    assert interpreter.get_tensor(row)[0] == 7


def test_a_tensor_of_another_shape_has_another_array() -> None:
    interpreter, row, column = opened()
    before = interpreter.tensor(row)()
    interpreter.resize_tensor_input(row, [3])
    interpreter.allocate_tensors()
    after = interpreter.tensor(row)()
    assert (before.shape, after.shape) == ((8,), (3,))
    after[:] = 1
    interpreter.invoke()
    assert interpreter.tensor(column)().shape == (3,)


def test_a_scalar_tensor_can_be_written_through_its_array() -> None:
    interpreter = Interpreter(model_content=small_models.identity("float32", ()))
    interpreter.allocate_tensors()
    interpreter.tensor(0)()[...] = 3
    interpreter.invoke()
    assert interpreter.get_tensor(0) == 3
