"""The package's interface in a page: sources, progress, abort, predict(), strings."""

from functools import partial
from typing import Any

import numpy as np
import pytest

from web_tests.drivers.harness import ON_WEBNN
from web_tests.models import stateful
from web_tests.models.catalogue import all_models
from web_tests.models.handmade import sin_example, sin_example_answer
from web_tests.tests.conftest import Call, Served

MODEL = all_models()["face_detection_short_range"]
URL = f"/models/{MODEL.name}.tflite"


@pytest.fixture
def api(watched: Call) -> Call:
    """Calls pages/api.mjs."""
    return partial(watched, "api")


def test_a_model_loads_from_each_kind_of_source(api: Call) -> None:
    kinds = ["url", "URL", "ArrayBuffer", "Uint8Array", "Response", "ReadableStream"]
    assert api("loadFromEverything", URL, ON_WEBNN) == dict.fromkeys(kinds, 1)


def test_loading_reports_each_phase(api: Call) -> None:
    size = len(MODEL.content())
    seen = api("progressOf", URL, ON_WEBNN)
    last = {progress["phase"]: progress for progress in seen}
    assert set(last) == {"compile", "download", "init", "build"}
    assert last["download"] == {"phase": "download", "loadedBytes": size, "totalBytes": size}
    assert last["init"]["loadedBytes"] == size
    assert 0 < last["build"]["loadedBytes"] == last["build"]["totalBytes"]


@pytest.mark.parametrize("options", [{"device": "cpu"}, ON_WEBNN], ids=["cpu", "webnn"])
def test_timers_of_the_page_get_their_turn(api: Call, options: dict[str, Any]) -> None:
    """Loading lets timers run, not only input and frames, as a continuation of scheduler.yield() would."""
    assert api("timerDuring", URL, "init", options) == ["timer", "init"]


@pytest.mark.parametrize("phase", ["compile", "download", "init", "build"])
def test_a_load_can_be_aborted_in_each_phase(api: Call, phase: str) -> None:
    rejection = api("abortDuring", URL, phase, ON_WEBNN)
    assert rejection == {"name": "RangeError", "message": "the test has seen enough"}
    # The next model is unaffected.
    assert api("loadFromEverything", URL, ON_WEBNN)["url"] == 1


@pytest.mark.parametrize("webnn_on", [True, False], ids=["webnn", "cpu"])
def test_predict_returns_the_outputs_of_run(api: Call, served: Served, webnn_on: bool) -> None:
    answers = api("predictSine", served(sin_example(8)), {**ON_WEBNN, "enableWebnnDelegate": webnn_on})
    assert answers["mode"] == ("direct" if webnn_on else "cpu")
    assert answers["device"].split(":")[0] == ("webnn" if webnn_on else "wasm")
    expected = sin_example_answer(np.full(8, 0.5)).tolist()
    for kind in ("tensor", "named"):
        assert answers[kind]["shape"] == [8]
        assert answers[kind]["dtype"] == "float32"
        assert answers[kind]["values"] == pytest.approx(expected, rel=1e-5)
    assert answers["array"] == pytest.approx(expected, rel=1e-5)
    assert answers["integers"]["values"] == [0] * 8
    assert answers["shape"]["code"] == "INPUT_SHAPE"
    assert answers["inexact"]["code"] == "INPUT_DTYPE"
    # A page cannot wait for WebNN: predict() computes on the CPU there.
    assert answers["sync"]["values"] == pytest.approx(expected, rel=1e-5)


def test_string_tensors_pass_unchanged(api: Call, served: Served) -> None:
    texts = ["eins", "zwölf 🦊", ""]
    answer = api("pickStrings", served(stateful.string_picker()), texts, [1, 2])
    assert answer["run"] == texts[1:]
    assert answer["shape"] == [2]
    assert answer["predict"] == {"shape": [2], "dtype": "string", "values": texts[1:]}
    assert answer["tooMany"]["code"] == "INPUT_SHAPE"
    assert answer["numbers"]["code"] == "INPUT_DTYPE"
    assert answer["garbage"]["code"] == "INPUT_DTYPE"
