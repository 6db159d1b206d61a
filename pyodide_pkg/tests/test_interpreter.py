"""Every method of the interpreter, compared with native LiteRT."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tflite_webnn import Interpreter, OpResolverType

from pyodide_pkg.tests import small_models
from pyodide_pkg.tests.comparisons import assert_same, assert_same_values
from pyodide_pkg.tests.conftest import Pair
from pyodide_pkg.tests.fake_backend import FakeBackend
from web_tests.models import handmade, stateful
from web_tests.models.model_writer import ModelWriter
from web_tests.models.one_node import one_node
from web_tests.references import native_litert

pytestmark = pytest.mark.usefixtures("backend")

IMAGE = np.linspace(-1, 1, 16 * 16 * 3, dtype=np.float32).reshape(1, 16, 16, 3)
VECTOR = np.array([1, 2, 3, 4], np.float32)


@pytest.mark.parametrize("make", [handmade.tiny_network, small_models.per_channel, stateful.counter])
def test_input_and_output_details_are_those_of_native_litert(make: Callable[[], bytes]) -> None:
    pair = Pair(make())
    for _ in range(2):
        assert_same(*pair.call("get_input_details"))
        assert_same(*pair.call("get_output_details"))
        assert_same(*pair.call("num_subgraphs"))
        assert_same(*pair.call("get_signature_list"))
        assert_same(*pair.call("_get_full_signature_list"))
        pair.allocate()


def test_details_of_all_tensors_are_those_of_native_litert() -> None:
    pair = Pair(stateful.counter())
    for subgraph in range(pair.native.num_subgraphs()):
        assert_same(*pair.call("get_tensor_details", subgraph))


def test_details_of_a_sparse_tensor_are_those_of_native_litert() -> None:
    writer = ModelWriter()
    x, y = writer.tensor("x", (1, 4)), writer.tensor("y", (1, 2))
    weights = writer.sparse_constant("weights", np.array([[1, 0, 0, 2], [0, 0, 3, 0]], np.float32))
    writer.node("FULLY_CONNECTED", [x, weights, -1], [y])
    pair = Pair(writer.finish([x], [y]))
    assert_same(*pair.call("get_tensor_details"))
    pair.allocate()
    stored = next(row["index"] for row in pair.native.get_tensor_details() if row["sparsity_parameters"])
    assert_same(*pair.call("get_tensor", stored))


def test_zero_points_are_reported_once() -> None:
    pair = Pair(small_models.per_channel(), experimental_compress_quantization_zero_points=True)
    assert_same(*pair.call("get_tensor_details"))
    assert pair.interpreter.experimental_compress_quantization_zero_points is True


def test_a_run_equals_native_litert() -> None:
    pair = Pair(handmade.tiny_network())
    pair.allocate()
    pair.run(IMAGE)
    assert_same(*pair.outputs())


def test_operator_details_are_those_of_native_litert() -> None:
    pair = Pair(handmade.tiny_network())
    assert_same(*pair.call("_get_ops_details"))
    assert_same(*pair.call("_get_op_details", 1))


def test_constants_can_be_read_before_anything_is_allocated() -> None:
    pair = Pair(handmade.tiny_network())
    weights = next(row["index"] for row in pair.native.get_tensor_details() if row["name"] == "weights")
    assert_same(*pair.call("get_tensor", weights))


def test_a_scalar_output_is_numpys_type() -> None:
    pair = Pair(one_node("SUM", [((4,),), (np.array([0], np.int32),)], ((),), {"keepDims": False}))
    assert_same(*pair.call("get_output_details"))
    pair.allocate()
    pair.run(VECTOR)
    assert_same(*pair.outputs())


@pytest.mark.parametrize("layout", [np.asfortranarray, lambda array: array[:, ::-1], np.array])
def test_an_input_array_may_have_any_memory_layout(layout: Any) -> None:
    pair = Pair(handmade.tiny_network())
    pair.allocate()
    pair.run(layout(IMAGE))
    assert_same(*pair.outputs())


def test_an_input_in_the_other_byte_order_has_the_same_values() -> None:
    interpreter = Interpreter(model_content=handmade.tiny_network())
    interpreter.allocate_tensors()
    interpreter.set_tensor(0, IMAGE.astype(IMAGE.dtype.newbyteorder()))
    np.testing.assert_array_equal(interpreter.get_tensor(0), IMAGE)


def test_what_is_read_is_a_copy() -> None:
    interpreter = Interpreter(model_content=handmade.tiny_network())
    interpreter.allocate_tensors()
    interpreter.set_tensor(0, IMAGE)
    interpreter.get_tensor(0)[:] = 5
    np.testing.assert_array_equal(interpreter.get_tensor(0), IMAGE)


def test_resized_inputs_and_their_way_back_run_as_native_litert() -> None:
    pair = Pair(handmade.sin_example())
    for length in (8, 3, 3, 8):
        pair.call("resize_tensor_input", 0, [length])
        assert_same(*pair.call("get_input_details"))
        assert_same(*pair.call("get_output_details"))
        pair.allocate()
        assert_same(*pair.call("get_output_details"))
        pair.run(np.arange(length, dtype=np.float32))
        assert_same(*pair.outputs())


def test_an_open_dimension_accepts_another_batch() -> None:
    pair = Pair(small_models.open_batch())
    assert_same(*pair.call("get_input_details"))
    pair.call("resize_tensor_input", 0, np.array([5, 3]), strict=True)
    pair.allocate()
    pair.run(np.arange(15, dtype=np.float32).reshape(5, 3))
    assert_same(*pair.outputs())
    assert_same(*pair.call("get_output_details"))


def test_computed_weights_with_other_row_lengths_compute_as_native_litert() -> None:
    """A row of the weights may be a part of the input's rows, or several of them: XNNPACK computes neither."""
    writer = ModelWriter()
    x, weights, result = (writer.tensor(name, shape) for name, shape in (("x", (2, 12)), ("w", (5, 12)), ("y", (2, 5))))
    writer.node("FULLY_CONNECTED", [x, weights, -1], [result])
    pair = Pair(writer.finish([x, weights], [result]))
    random = np.random.default_rng(17)
    for shapes in [(2, 12), (5, 12)], [(3, 12), (7, 12)], [(2, 12), (5, 6)], [(2, 6), (5, 12)], [(4, 12), (5, 12)]:
        for index, shape in enumerate(shapes):
            pair.call("resize_tensor_input", index, shape)
        pair.allocate()
        pair.run(*(random.uniform(-1, 1, shape).astype(np.float32) for shape in shapes))
        assert_same(*pair.outputs())


def test_resetting_the_variables_zeroes_the_state() -> None:
    pair = Pair(small_models.remembering())
    pair.allocate()
    for _ in range(2):
        pair.run(VECTOR.reshape(1, 4))
    assert_same(*pair.outputs())
    assert pair.outputs()[0][0].max() > VECTOR.max()
    pair.call("reset_all_variables")
    pair.run(VECTOR.reshape(1, 4))
    assert_same(*pair.outputs())


def test_resetting_the_variables_keeps_resources() -> None:
    pair = Pair(stateful.counter())
    pair.allocate()
    pair.run(VECTOR)
    pair.call("reset_all_variables")
    pair.run(VECTOR)
    assert_same(*pair.outputs())


def test_intermediate_tensors_are_kept() -> None:
    with pytest.warns(UserWarning, match="preserve_all_tensors"):
        pair = Pair(handmade.sin_example(), experimental_preserve_all_tensors=True)
    pair.allocate()
    pair.run(np.arange(8, dtype=np.float32))
    for row in pair.native.get_tensor_details():
        if row["name"]:
            assert_same(*pair.call("get_tensor", row["index"]))


@pytest.mark.parametrize("kind", ["AUTO", "BUILTIN", "BUILTIN_WITHOUT_DEFAULT_DELEGATES"])
def test_an_op_resolver_type_decides_about_the_delegate(kind: str, backend: Any) -> None:
    interpreter = Interpreter(
        model_content=handmade.tiny_network(), experimental_op_resolver_type=OpResolverType[kind], num_threads=2
    )
    interpreter.allocate_tensors()
    interpreter.set_tensor(0, IMAGE)
    interpreter.invoke()
    has_delegate = any("DELEGATE" in node["op_name"].upper() for node in interpreter._get_ops_details())
    assert has_delegate is (kind != "BUILTIN_WITHOUT_DEFAULT_DELEGATES")
    if isinstance(backend, FakeBackend):
        assert backend.sessions[-1].options["numThreads"] == 2
    else:
        threads = interpreter.report()["threads"]
        assert (threads["requested"], threads["used"]) == (2, 1)
        assert "without threads" in threads["reason"]


def test_reference_kernels_are_announced_to_be_others() -> None:
    with pytest.warns(UserWarning, match="reference kernels"):
        Interpreter(model_content=handmade.tiny_network(), experimental_op_resolver_type=OpResolverType.BUILTIN_REF)


def test_a_model_is_read_from_a_path_and_from_any_bytes(tmp_path: Path) -> None:
    file = tmp_path / "model.tflite"
    file.write_bytes(handmade.tiny_network())
    for path in (file, str(file)):
        assert Interpreter(path).get_input_details()[0]["name"] == "image"
    for content in (bytearray(file.read_bytes()), memoryview(file.read_bytes())):
        assert Interpreter(model_content=content).get_input_details()[0]["name"] == "image"


def test_a_large_model_is_copied_in_parts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tflite_webnn.arguments._CHUNK_BYTES", 1000)
    file, content = tmp_path / "model.tflite", handmade.dense_stack(3, 40)
    file.write_bytes(content)
    for arguments in ({"model_path": file}, {"model_content": content}):
        interpreter = Interpreter(**arguments)
        interpreter.allocate_tensors()
        (detail,) = interpreter.get_input_details()
        x = np.linspace(-1, 1, int(np.prod(detail["shape"])), dtype=np.float32).reshape(detail["shape"])
        interpreter.set_tensor(detail["index"], x)
        interpreter.invoke()
        found = interpreter.get_tensor(interpreter.get_output_details()[0]["index"])
        assert_same_values(found, native_litert.outputs_of(content, [x])[0])


def test_the_report_names_the_execution_mode() -> None:
    interpreter = Interpreter(model_content=handmade.tiny_network())
    assert interpreter.report()["executionMode"] == "cpu"
