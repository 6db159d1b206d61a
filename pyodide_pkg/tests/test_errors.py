"""Errors match native LiteRT's: the same classes, and the same texts for TensorFlow Lite's own."""

from typing import Any

import numpy as np
import pytest
from ai_edge_litert.interpreter import Interpreter as NativeInterpreter
from tflite_webnn import Interpreter, InterpreterError, ModelError

from pyodide_pkg.tests.comparisons import assert_same_error
from pyodide_pkg.tests.conftest import Pair
from web_tests.models import handmade, stateful
from web_tests.models.one_node import one_node

pytestmark = pytest.mark.usefixtures("backend")

MODEL = handmade.tiny_network()
IMAGE = np.zeros((1, 16, 16, 3), np.float32)
NO_TENSOR = 1000


@pytest.mark.parametrize(
    "arguments",
    [
        {},
        {"model_path": "x", "model_content": b"x"},
        {"model_content": MODEL, "num_threads": 0},
        {"model_content": MODEL, "num_threads": "2"},
        {"model_content": MODEL, "experimental_op_resolver_type": 7},
    ],
    ids=str,
)
def test_wrong_arguments_of_the_constructor_raise_as_native_litert(arguments: dict[str, Any]) -> None:
    assert_same_error(lambda: Interpreter(**arguments), lambda: NativeInterpreter(**arguments))


@pytest.mark.parametrize(
    "arguments",
    [
        {"model_path": "/no/such/model.tflite"},
        {"model_content": "text"},
        {"model_content": 5},
        {"model_content": b"this is not a model at all"},
        {"model_content": bytes(3000)},
        {"model_content": handmade.truncated(MODEL)},
    ],
    ids=lambda arguments: str(arguments)[:40],
)
def test_content_that_is_not_a_model_raises_as_native_litert(arguments: dict[str, Any]) -> None:
    """Our message adds the reason."""
    assert_same_error(lambda: Interpreter(**arguments), lambda: NativeInterpreter(**arguments), same_message=False)


def test_a_missing_file_is_a_model_error_with_its_path() -> None:
    with pytest.raises(ModelError, match=r"Could not open '/no/such/model\.tflite'") as found:
        Interpreter("/no/such/model.tflite")
    assert found.value.code == "MODEL_NOT_FOUND"


BEFORE_ALLOCATION = [
    ("set_tensor", (0, IMAGE)),
    ("get_tensor", (0,)),
    ("get_tensor", (NO_TENSOR,)),
    ("get_tensor", (0, 3)),
    ("get_tensor", (-1,)),
    ("get_tensor_details", (5,)),
    ("get_tensor_details", (-1,)),
    ("get_signature_runner", ()),
    ("get_signature_runner", ("nothing",)),
]


@pytest.mark.parametrize(("method", "arguments"), BEFORE_ALLOCATION)
def test_calls_before_allocation_raise_as_native_litert(method: str, arguments: tuple[Any, ...]) -> None:
    pair = Pair(MODEL)
    assert_same_error(
        lambda: getattr(pair.interpreter, method)(*arguments), lambda: getattr(pair.native, method)(*arguments)
    )


def test_arrays_of_tensors_before_allocation() -> None:
    pair = Pair(MODEL)
    assert_same_error(pair.interpreter.tensor(0), pair.native.tensor(0))
    assert_same_error(pair.interpreter.tensor(NO_TENSOR), pair.native.tensor(NO_TENSOR))


def test_invoking_before_allocation_raises_as_native_litert() -> None:
    pair = Pair(MODEL)
    assert_same_error(pair.interpreter.invoke, pair.native.invoke, same_message=False)
    with pytest.raises(InterpreterError, match="Invoke called on model that is not ready"):
        pair.interpreter.invoke()


VALUES: list[Any] = [
    IMAGE.tolist(),
    IMAGE.astype(np.float64),
    IMAGE.astype(np.float16),
    IMAGE.astype(np.int32),
    IMAGE.astype(np.complex64),
    IMAGE.astype(bool),
    IMAGE.astype("datetime64[s]"),
    np.full(IMAGE.shape, "x"),
    np.full(IMAGE.shape, b"x"),
    np.full(IMAGE.shape, None, object),
    None,
    IMAGE[0],
    IMAGE[:, :8],
    np.float32(1),
]


@pytest.mark.parametrize("value", VALUES, ids=lambda value: str(getattr(value, "dtype", type(value).__name__)))
def test_wrong_values_of_an_input_raise_as_native_litert(value: Any) -> None:
    pair = Pair(MODEL)
    pair.allocate()
    assert_same_error(lambda: pair.interpreter.set_tensor(0, value), lambda: pair.native.set_tensor(0, value))


@pytest.mark.parametrize("index", [NO_TENSOR, -1, "0", 0.5, None])
def test_wrong_indices_of_a_tensor_raise_as_native_litert(index: Any) -> None:
    pair = Pair(MODEL)
    pair.allocate()
    same_message = isinstance(index, int)  # the remainder of native LiteRT's text is pybind11's
    for method, arguments in [("set_tensor", (index, IMAGE)), ("get_tensor", (index,))]:
        actual, native = getattr(pair.interpreter, method), getattr(pair.native, method)
        assert_same_error(lambda: actual(*arguments), lambda: native(*arguments), same_message=same_message)  # noqa: B023


def test_numpys_integers_are_indices() -> None:
    pair = Pair(MODEL)
    pair.allocate()
    pair.call("set_tensor", np.int64(0), IMAGE)
    pair.call("get_tensor", np.uint8(0))


@pytest.mark.parametrize(
    ("index", "shape", "same_message"),
    [
        (NO_TENSOR, [1], False),
        (-1, [1], False),
        (0, [[1]], True),
        (0, 5, True),
        (0, "a", True),
        (0, [-1, 2], False),
        (0, [1, 2.5, None], False),
    ],
)
def test_wrong_shapes_of_an_input_raise_as_native_litert(index: int, shape: Any, same_message: bool) -> None:
    pair = Pair(MODEL)

    def resize(interpreter: Any) -> None:
        interpreter.resize_tensor_input(index, shape)

    assert_same_error(lambda: resize(pair.interpreter), lambda: resize(pair.native), same_message=same_message)


def test_a_strict_resize_changes_open_dimensions_only() -> None:
    pair = Pair(MODEL)

    def resize(interpreter: Any) -> None:
        interpreter.resize_tensor_input(0, [2, 16, 16, 3], strict=True)

    assert_same_error(lambda: resize(pair.interpreter), lambda: resize(pair.native), same_message=False)
    with pytest.raises(InterpreterError, match="only allows mutating unknown dimensions"):
        resize(pair.interpreter)


def test_shapes_that_a_node_rejects_are_an_error_as_in_native_litert() -> None:
    pair = Pair(MODEL)
    pair.allocate()
    pair.call("resize_tensor_input", 0, [1, 16, 16, 4])
    assert_same_error(pair.interpreter.allocate_tensors, pair.native.allocate_tensors, same_message=False)
    assert_same_error(lambda: pair.interpreter.get_tensor(0), lambda: pair.native.get_tensor(0))
    assert_same_error(pair.interpreter.invoke, pair.native.invoke, same_message=False)


def test_between_resize_and_allocation_tensors_are_an_error() -> None:
    pair = Pair(handmade.sin_example())
    pair.allocate()
    pair.call("resize_tensor_input", 0, [5])
    values = np.zeros(5, np.float32)
    assert_same_error(pair.interpreter.invoke, pair.native.invoke, same_message=False)
    assert_same_error(lambda: pair.interpreter.get_tensor(0), lambda: pair.native.get_tensor(0))
    assert_same_error(lambda: pair.interpreter.set_tensor(0, values), lambda: pair.native.set_tensor(0, values))


@pytest.mark.parametrize(
    "inputs",
    [{}, {"x": IMAGE, "y": IMAGE}, {"z": np.zeros(4, np.float32)}, {"x": np.zeros(4)}, {"x": [0.0] * 4}],
    ids=["none", "too many", "unknown", "another type", "a list"],
)
def test_wrong_inputs_of_a_signature_have_native_litert_errors(inputs: dict[str, Any]) -> None:
    pair = Pair(stateful.counter())
    actual, native = pair.call("get_signature_runner", "add")
    assert_same_error(lambda: actual(**inputs), lambda: native(**inputs))


def test_shapes_that_a_signature_rejects_are_an_error_as_in_native_litert() -> None:
    pair = Pair(stateful.counter())
    actual, native = pair.call("get_signature_runner", "add")
    values = np.zeros((2, 2), np.float32)
    assert_same_error(lambda: actual(x=values), lambda: native(x=values), same_message=False)


def test_a_signature_must_be_named_where_there_are_two() -> None:
    pair = Pair(stateful.counter())
    assert_same_error(pair.interpreter.get_signature_runner, pair.native.get_signature_runner)


def test_a_node_that_fails_raises_invoke_failed(node: Any) -> None:
    pair = Pair(one_node("GATHER", [((4,),), ((1,), "int32")], ((1,),)))
    pair.allocate()
    pair.call("set_tensor", 1, np.array([9], np.int32))
    assert_same_error(pair.interpreter.invoke, pair.native.invoke, same_message=False)
    with pytest.raises(InterpreterError) as found:
        pair.interpreter.invoke()
    assert found.value.code == "INVOKE_FAILED"


@pytest.mark.parametrize(("op", "code"), [("FlexRFFT", "FLEX_OP"), ("NoSuchOp", "UNRESOLVED_CUSTOM_OP")])
def test_an_unknown_op_is_rejected_with_its_name(op: str, code: str, node: Any) -> None:
    """Native LiteRT finds them on allocation; here the file is rejected."""
    with pytest.raises(ModelError, match=op.removeprefix("Flex")) as found:
        Interpreter(model_content=handmade.custom_op_model(op))
    assert found.value.code == code
