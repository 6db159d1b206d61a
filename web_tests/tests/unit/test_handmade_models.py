"""Handmade models: native LiteRT runs them, they are reproducible, and so is their damage."""

import numpy as np
import pytest

from tools.fuzz.mutator import damaged_bytes, damaged_structure
from web_tests.models.handmade import custom_op_model, sin_example, sin_example_output, tiny_network, truncated
from web_tests.models.model_writer import ModelWriter
from web_tests.models.recipes import SEED
from web_tests.references import native_litert


def test_sin_example_is_the_function() -> None:
    x = np.linspace(-5, 5, 8, dtype=np.float32)
    (y,) = native_litert.run_native(sin_example(8), [x])
    np.testing.assert_allclose(y, sin_example_output(x), rtol=1e-6, atol=1e-6)


def test_tiny_network_returns_scores() -> None:
    (scores,) = native_litert.run_native(tiny_network(), [np.full((1, 16, 16, 3), 0.5, np.float32)])
    assert scores.shape == (1, 5)
    assert scores.sum() == pytest.approx(1)


def test_the_same_bytes_every_time() -> None:
    assert tiny_network() == tiny_network()


@pytest.mark.parametrize("damage", [damaged_bytes, damaged_structure])
def test_damage_depends_on_nothing_but_the_seed(damage: object) -> None:
    assert callable(damage)
    content = tiny_network()
    files = [damage(content, seed) for seed in range(SEED, SEED + 20)]
    assert files == [damage(content, seed) for seed in range(SEED, SEED + 20)]
    assert len(set(files)) > 10
    assert all(file[4:8] == b"TFL3" for file in files)


def test_native_litert_rejects_what_it_must() -> None:
    for content in (custom_op_model("FlexErf"), truncated(tiny_network())):
        with pytest.raises(native_litert.ReferenceError, match="native LiteRT cannot"):
            native_litert.run_native(content, [np.zeros((1, 4), np.float32)])


def test_a_crash_of_native_litert_is_an_error() -> None:
    writer = ModelWriter()
    resource = writer.tensor("resource", (1,))
    writer.node("ASSIGN_VARIABLE", [resource], [])  # its value is missing
    content = writer.finish([resource], [resource])
    with pytest.raises(native_litert.ReferenceError, match="native LiteRT"):
        native_litert.separate_outputs(content, [np.zeros(1, np.float32)])


def test_misspelt_options_are_an_error() -> None:
    with pytest.raises(AttributeError, match="has no option strideX"):
        ModelWriter().node("CONV_2D", [], [], {"strideX": 1})


def test_sparse_constants_are_what_was_written() -> None:
    random = np.random.default_rng(SEED)
    weights = random.normal(size=(5, 7)).astype(np.float32) * (random.random((5, 7)) < 0.3)
    writer = ModelWriter()
    x, y = writer.tensor("x", (1, 7)), writer.tensor("y", (1, 5))
    sparse = writer.sparse_constant("weights", weights)
    writer.node("FULLY_CONNECTED", [x, sparse, -1], [y])
    values = random.normal(size=(1, 7)).astype(np.float32)
    (found,) = native_litert.run_native(writer.finish([x], [y]), [values])
    np.testing.assert_allclose(found, values @ weights.T, rtol=1e-5, atol=1e-6)
