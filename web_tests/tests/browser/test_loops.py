"""Loops that WebNN runs iteration by iteration, and scatters, compared with native LiteRT."""

import numpy as np
import pytest

from web_tests.drivers.harness import Harness, LoadOptions
from web_tests.models import loops
from web_tests.models.converted import rows
from web_tests.models.recipes import SEED
from web_tests.references.native_litert import outputs_of


@pytest.mark.parametrize("iterations", [1, 5])
def test_a_loop_becomes_its_iterations(webnn: Harness, options: LoadOptions, iterations: int) -> None:
    content, inputs = loops.recurrent(iterations), [rows(iterations)]
    loaded = webnn.load(content, options)
    ops = [node["op"] for node in loaded.report["nodes"]]
    if options.webnn:
        assert loaded.execution_mode == "direct", loaded.cpu_reasons()
        assert "WHILE" not in ops
        assert f"inlined         1 WHILE as {12 * iterations} nodes\n" in loaded.report_text()
    else:
        assert ops == ["ABS", "WHILE", "ADD"]
    for found, expected in zip(loaded.run(inputs), outputs_of(content, inputs), strict=True):
        np.testing.assert_allclose(found, expected, atol=1e-6)


def test_a_loop_of_many_iterations_is_kept(webnn: Harness) -> None:
    content, inputs = loops.recurrent(65), [rows(65)]
    loaded = webnn.load(content, LoadOptions())
    assert loaded.cpu_reasons()["WHILE"] == "the loop stays one node: it has more than 64 iterations"
    np.testing.assert_allclose(loaded.run(inputs)[0], outputs_of(content, inputs)[0], atol=1e-5)


def test_a_loop_without_iterations_is_kept(webnn: Harness) -> None:
    content, inputs = loops.recurrent(3, bound=0), [rows(3)]
    loaded = webnn.load(content, LoadOptions())
    assert loaded.cpu_reasons()["WHILE"] == "the loop stays one node: it has no iterations"
    np.testing.assert_allclose(loaded.run(inputs)[0], outputs_of(content, inputs)[0], atol=1e-6)


def test_a_loop_that_generates_random_numbers_remains_one_node(webnn: Harness) -> None:
    content, inputs = loops.random_walk(), [np.array([1, -1], np.float32)]
    loaded = webnn.load(content, LoadOptions())
    assert loaded.cpu_reasons()["WHILE"] == "the loop stays one node: its body generates random numbers"
    np.testing.assert_allclose(loaded.run(inputs)[0], outputs_of(content, inputs)[0], atol=1e-6)


# Rows 1 and 4 go to one position, and the last two to none.
POSITIONS = np.array([[0, 1], [3, 4], [2, 2], [0, 0], [3, 4], [1, 5]], np.int32)


def test_the_last_row_scattered_to_a_position_remains(webnn: Harness, options: LoadOptions) -> None:
    content = loops.scatter()
    inputs = [POSITIONS, np.random.default_rng(SEED).normal(size=(6, 3)).astype(np.float32)]
    loaded = webnn.load(content, options)
    assert loaded.execution_mode == ("direct" if options.webnn else "cpu"), loaded.cpu_reasons()
    np.testing.assert_array_equal(loaded.run(inputs)[0], outputs_of(content, inputs)[0])


def test_scattered_sums_stay_on_the_cpu(webnn: Harness) -> None:
    content = loops.scatter("STABLEHLO_ADD")
    inputs = [POSITIONS, np.random.default_rng(SEED).normal(size=(6, 3)).astype(np.float32)]
    loaded = webnn.load(content, LoadOptions())
    assert loaded.cpu_reasons()["STABLEHLO_SCATTER"] == "only entire rows that overwrite others are scattered"
    np.testing.assert_array_equal(loaded.run(inputs)[0], outputs_of(content, inputs)[0])
