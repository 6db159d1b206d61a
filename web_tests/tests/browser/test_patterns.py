"""Patterns: the report says which nodes became one, the numbers are native LiteRT's, and near misses are left alone."""

import numpy as np
import pytest

from web_tests.drivers.harness import POLYFILL, Harness, LoadedModel, LoadOptions
from web_tests.models import patterns
from web_tests.models.patterns import ROWS, WIDTH, LayerNormalization
from web_tests.models.recipes import Array
from web_tests.references.comparison import assert_close
from web_tests.references.native_litert import outputs_of

# As a fraction of the results' range.
TOLERANCE = 1e-5

EXECUTIONS = {"webnn": LoadOptions(), "polyfill": POLYFILL}

NORMALIZATIONS = {
    "litert_torch": LayerNormalization(reshapes=True),
    "keras": LayerNormalization(),
    "keras_scaled": LayerNormalization(scaled=True),
}
NEAR_MISSES = {
    "another_axis": LayerNormalization(axis=1),
    "another_axis_with_reshapes": LayerNormalization(reshapes=True, axis=1),
    "two_readers": LayerNormalization(shared_mean=True),
    "two_readers_with_reshapes": LayerNormalization(reshapes=True, shared_mean=True),
    "epsilon_a_row": LayerNormalization(row_epsilon=True),
    "epsilon_a_row_with_reshapes": LayerNormalization(reshapes=True, row_epsilon=True),
    "shift_of_others": LayerNormalization(other_mean="shift"),
    "squares_of_others": LayerNormalization(other_mean="squares"),
    "a_number_is_added": LayerNormalization(bias=0.5),
}


@pytest.fixture(params=EXECUTIONS)
def options(request: pytest.FixtureRequest) -> LoadOptions:
    return EXECUTIONS[request.param]


def assert_direct_and_close(loaded: LoadedModel, content: bytes, inputs: list[Array]) -> None:
    assert loaded.execution_mode == "direct", loaded.cpu_reasons()
    assert_close(loaded.run(inputs), outputs_of(content, inputs), TOLERANCE)


def names_of(loaded: LoadedModel) -> set[str]:
    return {node["pattern"]["name"] for node in loaded.report["nodes"] if node["pattern"]}


@pytest.mark.parametrize("name", NORMALIZATIONS)
def test_layer_normalization_becomes_one_operator(webnn: Harness, options: LoadOptions, name: str) -> None:
    content = NORMALIZATIONS[name].model()
    loaded = webnn.load(content, options)
    nodes = loaded.report["nodes"]
    assert [node["op"] for node in nodes if not node["pattern"]] == ["TANH"]
    last = nodes[-1]
    assert last["webnnOps"] == ["layerNormalization"]
    assert last["pattern"] == {"name": "layer normalization", "node": last["index"]}
    assert not any(node["webnnOps"] for node in nodes[1:-1])
    assert f"lowered as one  1 layer normalization as {len(nodes) - 1} nodes\n" in loaded.report_text()
    assert_direct_and_close(loaded, content, [patterns.values(1, ROWS, WIDTH)])


@pytest.mark.parametrize("name", NEAR_MISSES)
def test_what_is_no_layer_normalization_keeps_its_nodes(webnn: Harness, options: LoadOptions, name: str) -> None:
    content = NEAR_MISSES[name].model()
    loaded = webnn.load(content, options)
    assert not names_of(loaded)
    assert_direct_and_close(loaded, content, [patterns.values(1, ROWS, WIDTH)])


def test_an_excluded_node_dissolves_its_pattern(webnn: Harness, options: LoadOptions) -> None:
    content = NORMALIZATIONS["keras"].model()
    denied = {**(options.webnn_options or {}), "excludedOps": ["RSQRT"], "ignorePartitionCost": True}
    loaded = webnn.load(content, LoadOptions(webnn_options=denied))
    assert not names_of(loaded)
    assert loaded.execution_mode == "stepped"
    inputs = [patterns.values(1, ROWS, WIDTH)]
    np.testing.assert_allclose(loaded.run(inputs)[0], outputs_of(content, inputs)[0], atol=1e-5)


@pytest.mark.parametrize("samples", [8, 512])
def test_the_magnitudes_of_a_spectrum_become_one_pattern(webnn: Harness, options: LoadOptions, samples: int) -> None:
    content = patterns.spectrum(samples)
    loaded = webnn.load(content, options)
    assert names_of(loaded) == {"spectrum magnitude"}
    assert_direct_and_close(loaded, content, [patterns.values(1, 3, samples)])


def test_long_spectra_stay_on_the_cpu(webnn: Harness, options: LoadOptions) -> None:
    content, inputs = patterns.spectrum(2048), [patterns.values(1, 3, 2048)]
    loaded = webnn.load(content, options)
    assert loaded.cpu_reasons()["RFFT2D"] == "RFFT2D: WebNN has no complex numbers"
    assert_close(loaded.run(inputs), outputs_of(content, inputs), TOLERANCE)
