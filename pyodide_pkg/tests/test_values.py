"""Values of all types, written and read, compared with native LiteRT."""

from typing import Any

import numpy as np
import pytest
from tflite_webnn import Interpreter
from tflite_webnn.strings import decode_strings, encode_strings

from pyodide_pkg.tests import small_models
from pyodide_pkg.tests.comparisons import assert_same, assert_same_error
from pyodide_pkg.tests.conftest import Pair
from pyodide_pkg.tests.node_backend import NodeSession
from web_tests.models import stateful

TYPES = ["float32", "float16", "float64", "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64"]
FOUR_BITS = [("INT4", np.int8, -8), ("UINT4", np.uint8, 0)]


@pytest.mark.usefixtures("backend")
@pytest.mark.parametrize("dtype", [*TYPES, "bool"])
def test_numbers_pass_unchanged_in_each_type(dtype: str) -> None:
    pair = Pair(small_models.identity(dtype, (2, 3)))
    assert_same(*pair.call("get_input_details"))
    pair.allocate()
    pair.call("set_tensor", 0, np.array([[0, 1, 2], [3, 100, 1]]).astype(dtype))
    assert_same(*pair.call("get_tensor", 0))


@pytest.mark.usefixtures("backend")
@pytest.mark.parametrize("type_name", ["COMPLEX64", "COMPLEX128"])
def test_complex_numbers_pass_through_unchanged(type_name: str) -> None:
    pair = Pair(small_models.identity("float32", (2,), type_name))
    pair.allocate()
    pair.call("set_tensor", 0, np.array([1 + 2j, -3j], type_name.lower()))
    assert_same(*pair.call("get_tensor", 0))


@pytest.mark.usefixtures("backend")
@pytest.mark.parametrize(("type_name", "numpy_type", "lowest"), FOUR_BITS)
@pytest.mark.parametrize("count", [1, 4, 7])
def test_values_of_four_bits_pass_through_unchanged(type_name: str, numpy_type: Any, lowest: int, count: int) -> None:
    pair = Pair(small_models.identity("int8", (count,), type_name))
    assert_same(*pair.call("get_input_details"))
    pair.allocate()
    pair.call("set_tensor", 0, np.arange(lowest, lowest + count).astype(numpy_type))
    actual, native = pair.call("get_tensor", 0)
    assert_same(actual, native)


@pytest.mark.usefixtures("backend")
def test_weights_quantized_in_blocks_have_float16_scales() -> None:
    pair = Pair(small_models.in_blocks())
    actual, native = pair.call("get_tensor_details")
    assert_same(actual, native)
    (weights,) = (tensor for tensor in actual if tensor["quantization_parameters"]["block_size"])
    assert weights["quantization_parameters"]["scales"].dtype == np.float16
    pair.allocate()
    pair.call("set_tensor", 0, np.linspace(-1, 1, 64, dtype=np.float32)[None])
    pair.call("invoke")


@pytest.mark.usefixtures("backend")
@pytest.mark.parametrize(("type_name", "numpy_type", "lowest"), FOUR_BITS)
def test_values_that_do_not_fit_into_four_bits_are_an_error(type_name: str, numpy_type: Any, lowest: int) -> None:
    pair = Pair(small_models.identity("int8", (4,), type_name))
    pair.allocate()
    for value in (
        np.array([0, 0, lowest + 16, 0], numpy_type),
        np.zeros(3, numpy_type),
        np.zeros(4, np.int32),
        np.zeros(4, np.float32),
    ):
        assert_same_error(lambda: pair.interpreter.set_tensor(0, value), lambda: pair.native.set_tensor(0, value))  # noqa: B023


@pytest.mark.usefixtures("backend")
def test_a_tensor_without_elements_can_be_set_and_read() -> None:
    """A tensor without elements has no bytes to copy."""
    interpreter = Interpreter(model_content=small_models.open_batch())
    interpreter.resize_tensor_input(0, [0, 3])
    interpreter.allocate_tensors()
    interpreter.set_tensor(0, np.zeros((0, 3), np.float32))
    assert interpreter.get_tensor(0).shape == (0, 3)


TEXTS = np.array(["Grüße", b"bytes", "", "four"], object)


@pytest.mark.usefixtures("node")
def test_strings_pass_unchanged() -> None:
    pair = Pair(stateful.string_picker())
    assert_same(*pair.call("get_input_details"))
    pair.allocate()
    which = np.array([2, 0], np.int32)
    for texts in (TEXTS[:3], np.array(["a", "bb", "ccc"]), np.array([b"a", b"bb", b"ccc"])):
        pair.run(texts, which)
        (actual,), (native,) = pair.outputs()
        assert actual.dtype == native.dtype
        assert actual.tolist() == native.tolist()
        assert pair.interpreter.get_tensor(0).tolist() == pair.native.get_tensor(0).tolist()


@pytest.mark.usefixtures("node")
def test_strings_of_an_input_do_not_read_all_tensors_again(monkeypatch: pytest.MonkeyPatch) -> None:
    interpreter = Pair(stateful.string_picker()).interpreter
    interpreter.allocate_tensors()
    interpreter.set_tensor(0, TEXTS[:3])
    monkeypatch.setattr(NodeSession, "describeTensors", lambda *_: pytest.fail("it reads them"))
    interpreter.set_tensor(0, TEXTS[1:])
    assert interpreter.get_tensor(0).tolist() == [b"bytes", b"", b"four"]


@pytest.mark.usefixtures("node")
def test_wrong_strings_of_an_input_raise_as_native_litert() -> None:
    pair = Pair(stateful.string_picker())
    pair.allocate()
    for texts in (["a", "b", "c"], TEXTS, np.zeros(3, np.int32)):
        assert_same_error(lambda: pair.interpreter.set_tensor(0, texts), lambda: pair.native.set_tensor(0, texts))  # noqa: B023
    with pytest.raises(ValueError, match="holds str and bytes; got int"):
        pair.interpreter.set_tensor(0, np.array([1, 2, 3], object))
    with pytest.raises(ValueError, match=r"use get_tensor\(\)"):
        pair.interpreter.tensor(0)()


@pytest.mark.parametrize("shape", [(), (0,), (4,), (2, 2)])
def test_strings_go_there_and_back(shape: tuple[int, ...]) -> None:
    texts = np.resize(TEXTS, shape)
    expected = [text.encode() if isinstance(text, str) else text for text in texts.reshape(-1)]
    decoded = decode_strings(encode_strings(texts), shape)
    assert decoded.shape == shape
    assert decoded.reshape(-1).tolist() == expected


def test_a_string_tensor_that_was_never_written_has_no_strings() -> None:
    assert decode_strings(np.zeros(0, np.uint8), (2,)).tolist() == [None, None]
