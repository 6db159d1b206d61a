"""Blocking mode: in a worker of an isolated page, runSync() waits for a helper worker's WebNN."""

import json
import time
from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import quote

import numpy as np
import pytest
from playwright.sync_api import Page, Route

from web_tests.drivers.harness import Harness, LoadedModel, LoadOptions, ModelError
from web_tests.models import handmade
from web_tests.models.catalogue import Model, all_models, made_models
from web_tests.models.networks import selection
from web_tests.models.recipes import Array
from web_tests.op_cases import case_id
from web_tests.op_cases.case import OpCase
from web_tests.op_cases.sample import sample
from web_tests.references import native_litert
from web_tests.references.inputs import inputs_for
from web_tests.references.report import check_report
from web_tests.tests.browser import test_unknown_shapes, test_variables
from web_tests.tests.browser.test_models import check, check_placement
from web_tests.tests.browser.test_ops import RUNS_WITH_STATE
from web_tests.tests.browser.test_ops import check as check_op
from web_tests.tests.conftest import SharedPage, watched

MODELS = [*all_models().values(), *made_models().values()]
MODEL = all_models()["face_detection_short_range"]
URL = f"/models/{MODEL.name}.tflite"
# WebNN's nodes of the example f(x) = sin(x) + x + sin(2x): TFLite's Invoke() waits for two partitions.
HELPER_SECONDS = 20.0
SIN_ONLY = {"allowedOps": ["SIN"]}
# Added to one of each op and all with state: their graphs are those of test_ops.py, only the way to WebNN is another.
SAMPLED_CASES = 150


@pytest.fixture(scope="module")
def worker_page(webnn_page: SharedPage[Harness]) -> Iterator[SharedPage[Harness]]:
    def open_page() -> Harness:
        harness = webnn_page.harness()
        return Harness(new_page(harness), harness.server, in_worker=True)

    shared = SharedPage(open_page)
    yield shared
    shared.close()


@pytest.fixture
def worker(worker_page: SharedPage[Harness]) -> Iterator[Harness]:
    yield from watched(worker_page.harness())


def new_page(harness: Harness) -> Page:
    browser = harness.page.context.browser
    assert browser
    return browser.new_page()


def blocking(more: Mapping[str, Any] | None = None) -> LoadOptions:
    return LoadOptions(webnn_options={"blocking": True, **(more or {})})


def faulty(*fault: Any, more: Mapping[str, Any] | None = None) -> LoadOptions:
    """Return options for a helper in a browser that refuses something."""
    query = f"?fault={quote(json.dumps([fault[0], fault[1:]]))}" if fault else ""
    return blocking({"blockingHelper": f"/faulty_helper.mjs{query}", **(more or {})})


def bring(harness: Harness, name: str, *arguments: Any) -> None:
    """Make the faulty helper call a function of fault_injection.mjs, and wait for it."""
    harness.page.evaluate(
        """(message) => new Promise((resolve) => {
            const channel = new BroadcastChannel('fault_injection');
            channel.onmessage = () => { channel.close(); resolve(null); };
            channel.postMessage(message);
        })""",
        [name, list(arguments)],
    )


@pytest.mark.parametrize("model", MODELS, ids=lambda model: model.name)
def test_run_sync_waits_for_webnn(worker: Harness, model: Model) -> None:
    inputs = inputs_for(model)
    loaded = worker.load(f"/models/{model.name}.tflite", blocking())
    check_placement(model, loaded, "cpu" if model.mode == "cpu" else "blocking")
    check(model, loaded.run_sync(inputs), inputs, "cpu" if model.mode == "cpu" else "webnn")
    report = loaded.report_now()
    check_report(report)
    for partition in report["partitions"]:
        assert (partition["dispatchMs"] is None) == (partition["placement"] == "cpu")


@pytest.mark.parametrize("case", sample(SAMPLED_CASES), ids=case_id)
def test_run_sync_computes_the_case_as_native_litert(worker: Harness, case: OpCase) -> None:
    model, inputs = case.model(), case.inputs()
    runs = RUNS_WITH_STATE if case.has_state else 1
    loaded, results = worker.load_and_run(model, inputs, blocking(), runs=runs, call="runSync")
    assert loaded.execution_mode == ("cpu" if case.cpu_reason else "blocking"), loaded.report["webnn"]["reason"]
    for run, found in enumerate(results, 1):
        expected = native_litert.outputs_of(model, inputs, kernels=case.native_kernels, runs=run)
        check_op(case, found, expected)


def test_run_and_run_sync_take_turns(worker: Harness) -> None:
    inputs = inputs_for(MODEL)
    loaded, direct = worker.load(URL, blocking()), worker.load(URL)
    expected = direct.run(inputs)
    for found in (loaded.run(inputs), loaded.run_sync(inputs), loaded.run(inputs)):
        assert all(np.array_equal(one, other) for one, other in zip(found, expected, strict=True))
    assert loaded.report["totals"]["bytesCrossing"] == direct.report["totals"]["bytesCrossing"]


def sin_example(harness: Harness, options: LoadOptions) -> LoadedModel:
    return harness.load(handmade.sin_example(), options)


def check_sin(loaded: LoadedModel, x: Array) -> None:
    (found,) = loaded.run_sync([x])
    np.testing.assert_allclose(found, np.sin(x) + x + np.sin(2 * x), atol=1e-6)


def test_invoke_goes_on_between_partitions(worker: Harness) -> None:
    loaded = sin_example(worker, blocking(SIN_ONLY))
    assert [part["placement"] for part in loaded.report["partitions"]] == ["webnn", "cpu", "webnn", "cpu"]
    check_sin(loaded, np.linspace(-3, 3, 8, dtype=np.float32))
    check_sin(loaded, np.full(8, 0.5, np.float32))


def helper_count(harness: Harness) -> int:
    return sum("helper" in worker.url for worker in harness.page.workers)


def test_models_that_share_a_helper_stay_separate(worker: Harness) -> None:
    one, other = sin_example(worker, blocking(SIN_ONLY)), worker.load(URL, blocking())
    x = np.linspace(-3, 3, 8, dtype=np.float32)
    for _ in range(2):
        check_sin(one, x)
        check(MODEL, other.run_sync(inputs_for(MODEL)), inputs_for(MODEL), "webnn")
    one.dispose()
    check(MODEL, other.run_sync(inputs_for(MODEL)), inputs_for(MODEL), "webnn")
    assert helper_count(worker) == 1


def test_inputs_are_resized(worker: Harness) -> None:
    loaded = worker.load(URL, blocking())
    shape = loaded.inputs[0]["shape"]
    inputs = inputs_for(MODEL)
    loaded.resize([[2, *shape[1:]]])
    assert loaded.execution_mode == "blocking"
    twice = loaded.run_sync([np.concatenate([inputs[0], inputs[0]])])
    loaded.resize([shape])
    once = loaded.run_sync(inputs)
    assert once[0].size * 2 == twice[0].size
    check(MODEL, once, inputs, "webnn")


@pytest.mark.parametrize("method", ["dispatch", "writeTensor", "readTensor"])
@pytest.mark.parametrize("times", [1, 2])
def test_a_lost_context_is_replaced_while_invoke_waits(worker: Harness, method: str, times: int) -> None:
    """Wasm has already computed a part of the run: only WebNN's part is repeated."""
    loaded = sin_example(worker, faulty(more=SIN_ONLY))
    check_sin(loaded, np.linspace(-3, 3, 8, dtype=np.float32))
    bring(worker, "loseDuring", "MLContext", method, times)
    check_sin(loaded, np.linspace(-3, 3, 8, dtype=np.float32))
    report = loaded.report_now()
    assert report["webnn"]["contextLosses"] == times
    assert report["webnn"]["lastContextLoss"]


def test_a_context_lost_while_idle_is_replaced(worker: Harness) -> None:
    loaded = sin_example(worker, faulty(more=SIN_ONLY))
    x = np.linspace(-3, 3, 8, dtype=np.float32)
    for losses in range(1, 5):  # a run between them separates the losses
        check_sin(loaded, x)
        bring(worker, "lose")
        check_sin(loaded, x)
        assert loaded.report_now()["webnn"]["contextLosses"] == losses


def test_a_context_lost_in_the_first_run_is_replaced(worker: Harness) -> None:
    """The search first finds no faulty node."""
    loaded = sin_example(worker, faulty("loseDuring", "MLContext", "dispatch", 1, more=SIN_ONLY))
    check_sin(loaded, np.linspace(-3, 3, 8, dtype=np.float32))
    webnn = loaded.report_now()["webnn"]
    assert (webnn["used"], webnn["contextLosses"], webnn["deniedNodes"]) == (True, 1, [])


def test_a_context_that_is_lost_over_anything_ends_in_an_error_and_then_on_the_cpu(worker: Harness) -> None:
    loaded = sin_example(worker, faulty("loseDuring", "MLContext", "dispatch", 1000, more=SIN_ONLY))
    x = np.linspace(-3, 3, 8, dtype=np.float32)
    with pytest.raises(ModelError, match="also over a graph of one addition") as caught:
        loaded.run_sync([x])
    assert caught.value.name == "ContextLostError"
    (found,) = loaded.run([x])
    np.testing.assert_allclose(found, np.sin(x) + x + np.sin(2 * x), atol=1e-6)
    report = loaded.report_now()
    assert (report["executionMode"], report["webnn"]["deniedNodes"]) == ("cpu", [])


def test_contexts_that_are_always_lost_end_in_an_error_and_then_on_the_cpu(worker: Harness) -> None:
    loaded = sin_example(worker, faulty(more=SIN_ONLY))
    x = np.linspace(-3, 3, 8, dtype=np.float32)
    check_sin(loaded, x)
    bring(worker, "loseDuring", "MLContext", "dispatch", 1000)
    with pytest.raises(ModelError, match="3 times in a row") as caught:
        loaded.run_sync([x])
    assert caught.value.name == "ContextLostError"
    (found,) = loaded.run([x])
    np.testing.assert_allclose(found, np.sin(x) + x + np.sin(2 * x), atol=1e-6)
    assert loaded.report_now()["executionMode"] == "cpu"


@pytest.mark.parametrize("name", test_variables.MODELS)
def test_variables_keep_their_values_between_blocking_runs(worker: Harness, name: str) -> None:
    make, runs = test_variables.MODELS[name]
    content = make()
    loaded = worker.load(content, blocking())
    assert loaded.execution_mode == "blocking"
    expected = native_litert.outputs_of_runs(content, runs)
    for _ in range(2):
        test_variables.check([loaded.run_sync(list(inputs)) for inputs in runs], expected)
        loaded.reset_state()


def test_shapes_that_depend_on_the_data(worker: Harness) -> None:
    runs = test_unknown_shapes.rows_with(4, 12, 0, 7)
    loaded = test_unknown_shapes.compare(worker, selection.best_rows(), runs, blocking())
    assert loaded.execution_mode == "blocking"


def test_a_refused_node_goes_to_the_cpu(worker: Harness) -> None:
    loaded = sin_example(worker, faulty("throwAt", ["4:ADD"], more={"ignorePartitionCost": True}))
    assert [node["node"] for node in loaded.report["webnn"]["deniedNodes"]] == [4]
    assert loaded.execution_mode == "blocking"
    check_sin(loaded, np.linspace(-3, 3, 8, dtype=np.float32))


def test_the_helper_goes_with_the_last_model(worker: Harness) -> None:
    models = [sin_example(worker, blocking(SIN_ONLY)) for _ in range(3)]
    for loaded in models:
        assert helper_count(worker) == 1
        check_sin(loaded, np.zeros(8, np.float32))
        loaded.dispose()
    end = time.monotonic() + HELPER_SECONDS
    while helper_count(worker) > 0:
        assert time.monotonic() < end, "the helper is still there"
        worker.page.wait_for_timeout(10)  # Playwright receives events meanwhile
    check_sin(sin_example(worker, blocking(SIN_ONLY)), np.zeros(8, np.float32))  # on a new helper


def test_the_pages_own_thread_must_not_wait(webnn: Harness) -> None:
    with pytest.raises(ModelError, match="load the model in a worker") as caught:
        webnn.load(URL, blocking())
    assert caught.value.name == "BlockingError"
    loaded = webnn.load(URL)
    with pytest.raises(ModelError, match="blocking: true") as caught:
        loaded.run_sync(inputs_for(MODEL))
    assert caught.value.name == "BlockingError"


def test_a_page_that_is_not_isolated_gets_an_error_with_the_headers(webnn: Harness) -> None:
    page = new_page(webnn)
    strip = ("cross-origin-opener-policy", "cross-origin-embedder-policy")

    def without_headers(route: Route) -> None:
        response = route.fetch()
        headers = {name: value for name, value in response.headers.items() if name not in strip}
        route.fulfill(response=response, headers=headers)

    page.route("**/harness.*", without_headers)
    harness = Harness(page, webnn.server, in_worker=True)
    with pytest.raises(ModelError, match="Cross-Origin-Embedder-Policy: require-corp") as caught:
        harness.load(URL, blocking())
    assert caught.value.name == "BlockingError"
    page.close()


def test_a_context_of_the_caller_cannot_be_had_in_a_helper(worker: Harness) -> None:
    with pytest.raises(ModelError, match="not both") as caught:
        worker.load(URL, blocking({"context": {}}))
    assert caught.value.name == "BlockingError"


def test_a_helper_that_is_not_there(worker: Harness) -> None:
    with pytest.raises(ModelError, match=r"webnn_helper\.mjs") as caught:
        worker.load(URL, blocking({"blockingHelper": "/nowhere.mjs"}))
    assert caught.value.name == "WorkerFailedError"
    check(MODEL, worker.load(URL, blocking()).run_sync(inputs_for(MODEL)), inputs_for(MODEL), "webnn")
