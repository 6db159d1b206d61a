"""Networks of today's converters: right on WebNN and on the CPU, and each on WebNN as far as it says."""

from typing import Any

import numpy as np
import pytest
from ai_edge_litert.interpreter import Interpreter

from web_tests.drivers.harness import Harness, LoadOptions
from web_tests.models.networks.modern import MODERN, ModernNetwork, inputs_of
from web_tests.models.recipes import Array

MAX_BYTES = 300_000
CPU = LoadOptions(webnn=False)
WEBNN = LoadOptions(webnn=True)


def native(content: bytes, network: ModernNetwork) -> tuple[list[Array], list[Array]]:
    """Return the seeded inputs, and native LiteRT's answer."""
    interpreter = Interpreter(model_content=content)
    for detail, shape in zip(interpreter.get_input_details(), network.resized or (), strict=False):
        interpreter.resize_tensor_input(detail["index"], shape)
    interpreter.allocate_tensors()
    details = interpreter.get_input_details()
    inputs = inputs_of([(row["name"], tuple(row["shape"]), row["dtype"]) for row in details])
    for detail, array in zip(details, inputs, strict=True):
        interpreter.set_tensor(detail["index"], array)
    interpreter.invoke()
    return inputs, [interpreter.get_tensor(row["index"]) for row in interpreter.get_output_details()]


def where(report: dict[str, Any]) -> tuple[str, int, int]:
    totals = report["totals"]
    return report["executionMode"], totals["delegatedNodes"], totals["nodes"]


@pytest.mark.parametrize("options", [WEBNN, CPU], ids=["webnn", "cpu"])
@pytest.mark.parametrize("name", MODERN)
def test_answers_like_native_litert(webnn: Harness, name: str, options: LoadOptions) -> None:
    network = MODERN[name]
    content = network.make()
    assert len(content) < MAX_BYTES
    inputs, expected = native(content, network)
    loaded = webnn.load(content, options)
    if network.resized is not None:
        loaded.resize([list(shape) for shape in network.resized])
    for found, array in zip(loaded.run(inputs, shapes=True), expected, strict=True):
        assert (found.shape, found.dtype) == (array.shape, array.dtype)
        distance = np.abs(found.astype(np.float64) - array.astype(np.float64)).max()
        assert distance <= network.tolerance * np.ptp(array.astype(np.float64))
    if options is WEBNN:
        assert where(loaded.report_now()) == (network.mode, network.on_webnn, network.nodes)
