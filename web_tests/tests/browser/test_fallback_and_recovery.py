"""Models in a real browser that is made to refuse a build, or to lose the context."""

from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np
import pytest

from web_tests.drivers.harness import Harness, LoadedModel, LoadOptions, ModelError
from web_tests.models.catalogue import all_models
from web_tests.models.networks import variables
from web_tests.models.recipes import Array
from web_tests.references.comparison import assert_close
from web_tests.references.inputs import inputs_for
from web_tests.references.report import check_report
from web_tests.tests.conftest import Call

MODEL = all_models()["face_detection_short_range"]
URL = f"/models/{MODEL.name}.tflite"
# Its pooling on the CPU makes it stepped.
STEPPED = LoadOptions(webnn_options={"deniedOps": ["MAX_POOL_2D"], "ignorePartitionCost": True})
# `expected` is WebNN's result; wasm rounds slightly differently.
TOLERANCE = 1e-4


@pytest.fixture
def inject(webnn: Harness, watched: Call) -> Iterator[Call]:
    """Calls pages/fault_injection.mjs; its effects end with the test."""
    yield partial(watched, "fault_injection")
    webnn.dispose_all()


@pytest.fixture(scope="module")
def inputs() -> list[Array]:
    return inputs_for(MODEL)


@pytest.fixture
def expected(webnn: Harness, inputs: list[Array]) -> list[Array]:
    loaded = webnn.load(URL)
    outputs = loaded.run(inputs)
    loaded.dispose()
    return outputs


def webnn_report(loaded: LoadedModel) -> dict[str, Any]:
    report = loaded.report_now()
    check_report(report)
    return dict(report["webnn"], mode=report["executionMode"])


@pytest.mark.parametrize(
    ("options", "tolerance"), [(LoadOptions(), 0), (STEPPED, TOLERANCE)], ids=["direct", "stepped"]
)
def test_a_context_lost_while_idle_is_replaced(
    webnn: Harness, inject: Call, inputs: list[Array], expected: list[Array], options: LoadOptions, tolerance: float
) -> None:
    loaded = webnn.load(URL, options)
    for losses in range(1, 5):  # a run between them separates the losses
        assert_close(loaded.run(inputs), expected, tolerance)
        inject("lose")
        assert_close(loaded.run(inputs), expected, tolerance)
        report = webnn_report(loaded)
        assert (report["used"], report["contextLosses"], report["mode"]) == (True, losses, loaded.execution_mode)
        assert report["lastContextLoss"]


def test_a_lost_context_costs_variables_in_wasm_nothing(webnn: Harness, inject: Call) -> None:
    """A wake-word network keeps frames in variables, which the CPU writes here: wasm outlives the context."""
    time, band = np.arange(36 * 3).reshape(36, 1, 3, 1), np.arange(40)
    frames = (100 * np.sin(0.05 * time + 0.5 * band) - 20).astype(np.int8)  # varies the network's state

    def answers(frames: Array, lose_after: int | None = None) -> list[int]:
        options = LoadOptions(
            webnn_options={"ignorePartitionCost": True, "deniedOps": ["ASSIGN_VARIABLE", "READ_VARIABLE"]}
        )
        loaded = webnn.load("/models/mww_hey_jarvis_int8.tflite", options)
        assert loaded.execution_mode == "stepped"
        found = []
        for number, frame in enumerate(frames):
            found.append(int(loaded.run([frame])[0][0, 0]))
            if number == lose_after:
                inject("lose")
        assert webnn_report(loaded)["contextLosses"] == (0 if lose_after is None else 1)
        return found

    expected = answers(frames)
    assert answers(frames[26:]) != expected[26:]  # the state matters
    assert answers(frames, lose_after=25) == expected


def test_a_lost_context_takes_variables_on_webnn_with_it(webnn: Harness, inject: Call) -> None:
    content, x = variables.ring_buffer(), np.ones((1, variables.NEW_FRAMES, variables.BANDS), np.float32)
    loaded = webnn.load(content, LoadOptions())
    assert loaded.execution_mode == "direct"
    first, second = loaded.run([x])[0], loaded.run([x])[0]
    assert not np.array_equal(first, second)
    inject("lose")
    with pytest.raises(ModelError, match=r"resetState\(\)") as caught:
        loaded.run([x])
    assert caught.value.name == "StateLostError"
    loaded.reset_state()
    for expected in (first, second):
        np.testing.assert_allclose(loaded.run([x])[0], expected, atol=1e-6)


@pytest.mark.parametrize("method", ["dispatch", "writeTensor", "readTensor"])
def test_a_run_that_loses_its_context_is_repeated(
    webnn: Harness, inject: Call, inputs: list[Array], expected: list[Array], method: str
) -> None:
    loaded = webnn.load(URL)
    inject("loseDuring", "MLContext", method, 1)
    assert_close(loaded.run(inputs), expected)
    assert webnn_report(loaded)["contextLosses"] == 1


def test_a_run_of_which_wasm_has_computed_a_part_says_so(
    webnn: Harness, inject: Call, inputs: list[Array], expected: list[Array]
) -> None:
    loaded = webnn.load(URL, STEPPED)
    assert_close(loaded.run(inputs), expected, TOLERANCE)
    inject("loseDuring", "MLContext", "readTensor", 1)
    with pytest.raises(ModelError, match="Run it again") as caught:
        loaded.run(inputs)
    assert caught.value.name == "ContextLostError"
    assert_close(loaded.run(inputs), expected, TOLERANCE)
    assert webnn_report(loaded)["mode"] == "stepped"


def test_a_first_run_of_which_wasm_has_computed_a_part_is_repeated(
    webnn: Harness, inject: Call, inputs: list[Array], expected: list[Array]
) -> None:
    """The run has changed no state yet."""
    loaded = webnn.load(URL, STEPPED)
    inject("loseDuring", "MLContext", "readTensor", 1)
    assert_close(loaded.run(inputs), expected, TOLERANCE)
    report = webnn_report(loaded)
    assert (report["mode"], report["contextLosses"], report["deniedNodes"]) == ("stepped", 1, [])


def test_a_context_that_is_lost_over_anything_is_no_fault_of_the_model(
    webnn: Harness, inject: Call, inputs: list[Array], expected: list[Array]
) -> None:
    loaded = webnn.load(URL)
    inject("loseDuring", "MLContext", "dispatch", 1000)
    assert_close(loaded.run(inputs), expected, TOLERANCE)
    report = webnn_report(loaded)
    assert (report["mode"], report["contextLosses"], report["deniedNodes"]) == ("cpu", 2, [])
    assert "also over a graph of one addition" in report["reason"]


def test_a_model_that_always_loses_its_context_ends_on_the_cpu(
    webnn: Harness, inject: Call, inputs: list[Array], expected: list[Array]
) -> None:
    loaded = webnn.load(URL)
    assert_close(loaded.run(inputs), expected)
    inject("loseDuring", "MLContext", "dispatch", 1000)
    with pytest.raises(ModelError) as caught:
        loaded.run(inputs)
    assert caught.value.name == "ContextLostError"
    assert_close(loaded.run(inputs), expected, TOLERANCE)
    report = webnn_report(loaded)
    assert (report["mode"], report["contextLosses"]) == ("cpu", 3)
    assert "3 times in a row" in report["reason"]


@pytest.mark.parametrize(("kind", "method"), [("MLGraphBuilder", "build"), ("MLContext", "createTensor")])
def test_a_context_lost_while_building_is_replaced(
    webnn: Harness, inject: Call, inputs: list[Array], expected: list[Array], kind: str, method: str
) -> None:
    inject("loseDuring", kind, method, 1)
    loaded = webnn.load(URL)
    assert_close(loaded.run(inputs), expected)
    report = webnn_report(loaded)
    assert (report["mode"], report["contextLosses"], report["deniedNodes"]) == ("direct", 1, [])


def test_a_context_that_is_always_lost_while_building_ends_on_the_cpu(
    webnn: Harness, inject: Call, inputs: list[Array], expected: list[Array]
) -> None:
    inject("loseDuring", "MLGraphBuilder", "build", 1000)
    loaded = webnn.load(URL)
    assert loaded.execution_mode == "cpu"
    assert_close(loaded.run(inputs), expected, TOLERANCE)


@pytest.mark.parametrize("lost", [False, True])
def test_dispose_during_a_run_frees_everything(webnn: Harness, inject: Call, inputs: list[Array], lost: bool) -> None:
    loaded = webnn.load(URL)
    if lost:
        inject("lose")
    assert webnn.dispose_while_running(loaded, inputs) == "fulfilled"
    assert inject("heldCount") == 0


def test_dispose_while_the_context_is_lost_in_a_run(webnn: Harness, inject: Call, inputs: list[Array]) -> None:
    loaded = webnn.load(URL)
    inject("loseDuring", "MLContext", "readTensor", 1)
    assert webnn.dispose_while_running(loaded, inputs) == "fulfilled"
    assert inject("heldCount") == 0


def node_of(loaded: LoadedModel, op: str) -> tuple[int, str]:
    """Return index and label of the first delegated node of an op."""
    node = next(row for row in loaded.report["nodes"] if row["op"] == op)
    return node["index"], f"{node['index']}:{op}"


def test_limits_that_lie_cost_the_nodes_only(
    webnn: Harness, inject: Call, inputs: list[Array], expected: list[Array]
) -> None:
    plain = webnn.load(URL)
    (pool, pool_label), (add, add_label) = node_of(plain, "MAX_POOL_2D"), node_of(plain, "ADD")
    inject("throwAt", [pool_label, add_label])
    loaded = webnn.load(URL)
    report = webnn_report(loaded)
    assert (report["mode"], {row["node"] for row in report["deniedNodes"]}) == ("stepped", {pool, add})
    assert all("promise only" in row["reason"] for row in report["deniedNodes"])
    assert {row["index"] for row in loaded.report["nodes"] if row["placement"] == "cpu"} == {pool, add}
    assert_close(loaded.run(inputs), expected, TOLERANCE)


def test_a_rejected_build_costs_the_node_that_it_names(
    webnn: Harness, inject: Call, inputs: list[Array], expected: list[Array]
) -> None:
    node, label = node_of(webnn.load(URL), "MAX_POOL_2D")
    inject("rejectBuilds", [f"[{label}] Failed to create a kernel."])
    loaded = webnn.load(URL)
    assert [row["node"] for row in webnn_report(loaded)["deniedNodes"]] == [node]
    assert_close(loaded.run(inputs), expected, TOLERANCE)


@pytest.mark.parametrize("op", ["PAD", "MAX_POOL_2D", "RESHAPE"])
def test_a_rejected_build_that_names_no_node_costs_the_node(
    webnn: Harness, inject: Call, inputs: list[Array], expected: list[Array], op: str
) -> None:
    node, label = node_of(webnn.load(URL), op)
    inject("rejectGraphsWith", label, "Something is not supported.")
    loaded = webnn.load(URL)
    assert [row["node"] for row in webnn_report(loaded)["deniedNodes"]] == [node]
    assert_close(loaded.run(inputs), expected, TOLERANCE)


def test_what_chromium_itself_rejects_is_found(
    webnn: Harness, inject: Call, inputs: list[Array], expected: list[Array]
) -> None:
    """Its builder accepts edge padding, its backend rejects it with a message without a label."""
    node, label = node_of(webnn.load(URL), "PAD")
    inject("changeOptions", label, {"mode": "edge"})
    loaded = webnn.load(URL)
    denied = webnn_report(loaded)["deniedNodes"]
    if not denied:
        pytest.skip("this browser has edge padding")
    assert [row["node"] for row in denied] == [node]
    assert_close(loaded.run(inputs), expected, TOLERANCE)


def test_a_browser_that_goes_on_refusing_has_the_model_on_the_cpu(
    webnn: Harness, inject: Call, inputs: list[Array], expected: list[Array]
) -> None:
    inject("rejectBuilds", ["The graph is too hard."] * 200)
    loaded = webnn.load(URL)
    report = webnn_report(loaded)
    assert (report["mode"], report["used"], len(report["deniedNodes"])) == ("cpu", False, 8)
    assert "The graph is too hard." in report["reason"]
    assert_close(loaded.run(inputs), expected, TOLERANCE)
