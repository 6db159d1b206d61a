"""Resource variables, which are resident on WebNN between runs, compared with native LiteRT over successive runs."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest

from web_tests.drivers.harness import Harness, LoadedModel, LoadOptions
from web_tests.models import stateful
from web_tests.models.networks import variables
from web_tests.models.recipes import SEED, Array
from web_tests.references.comparison import assert_close
from web_tests.references.native_litert import outputs_of_runs

TOLERANCE = 1e-5
X = np.array([0.5, -1, 2, 0.25], np.float32)


def frames(count: int) -> list[list[Array]]:
    random = np.random.default_rng(SEED)
    shape = (1, variables.NEW_FRAMES, variables.BANDS)
    return [[random.standard_normal(shape, dtype=np.float32)] for _ in range(count)]


def assert_runs_are_close(outputs: Sequence[Sequence[Array]], expected: Sequence[Sequence[Array]]) -> None:
    for found, reference in zip(outputs, expected, strict=True):
        assert_close(found, reference, absolute=TOLERANCE)


MODELS: dict[str, tuple[Callable[[], bytes], list[list[Array]]]] = {
    "ring_buffer": (variables.ring_buffer, frames(5)),
    "mixed": (variables.mixed, [[X * step] for step in (1, -2, 3)]),
}


def ops(loaded: LoadedModel) -> list[str]:
    return [node["op"] for node in loaded.report["nodes"]]


@pytest.mark.parametrize("name", MODELS)
def test_variables_follow_native_litert_over_runs_and_resets(webnn: Harness, options: LoadOptions, name: str) -> None:
    make, runs = MODELS[name]
    content = make()
    loaded = webnn.load(content, options)
    assert loaded.execution_mode == ("direct" if options.webnn else "cpu"), loaded.cpu_reasons()
    assert [info["name"] for info in loaded.inputs] == [("frames" if name == "ring_buffer" else "x")]
    if options.webnn:
        assert not {"CALL_ONCE", "VAR_HANDLE"} & set(ops(loaded))
    expected = outputs_of_runs(content, runs)
    for count in (len(runs), 2, len(runs)):
        assert_runs_are_close([loaded.run(list(inputs)) for inputs in runs[:count]], expected[:count])
        loaded.reset_state()


@pytest.mark.parametrize("denied", ["SLICE", "CONCATENATION", "READ_VARIABLE", "ASSIGN_VARIABLE", "SOFTMAX"])
def test_variables_keep_their_values_where_a_node_runs_on_the_cpu(webnn: Harness, denied: str) -> None:
    make, runs = MODELS["ring_buffer"]
    content = make()
    loaded = webnn.load(content, LoadOptions(webnn_options={"excludedOps": [denied]}))
    assert loaded.execution_mode == "stepped"
    expected = outputs_of_runs(content, runs)
    for _ in range(2):
        assert_runs_are_close([loaded.run(list(inputs)) for inputs in runs], expected)
        loaded.reset_state()


def test_variables_keep_their_values_where_webnn_has_no_node(webnn: Harness) -> None:
    """WebNN was requested and gets no node."""
    make, runs = MODELS["mixed"]
    content = make()
    loaded = webnn.load(content, LoadOptions(webnn_options={"allowedOps": ["COS"]}))
    assert loaded.execution_mode == "cpu"
    expected = outputs_of_runs(content, runs)
    assert_runs_are_close(
        [loaded.run(list(runs[0])), loaded.run_sync(list(runs[1])), loaded.run(list(runs[2]))], expected
    )


def cpu_reason(loaded: LoadedModel, op: str) -> Any:
    return loaded.cpu_reasons()[op]


def test_variables_of_several_signatures_stay_with_tflite(webnn: Harness) -> None:
    loaded = webnn.load(stateful.counter(), LoadOptions())
    reason = "the variable 'sum' stays with TFLite: subgraph 2 uses it, too"
    assert [cpu_reason(loaded, op) for op in ("VAR_HANDLE", "READ_VARIABLE", "ASSIGN_VARIABLE")] == [reason] * 3


def test_a_variable_without_a_value_stays_with_tflite(webnn: Harness) -> None:
    loaded = webnn.load(variables.unset(), LoadOptions())
    reason = "the variable 'unset' stays with TFLite: it is read before it has a value"
    assert cpu_reason(loaded, "READ_VARIABLE") == reason


def test_a_variable_that_is_used_before_its_initialization_remains_with_tflite(
    webnn: Harness, options: LoadOptions
) -> None:
    content, runs = stateful.late_initialization(), [[X], [X * 2]]
    loaded = webnn.load(content, options)
    assert_runs_are_close([loaded.run(list(inputs)) for inputs in runs], outputs_of_runs(content, runs))
    if options.webnn:
        assert "it is used before it is initialized" in cpu_reason(loaded, "READ_VARIABLE")
