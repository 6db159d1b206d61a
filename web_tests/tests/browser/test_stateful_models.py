"""Control flow, state, signatures, new input shapes and profiles, with the delegate, compared with native LiteRT."""

from typing import Any

import numpy as np
import pytest
from ai_edge_litert.interpreter import Interpreter

from web_tests.drivers.harness import Harness, LoadedModel, LoadOptions, ModelError
from web_tests.models import stateful
from web_tests.models.catalogue import all_models
from web_tests.models.recipes import SEED, Array
from web_tests.references.comparison import assert_close
from web_tests.references.inputs import inputs_for
from web_tests.references.native_litert import run_native

X = np.array([0.5, -1, 2, 0.25], np.float32)
# As a fraction of the results' range. Measured: 3.4e-7 for oww_embedding on WebNN, else 0.
TOLERANCE = 1e-5


@pytest.fixture(params=[True, False], ids=["webnn", "cpu"])
def options(request: pytest.FixtureRequest) -> LoadOptions:
    return LoadOptions(webnn=request.param)


@pytest.mark.parametrize(
    ("make", "inputs"),
    [
        (stateful.doubling_loop, [X]),
        (stateful.doubling_loop, [X * 100]),
        (stateful.branch, [np.array([True]), X]),
        (stateful.branch, [np.array([False]), X]),
    ],
)
def test_loops_and_branches_equal_native_litert(
    webnn: Harness, options: LoadOptions, make: Any, inputs: list[Array]
) -> None:
    content = make()
    loaded = webnn.load(content, options)
    assert loaded.execution_mode == ("stepped" if options.webnn else "cpu"), loaded.report["webnn"]["reason"]
    for _ in range(2):
        np.testing.assert_allclose(loaded.run(inputs)[0], run_native(content, inputs)[0], rtol=1e-5, atol=1e-5)


def test_signatures_share_a_variable_on_each_device(webnn: Harness, options: LoadOptions) -> None:
    loaded = webnn.load(stateful.counter(), options)
    assert loaded.execution_mode == ("stepped" if options.webnn else "cpu"), loaded.report["webnn"]["reason"]
    check_counter(loaded)


def check_counter(loaded: LoadedModel) -> None:
    """Compare the runs of a loaded stateful.counter() with native LiteRT's, and reset it."""
    native = Interpreter(model_content=stateful.counter())
    add, peek = native.get_signature_runner("add"), native.get_signature_runner("peek")
    factor = np.full(4, 3, np.float32)
    first = loaded.run([X])[0]
    np.testing.assert_allclose(first, add(x=X)["y"], rtol=1e-5, atol=1e-5)
    for _ in range(2):
        found = loaded.run_signature("add", {"x": X})["y"]
        np.testing.assert_allclose(found, add(x=X)["y"], rtol=1e-5, atol=1e-5)
        found = loaded.run_signature("peek", {"factor": factor})["product"]
        np.testing.assert_allclose(found, peek(factor=factor)["product"], rtol=1e-5, atol=1e-5)
    loaded.reset_state()
    np.testing.assert_array_equal(loaded.run([X])[0], first)


def test_wrong_calls_of_a_signature_are_rejected(webnn: Harness, options: LoadOptions) -> None:
    loaded = webnn.load(stateful.counter(), options)
    for key, inputs, name, pattern in [
        ("nothing", {}, "SIGNATURE", "It has: peek, add"),
        ("peek", {"x": X}, "INPUT_NAME", "factor"),
        ("peek", {"factor": X[:2]}, "INPUT_SHAPE", "4 elements"),
    ]:
        with pytest.raises(ModelError, match=pattern) as caught:
            loaded.run_signature(key, inputs)
        assert caught.value.code == name


def test_a_reset_network_scores_like_a_new_one(webnn: Harness, options: LoadOptions) -> None:
    """The wake-word network has state; after the reset it scores like a new one."""
    model = all_models()["mww_hey_jarvis_int8"]
    loaded = webnn.load(f"/models/{model.name}.tflite", options)
    time, band = np.arange(36 * 3).reshape(36, 1, 3, 1), np.arange(40)
    frames = (100 * np.sin(0.05 * time + 0.5 * band) - 20).astype(np.int8)  # varies the network's state

    def scores() -> list[int]:
        return [int(loaded.run([frame.reshape(1, 3, 40)])[0][0, 0]) for frame in frames]

    first = scores()
    assert scores() != first  # the state matters
    loaded.reset_state()
    assert scores() == first


def batch_of(model_name: str, count: int) -> list[Array]:
    (one,) = inputs_for(all_models()[model_name])
    shifted = [np.roll(one, 7 * index) for index in range(count)]
    return [np.concatenate(shifted).astype(one.dtype)]


@pytest.mark.parametrize("model_name", ["oww_embedding", "mlperftiny_kws_int8"])
def test_a_resized_batch_keeps_the_mode_and_equals_native_litert(
    webnn: Harness, options: LoadOptions, model_name: str
) -> None:
    content = all_models()[model_name].content()
    loaded = webnn.load(content, options)
    mode = loaded.execution_mode
    for count in (3, 1, 5, 3, 2, 4, 6, 3):
        inputs = batch_of(model_name, count)
        loaded.resize(list(inputs[0].shape))
        assert loaded.execution_mode == mode
        assert loaded.inputs[0]["shape"] == list(inputs[0].shape)
        found, expected = loaded.run(inputs, shapes=True)[0], run_native(content, inputs, resize=True)[0]
        assert found.shape == expected.shape
        assert_close([found], [expected], TOLERANCE)


def test_an_input_is_resized_by_its_name_and_wrong_shapes_are_rejected(webnn: Harness, options: LoadOptions) -> None:
    loaded = webnn.load(stateful.dynamic_batch(), options)
    rows = np.random.default_rng(SEED).normal(size=(5, 3)).astype(np.float32)
    loaded.resize({"x": [5, 3]})
    np.testing.assert_allclose(loaded.run([rows])[0], np.sin(rows) + rows, rtol=1e-5, atol=1e-5)
    for shapes, name in [
        ([-1, 3], "INPUT_SHAPE"),
        ({"y": [1]}, "INPUT_NAME"),
        ([[1, 3], [1]], "INPUT_NAME"),
    ]:
        with pytest.raises(ModelError) as caught:
            loaded.resize(shapes)
        assert caught.value.code == name
    np.testing.assert_allclose(loaded.run([rows])[0], np.sin(rows) + rows, rtol=1e-5, atol=1e-5)


def test_an_empty_batch_returns_an_empty_result_and_the_model_goes_on(webnn: Harness, options: LoadOptions) -> None:
    """Like in native LiteRT, an empty batch has an empty result, and the model keeps working."""
    loaded = webnn.load(stateful.dynamic_batch(), options)
    rows = np.random.default_rng(SEED).normal(size=(2, 3)).astype(np.float32)
    for inputs in (rows[:0], rows, rows[:0]):
        loaded.resize(list(inputs.shape))
        (found,) = loaded.run([inputs], shapes=True)
        assert found.shape == inputs.shape
        np.testing.assert_allclose(found, np.sin(inputs) + inputs, rtol=1e-5, atol=1e-5)


def test_a_resized_signature_keeps_the_state_of_the_others(webnn: Harness, options: LoadOptions) -> None:
    """`peek` multiplies the broadcast variable; its state and the main subgraph remain unchanged."""
    loaded = webnn.load(stateful.counter(), options)
    kept = loaded.run([X])[0]
    value = loaded.run_signature("peek", {"factor": np.ones(4, np.float32)})["product"]
    for rows in (3, 0, 1):
        factor = np.random.default_rng(SEED).normal(size=(rows, 4)).astype(np.float32)
        loaded.resize({"factor": [rows, 4]}, "peek")
        found = loaded.run_signature("peek", {"factor": factor})["product"]
        np.testing.assert_allclose(found, factor * value, rtol=1e-5, atol=1e-5, strict=True)
    with pytest.raises(ModelError, match=r"cannot run with inputs of the shapes \[3\]") as caught:
        loaded.resize([3], "peek")
    assert caught.value.code == "INPUT_SHAPE"
    assert options.webnn == ("state was reset" in str(caught.value))
    loaded.reset_state()
    np.testing.assert_array_equal(loaded.run([X])[0], kept)
    found = loaded.run_signature("peek", {"factor": np.ones((1, 4), np.float32)})["product"]
    np.testing.assert_allclose(found, [value], rtol=1e-5, atol=1e-5)
    for shapes, key, name in (([3], "nothing", "SIGNATURE"), ({"x": [3]}, "peek", "INPUT_NAME")):
        with pytest.raises(ModelError) as caught:
            loaded.resize(shapes, key)
        assert caught.value.code == name


def test_a_shape_that_the_model_rejects_leaves_it_running(webnn: Harness, options: LoadOptions) -> None:
    model = all_models()["mlperftiny_kws_int8"]
    loaded = webnn.load(f"/models/{model.name}.tflite", options)
    expected = loaded.run(inputs_for(model))[0]
    with pytest.raises(ModelError) as caught:
        loaded.resize([1, 7])
    assert caught.value.code == "INPUT_SHAPE", caught.value.message
    np.testing.assert_array_equal(loaded.run(inputs_for(model))[0], expected)


def test_a_profile_has_each_dispatch_and_cpu_node(webnn: Harness, options: LoadOptions) -> None:
    model = all_models()["face_detection_short_range"]
    extra = {"enableProfiling": True}
    denied = LoadOptions(options.webnn, {"excludedOps": ["MAX_POOL_2D"]}, extra)
    loaded = webnn.load(f"/models/{model.name}.tflite", denied)
    assert loaded.profile()[0] == []
    for _ in range(2):
        loaded.run(inputs_for(model))
        items, summary = loaded.profile()
    kinds = [item["nodeType"] for item in items]
    dispatches = sum(part["placement"] == "webnn" for part in loaded.report["partitions"])
    assert kinds.count("WEBNN") == dispatches
    assert len(items) > dispatches
    assert summary.startswith(f"{len(items)} nodes, ")
    assert all(item["nodeName"] for item in items)
    assert sum(item["nodeExecMs"] for item in items) > 0
