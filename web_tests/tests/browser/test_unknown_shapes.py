"""Models with tensors whose shape depends on the data: WebNN runs the nodes that do not depend on them."""

import itertools
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pytest

from web_tests.drivers.harness import Harness, LoadOptions
from web_tests.models.networks import selection
from web_tests.models.recipes import SEED, Array
from web_tests.references.comparison import assert_close
from web_tests.references.native_litert import outputs_of_runs

TOLERANCE = 1e-5


def rows_with(*counts: int) -> list[list[Array]]:
    """Return inputs of best_rows() of which as many rows are chosen."""
    random = np.random.default_rng(SEED)
    content = selection.best_rows()
    found: dict[int, list[Array]] = {}
    for attempt in itertools.count():
        if set(counts) <= set(found):
            break
        x = random.standard_normal((selection.ROWS, selection.WIDTH), dtype=np.float32)
        if attempt % 2 == 0:
            x = np.tile(x[:1], (selection.ROWS, 1))  # all rows or none
        count = len(outputs_of_runs(content, [[x]])[0][0])
        found.setdefault(count, [x])
    return [found[count] for count in counts]


def compare(harness: Harness, content: bytes, runs: Sequence[Sequence[Array]], options: LoadOptions) -> Any:
    loaded = harness.load(content, options)
    for inputs, expected in zip(runs, outputs_of_runs(content, runs), strict=True):
        found = loaded.run(list(inputs), shapes=True)
        assert [(one.shape, one.dtype) for one in found] == [(one.shape, one.dtype) for one in expected]
        assert_close(found, expected, absolute=TOLERANCE)
    return loaded


def placements(loaded: Any) -> dict[str, list[str]]:
    """Return the ops by where they run, in the order of the file."""
    ops: dict[str, list[str]] = {"webnn": [], "cpu": []}
    for node in loaded.report["nodes"]:
        ops[node["placement"]].append(node["op"])
    return ops


@pytest.mark.parametrize("more", [{}, {"excludedOps": ["TANH"]}], ids=["all", "tanh_on_cpu"])
def test_rows_that_the_data_chooses_equal_native_litert(
    webnn: Harness, options: LoadOptions, more: Mapping[str, Any]
) -> None:
    runs = rows_with(4, 7, 12, 0, 7, 5)
    chosen = LoadOptions(options.webnn, {**(options.webnn_options or {}), **more})
    loaded = compare(webnn, selection.best_rows(), runs, chosen)
    if not options.webnn:
        return
    assert loaded.execution_mode == "stepped"
    ops = placements(loaded)
    assert ops["cpu"] == ["WHERE", "SQUEEZE", *more.get("excludedOps", []), "GATHER", "SUM", "MUL"]
    reasons = loaded.cpu_reasons()
    assert reasons["WHERE"] == "WHERE: the size of the result depends on the data, WebNN's shapes are fixed"
    assert "which it reads, is known only while the model runs" in reasons["SUM"]


def test_unique_values_equal_native_litert(webnn: Harness, options: LoadOptions) -> None:
    random = np.random.default_rng(SEED)
    runs = []
    for limit in (3, 20, 1, 8):
        x = random.standard_normal((selection.ROWS, selection.WIDTH), dtype=np.float32)
        runs.append([random.integers(0, limit, selection.ROWS).astype(np.int32), x])
    loaded = compare(webnn, selection.distinct_words(), runs, options)
    if options.webnn:
        assert placements(loaded)["cpu"] == ["UNIQUE", "GATHER", "GATHER", "ADD"]


def test_a_shape_that_is_an_input_equals_native_litert(webnn: Harness, options: LoadOptions) -> None:
    x = np.random.default_rng(SEED).standard_normal((2, 6), dtype=np.float32)
    runs = [[x, np.array(shape, np.int32)] for shape in ((1, 12), (3, 4), (2, 6))]
    loaded = compare(webnn, selection.requested_shape(), runs, options)
    if options.webnn:
        assert placements(loaded) == {"webnn": ["TANH"], "cpu": ["RESHAPE", "SIN"]}


def test_a_reshape_of_an_open_batch_stays_on_webnn(webnn: Harness, options: LoadOptions) -> None:
    random = np.random.default_rng(SEED)
    loaded = webnn.load(selection.joined_heads(), options)
    for rows in (3, 1, 5):
        x = random.standard_normal((rows, 2, 6), dtype=np.float32)
        loaded.resize([x.shape])
        (found,) = loaded.run([x], shapes=True)
        np.testing.assert_allclose(found, np.sin(x).reshape(rows, 12), rtol=0, atol=TOLERANCE)
        assert loaded.report_now()["executionMode"] == ("direct" if options.webnn else "cpu")


def test_nodes_of_unknown_shapes_are_timed(webnn: Harness) -> None:
    """A run in parts reports one time for each node."""
    denied = LoadOptions(webnn_options={"excludedOps": ["TANH"]}, extra={"enableProfiling": True})
    loaded = webnn.load(selection.best_rows(), denied)
    (inputs,) = rows_with(4)
    for _ in range(2):
        loaded.run(inputs)
        items, _summary = loaded.profile()
    nodes = [item["nodeName"] for item in items if item["nodeType"] != "WEBNN"]
    assert len(nodes) == len(set(nodes))
    assert sum(item["nodeType"] == "WEBNN" for item in items) == 2
