"""Networks with what today's converters write, on the CPU, WebNN and the polyfill, compared with native LiteRT."""

from collections import Counter
from typing import Any

import numpy as np
import pytest
from ai_edge_litert.interpreter import Interpreter

from web_tests.drivers.harness import Harness, LoadOptions
from web_tests.models import converted
from web_tests.models.recipes import SEED, Array
from web_tests.references.native_litert import outputs_of

# As a fraction of the results' range.
TOLERANCE = 1e-6

EXECUTIONS = {
    "cpu": LoadOptions(webnn=False),
    "webnn": LoadOptions(),
    "polyfill": LoadOptions(webnn_options={"polyfill": "tflite"}),
}


@pytest.fixture(params=EXECUTIONS)
def options(request: pytest.FixtureRequest) -> LoadOptions:
    return EXECUTIONS[request.param]


def check(found: list[Array], expected: list[Array]) -> None:
    for one, other in zip(found, expected, strict=True):
        np.testing.assert_allclose(one, other.reshape(one.shape), rtol=0, atol=TOLERANCE * float(np.ptp(other)))


def composites_of(report: dict[str, Any]) -> Counter[tuple[str, int]]:
    """Return the number of nodes inlined from each composite."""
    origins = [node["composite"] for node in report["nodes"] if node["composite"]]
    return Counter((origin["name"], origin["node"]) for origin in origins)


def test_composites_are_inlined(webnn: Harness, options: LoadOptions) -> None:
    content, inputs = converted.composites(), [converted.rows(6)]
    loaded = webnn.load(content, options)
    assert loaded.execution_mode == ("direct" if options.webnn else "cpu"), loaded.stays()
    assert composites_of(loaded.report) == {("odml.rms_norm", 1): 6, ("test.block", 2): 7, ("odml.rms_norm", 3): 6}
    assert "STABLEHLO_COMPOSITE" not in {node["op"] for node in loaded.report["nodes"]}
    check(loaded.run(inputs), outputs_of(content, inputs))
    assert "inlined         2 odml.rms_norm as 12 nodes\n" in loaded.report_text()


def test_composites_take_other_shapes(webnn: Harness, options: LoadOptions) -> None:
    content, inputs = converted.composites(), [converted.rows(3)]
    loaded = webnn.load(content, options)
    mode = loaded.execution_mode
    loaded.resize([3, converted.WIDTH])
    assert loaded.execution_mode == mode
    check(loaded.run(inputs), outputs_of(converted.composites(3), inputs))


def test_a_composite_that_returns_its_input_stays(webnn: Harness, options: LoadOptions) -> None:
    content, inputs = converted.kept_composite(), [converted.rows(6)]
    loaded = webnn.load(
        content, LoadOptions(options.webnn, {**(options.webnn_options or {}), "ignorePartitionCost": True})
    )
    assert loaded.execution_mode == ("stepped" if options.webnn else "cpu")
    reason = loaded.stays()["STABLEHLO_COMPOSITE"]
    if options.webnn:
        assert reason.startswith("the composite 'test.both' stays one node: its decomposition returns a tensor")
    check(loaded.run(inputs), outputs_of(content, inputs))


def native_at(content: bytes, x: Array) -> Array:
    interpreter = Interpreter(model_content=content)
    interpreter.resize_tensor_input(0, x.shape)
    interpreter.allocate_tensors()
    interpreter.set_tensor(0, x)
    interpreter.invoke()
    result: Array = interpreter.get_tensor(interpreter.get_output_details()[0]["index"])
    return result


def test_shapes_computed_from_an_open_batch(webnn: Harness, options: LoadOptions) -> None:
    content = converted.open_batch()
    loaded = webnn.load(content, options)
    for count in (1, 3, 2, 1):
        x = np.random.default_rng(SEED).normal(size=(count, 4, 4, 2)).astype(np.float32)
        loaded.resize(list(x.shape))
        assert loaded.execution_mode == ("direct" if options.webnn else "cpu"), loaded.stays()
        (found,) = loaded.run([x], shapes=True)
        assert found.shape == (count, 10, 10, 3)
        check([found], [native_at(content, x)])
