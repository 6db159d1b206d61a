"""Bad files, bad inputs and missing files: each has its own error, and a good model loads afterwards in the page."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
import pytest

from web_tests import models_made
from web_tests.harness import Harness, LoadedModel, LoadOptions, ModelError
from web_tests.models import SEED, all_models
from web_tests.models_made import sin_example, sin_example_answer, tiny_network

MUTATIONS = 60
X = np.linspace(-3, 3, 8, dtype=np.float32)


def real_model() -> bytes:
    return all_models()["face_detection_short_range"].content()


# What is loaded, the error's class, and words that its message must have.
BAD_FILES: dict[str, tuple[Callable[[], bytes], str, str]] = {
    "truncated": (lambda: models_made.truncated(real_model()), "MalformedModelError", "truncated"),
    "truncated_to_the_header": (lambda: real_model()[:16], "MalformedModelError", "truncated"),
    "zeros": (models_made.zeros, "NotATFLiteModelError", "TFL3"),
    "empty": (lambda: b"", "NotATFLiteModelError", "empty"),
    "html": (lambda: b"<!doctype html><title>404</title>" * 20, "NotATFLiteModelError", "HTML"),
    "flex_op": (lambda: models_made.custom_op_model("FlexErf"), "FlexOpError", "FlexErf"),
    "edge_tpu": (lambda: models_made.custom_op_model("edgetpu-custom-op"), "EdgeTpuOpError", "edgetpu-custom-op"),
    "custom_op": (lambda: models_made.custom_op_model("MyOp"), "UnresolvedCustomOpError", "MyOp"),
}


@pytest.fixture(params=[True, False], ids=["webnn", "cpu"])
def options(request: pytest.FixtureRequest) -> LoadOptions:
    return LoadOptions(webnn=request.param)


@pytest.fixture
def page(webnn: Harness) -> Iterator[Harness]:
    """The page; after whatever a test did to it, a good model must load and be right."""
    yield webnn
    loaded = webnn.load(sin_example(len(X)))
    np.testing.assert_allclose(loaded.run([X])[0], sin_example_answer(X), rtol=1e-6, atol=1e-6)


@pytest.mark.parametrize("name", BAD_FILES)
def test_bad_file(page: Harness, options: LoadOptions, name: str) -> None:
    make, error_class, words = BAD_FILES[name]
    with pytest.raises(ModelError) as caught:
        page.load(make(), options)
    assert caught.value.name == error_class
    assert words.lower() in caught.value.message.lower()


def test_missing_model_file(page: Harness, options: LoadOptions) -> None:
    with pytest.raises(ModelError) as caught:
        page.load("/models/there_is_none.tflite", options)
    assert caught.value.name == "ModelFetchError"
    assert "there_is_none.tflite" in caught.value.message
    assert "404" in caught.value.message


def test_missing_wasm_file(page: Harness, options: LoadOptions) -> None:
    missing = LoadOptions(webnn=options.webnn, extra={"wasmPath": "/nowhere/"})
    with pytest.raises(ModelError) as caught:
        page.load(sin_example(), missing)
    assert caught.value.name == "WasmLoadError"
    assert "/nowhere/" in caught.value.message


BAD_INPUTS = {
    "too_few_values": ([X[:5]], False, "InputShapeError"),
    "too_many_values": ([np.zeros(9, np.float32)], False, "InputShapeError"),
    "other_shape": ([X.reshape(2, 4)], True, "InputShapeError"),
    "integers": ([X.astype(np.int32)], False, "InputDTypeError"),
    "doubles": ([X.astype(np.float64)], False, "InputDTypeError"),
    "same_bytes_other_dtype": ([X.view(np.uint8)], False, "InputDTypeError"),
    "one_too_many": ([X, X], False, "InputNameError"),
    "none": ([], False, "InputNameError"),
    "unknown_name": ({"nonsense": X}, False, "InputNameError"),
}


@pytest.mark.parametrize("name", BAD_INPUTS)
def test_bad_input(page: Harness, options: LoadOptions, name: str) -> None:
    inputs, with_shape, error_class = BAD_INPUTS[name]
    loaded = page.load(sin_example(len(X)), options)
    with pytest.raises(ModelError) as caught:
        loaded.run(inputs, shapes=with_shape)
    assert caught.value.name == error_class
    # The same model goes on working.
    np.testing.assert_allclose(loaded.run([X])[0], sin_example_answer(X), rtol=1e-6, atol=1e-6)


def test_disposed_model(page: Harness, options: LoadOptions) -> None:
    loaded = page.load(sin_example(len(X)), options)
    loaded.dispose(forget=False)
    with pytest.raises(ModelError) as caught:
        loaded.run([X])
    assert caught.value.name == "ModelDisposedError"
    loaded.dispose()  # a second time does nothing


def test_two_runs_at_once(page: Harness) -> None:
    """The second one is refused or waits; neither may end without an answer or with another one's numbers."""
    loaded = page.load(sin_example(len(X)))
    first, second = page.run_twice_at_once(loaded, [X])
    assert first == "fulfilled"
    assert second == "fulfilled" or second["name"] == "ModelBusyError"


@pytest.mark.parametrize("source", [tiny_network, sin_example], ids=["tiny_network", "sin_example"])
def test_random_damage_never_hangs_or_crashes(page: Harness, options: LoadOptions, source: Callable[[], bytes]) -> None:
    """Whatever the bytes are, loading and running end, with an answer or with one of the package's own errors."""
    outcomes: dict[str, int] = {}
    for seed, damaged in models_made.mutations(source(), MUTATIONS):
        outcome = attempt(page, damaged, options)
        assert outcome.endswith("Error") or outcome == "ran", f"seed {seed} (first is {SEED}): {outcome}"
        assert outcome not in {"Error", "TypeError", "RuntimeError", "RangeError"}, f"seed {seed}: {outcome}"
        outcomes[outcome] = outcomes.get(outcome, 0) + 1
    assert sum(outcomes.values()) == MUTATIONS


def attempt(page: Harness, content: bytes, options: LoadOptions) -> str:
    """Load and run; return "ran" or the class of the error."""
    try:
        loaded: LoadedModel = page.load(content, options)
        loaded.run([np.zeros(info["shape"], info["dtype"]) for info in loaded.inputs])
        loaded.dispose()
    except ModelError as error:
        return error.name
    return "ran"
