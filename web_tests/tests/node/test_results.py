"""run()'s typed results in Node, in this thread and off it."""

from pathlib import Path

import numpy as np
import pytest

from web_tests.models import handmade
from web_tests.tests.node.programs import EXECUTIONS, call_in_node

pytestmark = pytest.mark.needs("package")

LOADERS = ("here", "worker")
X = [0.0, 0.5, 1.0, -1.0]


@pytest.mark.parametrize("execution", EXECUTIONS)
@pytest.mark.parametrize("loader", LOADERS)
def test_results_are_equal_in_this_thread_and_in_a_worker(
    program: str, tmp_path: Path, loader: str, execution: str
) -> None:
    file = tmp_path / "sine.tflite"
    file.write_bytes(handmade.quantized_sine())
    found = call_in_node(program, "results", "listedAndNamed", file, loader, EXECUTIONS[execution], X)
    assert found["executionMode"] == ("cpu" if execution == "cpu" else "direct")
    assert found["list"] == found["named"]
    (sine, real), (steps, dequantized) = found["list"]
    assert sine == {"name": "sine", "dtype": "float32", "shape": [4], "data": real, "quantization": None}
    np.testing.assert_allclose(real, np.sin(X), atol=1e-6)
    assert steps["quantization"] == {"scales": [1 / 64], "zeroPoints": [-3], "quantizedDimension": 0}
    np.testing.assert_allclose(dequantized, np.sin(X), atol=1 / 64)


@pytest.mark.parametrize("loader", LOADERS)
def test_shapes_are_those_of_the_run(program: str, tmp_path: Path, loader: str) -> None:
    file = tmp_path / "positives.tflite"
    file.write_bytes(handmade.positives())
    found = call_in_node(program, "results", "shapesOfRuns", file, loader)
    assert found == [[[3, 1], 4], [[0, 1], -1], [[1, 1], 5]]
