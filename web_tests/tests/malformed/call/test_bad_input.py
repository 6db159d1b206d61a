"""Bad files, bad inputs and missing files: each has its own error, and a good model loads afterwards in the page."""

from collections.abc import Callable, Iterator

import numpy as np
import pytest

from tools.fuzz.mutator import damaged_bytes, damaged_structure
from web_tests.drivers.harness import Harness, LoadOptions, ModelError
from web_tests.malformed.calls import BAD_FILES, BAD_INPUTS, X, real_model
from web_tests.models.catalogue import all_models
from web_tests.models.handmade import sin_example, sin_example_output, tiny_network
from web_tests.models.recipes import SEED

DAMAGED_FILES = 40
OWN_ERRORS = {
    "EDGE_TPU_OP",
    "FLEX_OP",
    "INPUT_DTYPE",
    "INPUT_SHAPE",
    "InterpreterError",
    "MALFORMED_MODEL",
    "NOT_A_TFLITE_MODEL",
    "OUTPUT_BUFFER",
    "UNRESOLVED_CUSTOM_OP",
    "WASM_TRAP",
    "WEBNN_RUN_FAILED",
}


@pytest.fixture(params=[True, False], ids=["webnn", "cpu"])
def options(request: pytest.FixtureRequest) -> LoadOptions:
    return LoadOptions(webnn=request.param)


@pytest.fixture
def page(webnn: Harness) -> Iterator[Harness]:
    """The page; after each test, a good model must load and run correctly."""
    yield webnn
    loaded = webnn.load(sin_example(len(X)))
    np.testing.assert_allclose(loaded.run([X])[0], sin_example_output(X), rtol=1e-6, atol=1e-6)


@pytest.mark.parametrize("name", BAD_FILES)
def test_a_bad_file_is_rejected_with_its_code(page: Harness, options: LoadOptions, name: str) -> None:
    make, code, part = BAD_FILES[name]
    with pytest.raises(ModelError) as caught:
        page.load(make(), options)
    assert caught.value.code == code
    assert part.lower() in caught.value.message.lower()


def test_a_missing_model_file_is_an_error_with_its_address(page: Harness, options: LoadOptions) -> None:
    with pytest.raises(ModelError) as caught:
        page.load("/models/there_is_none.tflite", options)
    assert caught.value.code == "MODEL_FETCH_FAILED"
    assert "there_is_none.tflite" in caught.value.message
    assert "404" in caught.value.message


def test_a_missing_wasm_file_is_named_in_the_error(page: Harness, options: LoadOptions) -> None:
    missing = LoadOptions(webnn=options.webnn, extra={"wasmPath": "/nowhere/"})
    with pytest.raises(ModelError) as caught:
        page.load(sin_example(), missing)
    assert caught.value.code == "WASM_LOAD_FAILED"
    assert "/nowhere/" in caught.value.message


@pytest.mark.parametrize("name", BAD_INPUTS)
def test_a_bad_input_is_rejected_and_the_model_still_runs(page: Harness, options: LoadOptions, name: str) -> None:
    inputs, with_shape, code = BAD_INPUTS[name]
    loaded = page.load(sin_example(len(X)), options)
    with pytest.raises(ModelError) as caught:
        loaded.run(inputs, shapes=with_shape)
    assert caught.value.code == code
    # The same model still works.
    np.testing.assert_allclose(loaded.run([X])[0], sin_example_output(X), rtol=1e-6, atol=1e-6)


def test_a_disposed_model_does_not_run(page: Harness, options: LoadOptions) -> None:
    loaded = page.load(sin_example(len(X)), options)
    loaded.dispose(drop=False)
    with pytest.raises(ModelError) as caught:
        loaded.run([X])
    assert caught.value.code == "MODEL_DISPOSED"
    loaded.dispose()  # a second call has no effect


def test_parallel_runs_each_get_their_own_output(page: Harness, options: LoadOptions) -> None:
    """Each run waits for the earlier ones; none returns another one's numbers."""
    loaded = page.load(sin_example(len(X)), options)
    provided = [X * factor for factor in (1, 2, 3)]
    for x, (found,) in zip(provided, page.run_in_parallel(loaded, [[x] for x in provided]), strict=True):
        np.testing.assert_allclose(found, sin_example_output(x), rtol=1e-6, atol=1e-6)


SOURCES: dict[str, Callable[[], bytes]] = {
    "sin_example": sin_example,
    "tiny_network": tiny_network,
    "float_network": real_model,
    "dense_network": lambda: all_models()["oww_alexa"].content(),
    "int8_network": lambda: all_models()["mlperftiny_kws_int8"].content(),
}


@pytest.mark.parametrize("damage", [damaged_bytes, damaged_structure], ids=lambda function: function.__name__)
@pytest.mark.parametrize("source", SOURCES)
def test_random_damage_never_hangs_or_crashes(
    page: Harness, options: LoadOptions, source: str, damage: Callable[[bytes, int], bytes]
) -> None:
    """With any file, loading and running end with outputs or one of the package's own errors."""
    content = SOURCES[source]()
    outcomes = {seed: attempt(page, damage(content, seed), options) for seed in range(SEED, SEED + DAMAGED_FILES)}
    foreign = {seed: outcome for seed, outcome in outcomes.items() if outcome not in {"ran", *OWN_ERRORS}}
    assert not foreign, f"errors that are not the package's own, by seed: {foreign}"


def attempt(page: Harness, content: bytes, options: LoadOptions) -> str:
    """Load and run; return "ran" or the code of the error, or the class where the code is a stage of TFLite."""
    try:
        page.attempt(content, options)
    except ModelError as error:
        return error.name if error.name == "InterpreterError" else error.code
    return "ran"
