"""The classic example f(x) = sin(x) + x + sin(2x), partitioned by allowed and excluded ops."""

import numpy as np
import pytest

from web_tests.drivers.harness import Harness, LoadOptions
from web_tests.models.handmade import sin_example, sin_example_output

X = np.array([2.0, -3.0, -1.5, 0.0, 0.5, 1.0, 3.0, 7.0], dtype=np.float32)


def test_only_sin_returns_four_ordered_subsets(webnn: Harness) -> None:
    loaded = webnn.load(sin_example(len(X)), LoadOptions(webnn_options={"allowedOps": ["SIN"]}))
    partitions = loaded.report["partitions"]
    assert [part["ops"] for part in partitions] == [["SIN"], ["ADD", "MUL"], ["SIN"], ["ADD"]]
    assert [part["nodes"] for part in partitions] == [[0], [1, 2], [3], [4]]
    assert [part["placement"] for part in partitions] == ["webnn", "cpu", "webnn", "cpu"]
    assert loaded.execution_mode == "stepped"
    (y,) = loaded.run([X])
    assert y[0] == pytest.approx(2.152495, abs=1e-6)
    np.testing.assert_allclose(y, sin_example_output(X), rtol=1e-6, atol=1e-6)


@pytest.mark.parametrize(
    ("options", "mode", "delegated"),
    [
        ({}, "direct", 5),
        ({"ignorePartitionCost": False}, "cpu", 0),  # so little work is not worth a dispatch
        ({"excludedOps": ["MUL"], "ignorePartitionCost": False}, "cpu", 0),
        ({"excludedOps": ["MUL"], "ignorePartitionCost": True}, "stepped", 4),
        ({"excludedOps": ["SIN", "ADD", "MUL"]}, "cpu", 0),
        ({"allowedOps": ["SIN"], "maxPartitions": 1}, "stepped", 1),
        ({"minNodesPerPartition": 6}, "cpu", 0),
        ({"devicePreference": "gpu", "powerPreference": "low-power", "ignorePartitionCost": False}, "direct", 5),
    ],
    ids=str,
)
def test_options_decide_which_nodes_are_delegated(
    webnn: Harness, options: dict[str, object], mode: str, delegated: int
) -> None:
    loaded = webnn.load(sin_example(len(X)), LoadOptions(webnn_options=options))
    assert (loaded.execution_mode, loaded.report["totals"]["delegatedNodes"]) == (mode, delegated)
    np.testing.assert_allclose(loaded.run([X])[0], sin_example_output(X), rtol=1e-6, atol=1e-6)


def test_stepped_runs_follow_their_inputs(webnn: Harness) -> None:
    loaded = webnn.load(sin_example(len(X)), LoadOptions(webnn_options={"allowedOps": ["SIN"]}))
    for factor in (1, -2, 0.25):
        x = (X * factor).astype(np.float32)
        np.testing.assert_allclose(loaded.run([x])[0], sin_example_output(x), rtol=1e-6, atol=1e-6)
