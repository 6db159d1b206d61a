"""States in Node: a language model's cache persists between prefill and decode, on the CPU and on the polyfill."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from web_tests.models.networks.decoder import DecoderShape, decoder
from web_tests.models.networks.graph import Graph
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
