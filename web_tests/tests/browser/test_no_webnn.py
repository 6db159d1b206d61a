"""Debian's Chromium has no WebNN: the same models run on the CPU, and the report says why."""

from __future__ import annotations

import numpy as np
import pytest

from web_tests import reference
from web_tests.comparison import compare, tolerance
from web_tests.harness import Harness, LoadOptions
from web_tests.inputs import inputs_for
from web_tests.models import Model, demo_models
from web_tests.models_made import sin_example, sin_example_answer


@pytest.mark.parametrize("model", demo_models(), ids=lambda model: model.name)
def test_runs_on_the_cpu_and_says_why(no_webnn: Harness, model: Model) -> None:
    loaded = no_webnn.load(f"/models/{model.name}.tflite")
    webnn = loaded.report["webnn"]
    assert (webnn["requested"], webnn["used"], loaded.execution_mode) == (True, False, "cpu")
    assert "NotSupportedError" in webnn["reason"]
    inputs = inputs_for(model)
    expected = reference.outputs_of(model.content(), inputs)
    row = tolerance("cpu", model.name)
    assert compare(loaded.run(inputs), expected).relative <= row.relative_to_range, row.why


def test_without_asking_for_webnn_no_reason_is_given(no_webnn: Harness) -> None:
    x = np.linspace(-3, 3, 8, dtype=np.float32)
    loaded = no_webnn.load(sin_example(8), LoadOptions(webnn=False))
    assert loaded.report["webnn"]["reason"] is None
    np.testing.assert_allclose(loaded.run([x])[0], sin_example_answer(x), rtol=1e-6, atol=1e-6)
