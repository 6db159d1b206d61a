"""run()'s typed results in Node, in this thread and off it."""

from pathlib import Path

import numpy as np
import pytest

from web_tests.models import handmade
from web_tests.tests.node.programs import in_node

pytestmark = pytest.mark.needs("package")

ON_POLYFILL = "{ enableWebnnDelegate: true, webnnDelegateOptions: { polyfill: 'tflite' } }"
LOADERS = {
    "here": "library.loadTFLiteModel",
    "in a worker": "(...all) => new library.TFLiteWorker().loadTFLiteModel(...all)",
}
X = [0.0, 0.5, 1.0, -1.0]


@pytest.mark.parametrize("options", ["{}", ON_POLYFILL], ids=["CPU", "WebNN"])
@pytest.mark.parametrize("loader", LOADERS.values(), ids=LOADERS)
def test_results_are_equal_in_this_thread_and_in_a_worker(
    program: str, tmp_path: Path, loader: str, options: str
) -> None:
    file = tmp_path / "sine.tflite"
    file.write_bytes(handmade.quantized_sine())
    body = f"""
        const load = {loader};
        const model = await load(file, {options});
        const x = Float32Array.from({X});
        const toJson = (result) => [{{ ...result, data: [...result.data] }}, [...result.dequantized()]];
        const list = (await model.run(x)).map(toJson);
        const {{ sine, steps }} = await model.run({{ x }});
        const {{ executionMode }} = await model.report();
        await model.dispose();
        return {{ list, named: [sine, steps].map(toJson), executionMode }};
    """
    found = in_node(program, file, body)
    assert found["executionMode"] == ("cpu" if options == "{}" else "direct")
    assert found["list"] == found["named"]
    (sine, real), (steps, dequantized) = found["list"]
    assert sine == {"name": "sine", "dtype": "float32", "shape": [4], "data": real, "quantization": None}
    np.testing.assert_allclose(real, np.sin(X), atol=1e-6)
    assert steps["quantization"] == {"scales": [1 / 64], "zeroPoints": [-3], "quantizedDimension": 0}
    np.testing.assert_allclose(dequantized, np.sin(X), atol=1 / 64)


@pytest.mark.parametrize("loader", LOADERS.values(), ids=LOADERS)
def test_shapes_are_those_of_the_run(program: str, tmp_path: Path, loader: str) -> None:
    file = tmp_path / "positives.tflite"
    file.write_bytes(handmade.positives())
    body = f"""
        const load = {loader};
        const model = await load(file);
        const shapes = [];
        for (const x of [[1, -1, 2, -2, 3, 0], [-1, -1, -1, -1, -1, -1], [0, 0, 0, 0, 0, 5]]) {{
          const {{ indices }} = await model.run({{ x: Float32Array.from(x) }});
          shapes.push([indices.shape, Number(indices.data.at(-1) ?? -1)]);
        }}
        await model.dispose();
        return shapes;
    """
    assert in_node(program, file, body) == [[[3, 1], 4], [[0, 1], -1], [[1, 1], 5]]
