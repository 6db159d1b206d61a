"""Threads on the CPU: workers of a cross-origin isolated page compute; pages without threads."""

from typing import Any

import numpy as np
import pytest

from web_tests.browsers.engines import Engine
from web_tests.drivers.harness import LoadOptions, ModelError, PageHarness
from web_tests.drivers.page_calls import call_script
from web_tests.models import handmade
from web_tests.models.catalogue import Model, all_models
from web_tests.references.inputs import inputs_for
from web_tests.tests.browser.test_models import assert_native_outputs
from web_tests.tests.engines.test_models import VARIANTS

THREADS = 3
CPU = LoadOptions(webnn=False, extra={"numThreads": THREADS})
LONG_RUNS = "/models/face_landmark_f32.tflite"
# Models whose runs are too short for more threads than one to make them faster.
SHORT_RUNS = {"mlperftiny_ad_int8", "mlperftiny_kws_int8", "mlperftiny_vww_int8", "mww_hey_jarvis_int8", "oww_alexa"}
# WebKitGTK shares memory only behind a switch, which remains off.
NO_THREADS = {"webkitgtk"}


pytestmark = pytest.mark.needs("variants")


@pytest.mark.parametrize("model", all_models().values(), ids=lambda model: model.name)
def test_models_on_threads_return_natives_output(engine: Engine, harness: PageHarness, model: Model) -> None:
    loaded = harness.load(f"/models/{model.name}.tflite", CPU)
    has_threads = engine.name not in NO_THREADS
    assert loaded.report["threads"]["used"] == (THREADS if has_threads and model.name not in SHORT_RUNS else 1)
    assert loaded.report["variant"] == VARIANTS[engine.name] + ("-threads" if has_threads else "")
    inputs = inputs_for(model)
    for _ in range(2):
        assert_native_outputs(model, loaded.run(inputs), inputs, "cpu")


def test_the_default_is_half_of_the_cores(engine: Engine, harness: PageHarness) -> None:
    loaded = harness.load(LONG_RUNS, LoadOptions(webnn=False, extra={"numThreads": None}))
    cores = harness.engine_page.evaluate("async () => navigator.hardwareConcurrency", None)
    threads = 1 if engine.name in NO_THREADS else max(1, cores // 2)
    assert loaded.report["threads"]["used"] == threads


def test_without_threads_the_report_says_why(engine: Engine, harness: PageHarness) -> None:
    loaded = harness.load(LONG_RUNS, CPU)
    if engine.name in NO_THREADS:
        assert "cross-origin isolated" in loaded.report["threads"]["reason"]
    else:
        assert loaded.report["threads"] == {"requested": THREADS, "used": THREADS, "reason": None}


def test_a_model_whose_runs_are_short_has_one_thread(engine: Engine, harness: PageHarness) -> None:
    threads = harness.load(handmade.sin_example(8), CPU).report["threads"]
    assert (threads["requested"], threads["used"]) == (THREADS, 1)
    assert ("cross-origin isolated" if engine.name in NO_THREADS else "too short") in threads["reason"]


@pytest.mark.parametrize("variant", ["simd-threads", "relaxed-simd-threads"])
def test_each_variant_that_the_engine_has(engine: Engine, harness: PageHarness, variant: str) -> None:
    x = np.linspace(-3, 3, 8, dtype=np.float32)
    if engine.name in NO_THREADS:
        with pytest.raises(ModelError, match="cross-origin isolated"):
            harness.load(handmade.sin_example(8), LoadOptions(webnn=False, extra={"variant": variant}))
        return
    extra = {"variant": variant, "numThreads": 2}
    loaded = harness.load(handmade.sin_example(8), LoadOptions(webnn=False, extra=extra))
    assert loaded.report["variant"] == variant
    np.testing.assert_allclose(loaded.run([x])[0], handmade.sin_example_output(x), rtol=1e-6, atol=1e-6)


def run_with_threads(name: str, engine: Engine, harness: PageHarness) -> Any:
    """Call a function of pages/tests/threads.mjs."""
    if engine.name in NO_THREADS:
        pytest.skip(f"{engine.title} has no threads here: its shared memory is behind a switch")
    return call_script(harness.engine_page, "threads", name, THREADS)


@pytest.mark.pages
def test_a_page_that_forbids_workers_has_one_thread(engine: Engine, harness: PageHarness) -> None:
    found = run_with_threads("withoutWorkers", engine, harness)
    assert found["threads"]["used"] == 1
    assert "a thread could not be started" in found["threads"]["reason"]
    assert found["isNumber"]


@pytest.mark.pages
def test_a_model_runs_before_its_threads_have_started(engine: Engine, harness: PageHarness) -> None:
    found = run_with_threads("runBeforeThreadsStart", engine, harness)
    assert found == {"used": THREADS, "isSame": True}


@pytest.mark.pages
def test_disposing_ends_the_threads(engine: Engine, harness: PageHarness) -> None:
    """Disposing a model terminates all its workers."""
    found = run_with_threads("disposed", engine, harness)
    assert found == {"started": THREADS - 1, "ended": THREADS - 1}


@pytest.mark.pages
def test_small_models_compute_on_one_pool(engine: Engine, harness: PageHarness) -> None:
    """They run in parallel, and one is disposed of before the others: the results remain, and the threads end last."""
    found = run_with_threads("onePool", engine, harness)
    assert found == {
        "started": THREADS - 1,
        "ended": THREADS - 1,
        "endedEarly": 0,
        "used": [THREADS] * 3,
        "isSame": True,
    }
