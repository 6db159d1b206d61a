"""The delegate on the polyfill in Node: real models and partitions, compared with native LiteRT."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from support.npm import find_node, pinned_node
from web_tests.drivers.node_models import NodeRequest, NodeRun, run_in_node
from web_tests.models import handmade
from web_tests.models.catalogue import Model, all_models
from web_tests.references.inputs import inputs_for
from web_tests.references.report import check_report
from web_tests.tests.browser.test_models import check

pytestmark = pytest.mark.needs("package")

# Its results depend on earlier runs.
WITH_VARIABLES = "mww_hey_jarvis_int8"
X = np.linspace(-2, 2, 8, dtype=np.float32)


def options(**more: Any) -> Mapping[str, Any]:
    return {
        "enableWebnnDelegate": True,
        "webnnDelegateOptions": {"polyfill": "tflite", "ignorePartitionCost": True, **more},
    }


def check_backend(found: NodeRun) -> None:
    webnn = found.report["webnn"]
    assert webnn["used"]
    assert webnn["backend"].startswith("polyfill ")
    assert webnn["backend"].endswith(", tflite")
    check_report(found.report)


@pytest.mark.parametrize("model", all_models().values(), ids=lambda model: model.name)
def test_each_real_model_runs_on_the_polyfill_in_node(model: Model) -> None:
    inputs = inputs_for(model)
    found = run_in_node(pinned_node(), NodeRequest(model.path(), options(), inputs))
    check_backend(found)
    assert found.execution_mode == "direct"
    check(model, found.outputs, inputs, "cpu")
    assert len(found.streamed) == 2
    if model.name != WITH_VARIABLES:
        for again in found.streamed:
            assert all(np.array_equal(one, other) for one, other in zip(again, found.outputs, strict=True))


@pytest.mark.parametrize(("more", "mode"), [({}, "direct"), ({"allowedOps": ["SIN"]}, "stepped")], ids=str)
def test_a_model_runs_direct_or_stepped_on_the_polyfill(tmp_path: Path, more: Mapping[str, Any], mode: str) -> None:
    """In the Node on PATH: the package's oldest supported one, or a newer one."""
    path = tmp_path / "sin.tflite"
    path.write_bytes(handmade.sin_example())
    found = run_in_node(find_node(), NodeRequest(path, options(**more), [X]))
    check_backend(found)
    assert found.execution_mode == mode
    for outputs in (found.outputs, *found.streamed):
        np.testing.assert_allclose(outputs[0], handmade.sin_example_output(X), rtol=1e-6, atol=1e-6)


@pytest.mark.parametrize("polyfill", ["auto", "never"])
def test_it_is_not_taken_unless_requested(tmp_path: Path, polyfill: str) -> None:
    path = tmp_path / "sin.tflite"
    path.write_bytes(handmade.sin_example())
    found = run_in_node(pinned_node(), NodeRequest(path, options(polyfill=polyfill), [X]))
    webnn = found.report["webnn"]
    assert (webnn["used"], webnn["backend"], found.execution_mode) == (False, None, "cpu")
    assert "navigator.ml is missing" in webnn["reason"]
