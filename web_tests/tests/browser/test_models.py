"""Every model of models.toml, on WebNN and on the CPU of the same page, compared with native LiteRT."""

import numpy as np
import pytest

from web_tests.drivers.harness import CPU, Harness, LoadedModel
from web_tests.models.catalogue import Model, all_models, demo_models, generated_models
from web_tests.models.recipes import Array
from web_tests.references import native_litert
from web_tests.references.comparison import Table
from web_tests.references.grading import grade
from web_tests.references.inputs import inputs_for
from web_tests.references.report import check_report

MODELS = [*all_models().values(), *generated_models().values()]
BY_NAME = pytest.mark.parametrize("model", MODELS, ids=lambda model: model.name)


def assert_native_outputs(model: Model, found: list[Array], inputs: list[Array], table: Table) -> None:
    """Assert that outputs match native LiteRT's, within the model's row of tolerances.toml."""
    assert_outputs(model, found, native_litert.outputs_of(model.content(), inputs), table)


def assert_outputs(model: Model, found: list[Array], expected: list[Array], table: Table) -> None:
    """Assert that outputs match the expected ones, within the model's row of tolerances.toml."""
    graded = grade(model, found, expected, table)
    assert not graded.note
    assert graded.difference <= graded.allowed, f"{graded.unit}; {graded.why}"


def check_placement(model: Model, loaded: LoadedModel, mode: str) -> None:
    """Assert that the mode and the number of nodes on WebNN match the model's row of models.toml."""
    totals = loaded.report["totals"]
    assert loaded.execution_mode == mode, loaded.report["webnn"]["reason"]
    assert (totals["delegatedNodes"], totals["nodes"]) == (model.webnn_nodes, model.nodes), loaded.cpu_reasons()


@BY_NAME
def test_each_real_model_on_webnn_agrees_with_native_litert(webnn: Harness, model: Model) -> None:
    inputs = inputs_for(model)
    loaded = webnn.load(f"/models/{model.name}.tflite")
    check_placement(model, loaded, model.mode)
    assert_native_outputs(model, loaded.run(inputs), inputs, "cpu" if model.mode == "cpu" else "webnn")
    check_report(loaded.report)
    check_report(loaded.report_now())
    # Every node that is not on WebNN has a reason, and so has a model without such nodes.
    assert all(loaded.cpu_reasons().values())
    assert loaded.report["webnn"]["used"] or loaded.report["webnn"]["reason"]


@BY_NAME
def test_each_real_model_on_the_cpu_agrees_with_native_litert(webnn: Harness, model: Model) -> None:
    inputs = inputs_for(model)
    loaded = webnn.load(f"/models/{model.name}.tflite", CPU)
    assert loaded.execution_mode == "cpu"
    check_report(loaded.report)
    assert_native_outputs(model, loaded.run(inputs), inputs, "cpu")


@pytest.mark.parametrize("model", demo_models(), ids=lambda model: model.name)
def test_demo_models_are_delegated_fully(webnn: Harness, model: Model) -> None:
    loaded = webnn.load(f"/models/{model.name}.tflite")
    assert loaded.cpu_reasons() == {}
    assert loaded.execution_mode == "direct"
    assert loaded.report["totals"]["delegatedNodes"] == loaded.report["totals"]["nodes"] > 0


def test_two_runs_of_a_model_do_not_disturb_each_other(webnn: Harness) -> None:
    model = all_models()["face_detection_short_range"]
    inputs = inputs_for(model)
    loaded = webnn.load(model.content())
    first = loaded.run(inputs)
    loaded.run([np.zeros_like(array) for array in inputs])
    again = loaded.run(inputs)
    assert all(np.array_equal(one, other) for one, other in zip(first, again, strict=True))


def test_inputs_by_name_and_with_shape(webnn: Harness) -> None:
    model = all_models()["oww_alexa"]
    inputs = inputs_for(model)
    loaded: LoadedModel = webnn.load(model.content())
    expected = loaded.run(inputs)
    assert np.array_equal(loaded.run(inputs, shapes=True)[0], expected[0])
    assert np.array_equal(loaded.run({loaded.inputs[0]["name"]: inputs[0]})[0], expected[0])
