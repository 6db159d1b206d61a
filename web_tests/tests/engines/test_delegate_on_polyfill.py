"""The delegate on the polyfill's engine `tflite`, in each engine: models, ops, execution modes, MLTensors, streams."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from web_tests.browsers.engines import Engine
from web_tests.browsers.page import EngineBrowser, EnginePage
from web_tests.drivers.harness import POLYFILL, LoadedModel, LoadOptions, ModelError, PageHarness
from web_tests.drivers.page_calls import call_script
from web_tests.models import handmade
from web_tests.models.catalogue import Model, all_models
from web_tests.op_cases import case_id
from web_tests.op_cases.case import OpCase
from web_tests.op_cases.sample import one_of_each_op, sampled
from web_tests.references import native_litert
from web_tests.references.inputs import inputs_for
from web_tests.references.report import check_report
from web_tests.server.server import Server
from web_tests.tests.browser.test_models import assert_native_outputs
from web_tests.tests.browser.test_ops import assert_op_outputs
from web_tests.tests.conftest import SharedPage, watched
from web_tests.tests.engines.test_api import uncaught_error
from web_tests.tests.engines.test_models import REASONS

TFLITE = {"polyfill": "tflite"}
# Waiting in a worker needs shared memory, which WebKitGTK has only behind a switch.
NO_SHARED_MEMORY = {"webkitgtk"}
# Of the 125 ops, whose kernels test_models.py tests in each engine, and whose rewriting test_rewritten_models.py.
SAMPLED_OPS = 15
X = np.linspace(-2, 2, 8, dtype=np.float32)

# How a page installs the polyfill itself: functions of pages/tests/polyfill.mjs.
INSTALLS = {"module": "installModule", "classic_script": "installScript"}


@pytest.fixture(scope="session")
def engine_worker_page(engine_browser: EngineBrowser, server: Server) -> SharedPage[PageHarness]:
    return SharedPage(lambda: PageHarness(engine_browser.new_page(), server, in_worker=True))


@pytest.fixture
def worker(engine_worker_page: SharedPage[PageHarness]) -> Iterator[PageHarness]:
    yield from watched(engine_worker_page.harness())


def is_on_polyfill(loaded: LoadedModel) -> bool:
    """Return whether WebNN has nodes of the model, and assert that the report names the polyfill."""
    webnn = loaded.report["webnn"]
    assert webnn["requested"]
    if webnn["used"]:
        assert webnn["backend"].startswith("polyfill ")
        assert webnn["backend"].endswith(", tflite")
    return bool(webnn["used"])


@pytest.mark.parametrize("model", all_models().values(), ids=lambda model: model.name)
def test_each_real_model_runs_on_the_polyfill_alone(harness: PageHarness, model: Model) -> None:
    """With the CPU's tolerances: both use the same kernels of the same wasm module."""
    loaded = harness.load(f"/models/{model.name}.tflite", POLYFILL)
    assert is_on_polyfill(loaded)
    assert loaded.execution_mode == "direct"
    inputs = inputs_for(model)
    assert_native_outputs(model, loaded.run(inputs), inputs, "cpu")
    check_report(loaded.report_now())


@pytest.mark.parametrize(
    "case", sampled(one_of_each_op(), SAMPLED_OPS), ids=lambda case: f"{case_id(case)}-{case.dtype}"
)
def test_the_polyfill_computes_the_case_as_native_litert(harness: PageHarness, case: OpCase) -> None:
    model, inputs = case.model(), case.inputs()
    loaded, (found,) = harness.load_and_run(model, inputs, POLYFILL)
    if case.cpu_reason:
        assert case.cpu_reason in loaded.cpu_reasons()[case.op]
    else:
        assert is_on_polyfill(loaded)
        assert loaded.cpu_reasons() == {}
    expected = native_litert.outputs_of(model, inputs, kernels=case.native_kernels)
    assert_op_outputs(case, found, expected)


def test_a_model_runs_stepped_between_polyfill_and_cpu(harness: PageHarness) -> None:
    loaded = harness.load(handmade.sin_example(), LoadOptions(webnn_options={**TFLITE, "allowedOps": ["SIN"]}))
    assert is_on_polyfill(loaded)
    assert loaded.execution_mode == "stepped"
    assert [part["placement"] for part in loaded.report["partitions"]] == ["webnn", "cpu", "webnn", "cpu"]
    for x in (X, -X):
        np.testing.assert_allclose(loaded.run([x])[0], handmade.sin_example_output(x), rtol=1e-6, atol=1e-6)


def load_blocking(engine: Engine, worker: PageHarness, source: bytes | str, **more: Any) -> LoadedModel:
    """Load a model whose runSync() waits; without shared memory, check the error and skip the following steps."""
    options = LoadOptions(webnn_options={**TFLITE, "blocking": True, **more})
    if engine.name in NO_SHARED_MEMORY:
        with pytest.raises(ModelError, match="SharedArrayBuffer") as caught:
            worker.load(source, options)
        assert caught.value.name == "BlockingError"
        pytest.skip(f"{engine.title} has no shared memory without a switch, and blocking mode says so")
    loaded = worker.load(source, options)
    assert is_on_polyfill(loaded)
    assert loaded.execution_mode == "blocking"
    return loaded


@pytest.mark.parametrize("name", ["face_detection_short_range", "mlperftiny_kws_int8"])
def test_run_sync_waits_for_the_polyfill(engine: Engine, worker: PageHarness, name: str) -> None:
    """The helper worker computes with the polyfill; runSync() in the page's worker waits for it."""
    model = all_models()[name]
    loaded = load_blocking(engine, worker, f"/models/{name}.tflite")
    inputs = inputs_for(model)
    for _ in range(2):
        assert_native_outputs(model, loaded.run_sync(inputs), inputs, "cpu")


def test_blocking_mode_waits_for_two_partitions(engine: Engine, worker: PageHarness) -> None:
    """TFLite's Invoke() waits for two partitions."""
    loaded = load_blocking(engine, worker, handmade.sin_example(), allowedOps=["SIN"])
    np.testing.assert_allclose(loaded.run_sync([X])[0], handmade.sin_example_output(X), rtol=1e-6, atol=1e-6)


def test_an_error_that_nobody_waits_for_reaches_the_workers_page(worker: PageHarness) -> None:
    worker.post("noSuchCall", {})
    assert "noSuchCall: " in uncaught_error(worker)


@pytest.mark.parametrize("polyfill", ["auto", "never"])
def test_the_polyfill_is_used_only_where_it_is_requested(engine: Engine, harness: PageHarness, polyfill: str) -> None:
    """XNNPACK without the delegate is as fast, and needs no second module."""
    loaded = harness.load(handmade.sin_example(), LoadOptions(webnn_options={"polyfill": polyfill}))
    webnn = loaded.report["webnn"]
    assert (webnn["used"], webnn["backend"], loaded.execution_mode) == (False, None, "cpu")
    assert REASONS[engine.name] in webnn["reason"]


@pytest.fixture(params=INSTALLS)
def installed_page(request: pytest.FixtureRequest, page: EnginePage, server: Server) -> EnginePage:
    """A page that installed the polyfill itself, with the generated models served to it."""
    server.mailbox.put("sin", handmade.sin_example())
    server.mailbox.put("add", handmade.sum_of_two())
    page.open(f"{server.origin}/probe.html")
    assert call_script(page, "polyfill", INSTALLS[request.param]) is True
    return page


def test_an_installed_polyfill_is_the_pages_webnn(installed_page: EnginePage) -> None:
    """The package's unmodified examples with MLTensors: a shared input, one context; results that remain on WebNN."""
    found = call_script(installed_page, "examples", "run", X.tolist())
    assert found["backend"].startswith("polyfill ")
    assert found["number"] == 102334155
    expected = handmade.sin_example_output
    for effect in found["effects"]:
        np.testing.assert_allclose(effect, expected(X), atol=1e-5)
    np.testing.assert_allclose(found["chain"], expected(expected(X)), atol=1e-5)


@pytest.mark.parametrize(
    ("name", "array"),
    [("face_detection_short_range", "Float32Array"), ("mlperftiny_ic_int8", "Int8Array")],
)
def test_tensors_and_streams_return_what_run_returns(harness: PageHarness, name: str, array: str) -> None:
    harness.server.mailbox.put("image", inputs_for(all_models()[name])[0].tobytes())
    url = f"{harness.server.origin}/models/{name}.tflite"
    found: dict[str, Any] = call_script(
        harness.engine_page, "pipelines", "sameByTensorsAndStream", url, array, "tflite"
    )
    assert found == {"tensors": [True] * 7, "streamed": [True] * 7}
