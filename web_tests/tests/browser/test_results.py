"""run()'s typed results: in the structure of the inputs, with the run's shape; equal in page, worker, WebNN and CPU."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Page

from web_tests.models import handmade
from web_tests.models.recipes import Array
from web_tests.server.server import Server

X = np.array([0, 0.5, 1, -1], np.float32)
SCALE, ZERO_POINT = 1 / 64, -3
WEBNN = {"enableWebnnDelegate": True, "webnnDelegateOptions": {"ignorePartitionCost": True}}
CPU = {"enableWebnnDelegate": False}
BLOCKING = {"enableWebnnDelegate": True, "webnnDelegateOptions": {"blocking": True, "ignorePartitionCost": True}}
# place, options, execution mode
WHERE = {
    "page, WebNN": ("page", WEBNN, "direct"),
    "page, CPU": ("page", CPU, "cpu"),
    "worker, WebNN": ("worker", WEBNN, "direct"),
    "worker, CPU": ("worker", CPU, "cpu"),
    "worker, blocking": ("worker", BLOCKING, "blocking"),
}
Call = Callable[..., Any]


@pytest.fixture
def call(own_page: Page, server: Server) -> Call:
    """Calls of pages/results.mjs."""
    own_page.goto(f"{server.origin}/probe.html")
    script = "async ([name, args]) => (await import('/results.mjs'))[name](...args)"
    return lambda name, *arguments: own_page.evaluate(script, [name, list(arguments)])


def check_sine(result: dict[str, Any]) -> None:
    assert (result["name"], result["dtype"], result["shape"]) == ("sine", "float32", [4])
    assert result["quantization"] is None
    np.testing.assert_allclose(result["data"], np.sin(X), atol=1e-6)
    assert result["real"] == result["data"]


def check_steps(result: dict[str, Any]) -> None:
    assert (result["name"], result["dtype"], result["shape"], result["array"]) == ("steps", "int8", [4], "Int8Array")
    quantization = {"scales": [SCALE], "zeroPoints": [ZERO_POINT], "quantizedDimension": 0}
    assert result["quantization"] == quantization
    np.testing.assert_allclose(result["data"], np.round(np.sin(X) / SCALE) + ZERO_POINT, atol=1)
    assert result["real"] == [(step - ZERO_POINT) * SCALE for step in result["data"]]


@pytest.mark.parametrize(("place", "options", "mode"), WHERE.values(), ids=WHERE)
def test_results_are_in_kind(call: Call, server: Server, place: str, options: dict[str, Any], mode: str) -> None:
    server.mailbox.put("sine", handmade.quantized_sine())
    found = call("kinds", place, "/exchange/sine", options)
    assert found["mode"] == mode
    for sine, steps in (found["list"], found["alsoList"], found["streamed"][0]):
        check_sine(sine)
        check_steps(steps)
    for named in (found["named"], found["signature"], found["streamed"][1]):
        assert sorted(named) == ["sine", "steps"]
        check_sine(named["sine"])
        check_steps(named["steps"])
    assert found["areGiven"]
    assert found["written"] == [found["named"]["sine"]["data"], found["named"]["steps"]["data"]]
    assert found["predicted"] == ["sine", "steps"]
    names, buffers = ["INPUT_NAME"] * 2, ["OUTPUT_BUFFER"] * 2
    assert found["wrong"] == [*names, *buffers, "INPUT_NAME"]


VALUES = [[1, -1, 2, -2, 3, 0], [-1] * 6, [1] * 6, [0, 0, 0, 0, 0, 5]]


def places_of(values: list[int]) -> Array:
    return np.argwhere(np.array(values) > 0)


@pytest.mark.parametrize(("place", "options"), [row[:2] for row in WHERE.values()], ids=WHERE)
def test_shapes_are_those_of_the_run(call: Call, server: Server, place: str, options: dict[str, Any]) -> None:
    server.mailbox.put("positives", handmade.positives())
    found = call("shapes", place, "/exchange/positives", options, VALUES)
    for answers in (found["answers"], found["streamed"]):
        for values, answer in zip(VALUES, answers, strict=True):
            assert (answer["name"], answer["dtype"], answer["array"]) == ("places", "int64", "BigInt64Array")
            np.testing.assert_array_equal(np.array(answer["data"]).reshape(answer["shape"]), places_of(values))
