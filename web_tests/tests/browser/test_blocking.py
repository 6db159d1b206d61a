"""Blocking mode compared with native LiteRT; js/browser_tests/blocking.test.ts has its API."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, Route

from web_tests.drivers.harness import Harness, LoadOptions, ModelError
from web_tests.models.catalogue import Model, all_models, generated_models
from web_tests.models.networks import selection
from web_tests.op_cases import case_id
from web_tests.op_cases.case import OpCase
from web_tests.op_cases.sample import sample
from web_tests.references import native_litert
from web_tests.references.inputs import inputs_for
from web_tests.references.report import check_report
from web_tests.tests.browser import test_unknown_shapes, test_variables
from web_tests.tests.browser.test_models import assert_native_outputs, check_placement
from web_tests.tests.browser.test_ops import RUNS_WITH_STATE, assert_op_outputs
from web_tests.tests.conftest import SharedPage, watched

MODELS = [*all_models().values(), *generated_models().values()]
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


def blocking() -> LoadOptions:
    return LoadOptions(webnn_options={"blocking": True})


@pytest.mark.parametrize("model", MODELS, ids=lambda model: model.name)
def test_run_sync_waits_for_webnn(worker: Harness, model: Model) -> None:
    inputs = inputs_for(model)
    loaded = worker.load(f"/models/{model.name}.tflite", blocking())
    check_placement(model, loaded, "cpu" if model.mode == "cpu" else "blocking")
    assert_native_outputs(model, loaded.run_sync(inputs), inputs, "cpu" if model.mode == "cpu" else "webnn")
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
        assert_op_outputs(case, found, expected)


@pytest.mark.parametrize("name", test_variables.MODELS)
def test_variables_keep_their_values_between_blocking_runs(worker: Harness, name: str) -> None:
    make, runs = test_variables.MODELS[name]
    content = make()
    loaded = worker.load(content, blocking())
    assert loaded.execution_mode == "blocking"
    expected = native_litert.outputs_of_runs(content, runs)
    for _ in range(2):
        test_variables.assert_runs_are_close([loaded.run_sync(list(inputs)) for inputs in runs], expected)
        loaded.reset_state()


def test_run_sync_returns_shapes_that_depend_on_the_data(worker: Harness) -> None:
    runs = test_unknown_shapes.rows_with(4, 12, 0, 7)
    loaded = test_unknown_shapes.compare(worker, selection.best_rows(), runs, blocking())
    assert loaded.execution_mode == "blocking"


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
        harness.load("/models/face_detection_short_range.tflite", blocking())
    assert caught.value.name == "BlockingError"
    page.close()
