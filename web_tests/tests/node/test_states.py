"""States in Node: a language model's cache persists between prefill and decode, on the CPU and on the polyfill."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from web_tests.models.networks.decoder import DecoderShape, decoder
from web_tests.models.networks.graph import Graph, Tensor
from web_tests.references.decoding import decode_natively
from web_tests.tests.node.programs import call_in_node

pytestmark = pytest.mark.needs("package")

PROMPT, STEPS = [1, 2, 3, 4], 5
TOLERANCE = 1e-5


def polyfill(**options: Any) -> dict[str, Any]:
    """Return the loading options of WebNN on the polyfill."""
    return {"enableWebnnDelegate": True, "webnnDelegateOptions": {"polyfill": "tflite", **options}}


@pytest.mark.parametrize("loader", ["here", "worker"])
@pytest.mark.parametrize(
    ("options", "mode"),
    [
        ({}, "cpu"),
        ({"enableXnnpackDelegate": False}, "cpu"),
        (polyfill(), "direct"),
        (polyfill(excludedOps=["BATCH_MATMUL"], ignorePartitionCost=True), "stepped"),
        (polyfill(blocking=True), "blocking"),
    ],
    ids=["CPU", "TFLite's kernels", "WebNN", "split", "blocking"],
)
def test_a_state_keeps_the_cache_between_signatures(
    program: str, tmp_path: Path, loader: str, options: Mapping[str, Any], mode: str
) -> None:
    content = decoder(DecoderShape())
    file = tmp_path / "decoder.tflite"
    file.write_bytes(content)
    found = call_in_node(program, "states", "decoded", file, loader, options, PROMPT, STEPS)
    assert found["modes"][0] == mode
    assert found["resident"] == found["byHand"] == found["again"]
    assert found["distance"] == 0
    np.testing.assert_allclose(
        found["resident"], decode_natively(content, [*PROMPT, PROMPT[-1]], STEPS), atol=TOLERANCE, rtol=TOLERANCE
    )


def running_total() -> bytes:
    """Return total + x, and the indices of x's positive values, whose number is known only after the run."""
    graph = Graph()
    x, total = (graph.tensor(name, (6,)) for name in ("x", "total"))
    is_positive = graph.binary("GREATER", x, graph.constant(np.zeros(1, np.float32)), dtype="bool")
    indices = graph.op("WHERE", [is_positive], (1, 1), dtype="int64", name="indices")
    added = graph.op("ADD", [total, x], (6,), name="total")
    return graph.finish([x, total], [indices, added], signature="step")


@pytest.mark.parametrize("options", [{}, {"enableXnnpackDelegate": False}, polyfill()])
def test_a_state_of_a_model_with_dynamic_tensors_is_copied(
    program: str, tmp_path: Path, options: Mapping[str, Any]
) -> None:
    """Its tensors cannot point at the state's memory: the values are copied."""
    file = tmp_path / "total.tflite"
    file.write_bytes(running_total())
    found = call_in_node(program, "states", "totals", file, options)
    assert found == {"shapes": [[3, 1], [0, 1], [1, 1]], "total": [0, -2, 1, -3, 2, 4], "withoutState": [0] * 6}


def updated_slices() -> bytes:
    """Return states that DYNAMIC_UPDATE_SLICE updates, with other readers of the old values, and two that cross."""
    graph = Graph()
    x, at = graph.tensor("x", (2,)), graph.tensor("at", (1,), "int32")
    names = ("alone", "before", "later", "twice", "chained", "a", "b")
    states = {name: graph.tensor(name, (6,)) for name in names}
    other = graph.unary("NEG", x)

    def update(operand: Tensor, slice_: Tensor = x, name: str = "") -> Tensor:
        return graph.op("DYNAMIC_UPDATE_SLICE", [operand, slice_, at], (6,), name=name)

    outputs = [
        update(states["alone"], name="alone"),
        graph.op("NEG", [states["before"]], (6,), name="old"),
        update(states["before"], name="before"),
        update(states["later"], name="later"),
        graph.op("ADD", [states["later"], states["later"]], (6,), name="doubled"),
        update(states["twice"], name="twice"),
        update(states["twice"], other, name="other"),
        update(update(states["chained"]), other, name="chained"),
        update(states["a"], name="a_out"),
        update(states["b"], other, name="b_out"),
    ]
    return graph.finish([x, at, *states.values()], outputs, signature="step")


SLICES = [{"x": [1, 2], "at": [1]}, {"x": [3, 4], "at": [4]}, {"x": [5, 6], "at": [2]}, {"x": [7, 8], "at": [9]}]


@pytest.mark.parametrize("crossed", [False, True])
@pytest.mark.parametrize(
    ("options", "mode"),
    [
        ({}, "cpu"),
        ({"enableXnnpackDelegate": False}, "cpu"),
        (polyfill(), "direct"),
        (polyfill(excludedOps=["NEG"], ignorePartitionCost=True), "stepped"),
        (polyfill(excludedOps=["DYNAMIC_UPDATE_SLICE"], ignorePartitionCost=True), "stepped"),
    ],
    ids=["CPU", "TFLite's kernels", "WebNN", "updates on WebNN", "updates on the CPU"],
)
def test_updates_in_place_change_nothing_that_is_read_later(
    program: str, tmp_path: Path, options: Mapping[str, Any], mode: str, crossed: bool
) -> None:
    file = tmp_path / "slices.tflite"
    file.write_bytes(updated_slices())
    tensors = {name: name for name in ("alone", "before", "later", "twice", "chained")}
    tensors |= {"a": "b_out", "b": "a_out"} if crossed else {"a": "a_out", "b": "b_out"}
    found = call_in_node(program, "states", "updated", file, options, tensors, SLICES)
    assert found["executionMode"] == mode
    assert found["withState"] == found["byHand"]
    assert found["withState"][1]["alone"] == [0, 1, 5, 6, 7, 8]
