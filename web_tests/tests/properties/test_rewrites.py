"""Rewrites prove their conditions: graphs that they match, with one or two things changed, agree with native LiteRT.

A change that native LiteRT rejects is left out. Where TFLite's kernels and XNNPACK differ, either is right; XNNPACK
is wrong about a product of one transposed tensor with itself.
"""

from collections.abc import Iterator
from functools import cache

import numpy as np
import pytest
from hypothesis import HealthCheck, given, seed, settings
from hypothesis import strategies as st

from web_tests.drivers.page_calls import ModelError
from web_tests.models.changed_graphs import Graph, changes
from web_tests.models.recipes import SEED
from web_tests.models.rewritten_graphs import GRAPHS
from web_tests.properties.engines import Engine, Execution, executions
from web_tests.references.graph_outputs import Native

EXAMPLES = 100
NEEDS = {"cpu-simd": "package", "webnn": "webnn", "polyfill": "package"}
# Of the largest value; quantized results in steps.
TOLERANCE = 1e-4
STEPS = 1


@pytest.fixture(scope="session", params=[pytest.param(name, marks=pytest.mark.needs(NEEDS[name])) for name in NEEDS])
def execution(request: pytest.FixtureRequest) -> Execution:
    (found,) = [each for each in executions() if each.name == request.param]
    return found


@pytest.fixture(scope="module")
def native() -> Iterator[Native]:
    opened = Native()
    yield opened
    opened.close()


@cache
def single_changes(name: str) -> tuple[tuple[str, Graph], ...]:
    return tuple(changes(GRAPHS[name]()))


def assert_native_outputs(engine_under_test: Engine, native: Native, what: str, graph: Graph) -> None:
    expected = native.outputs(graph)
    if expected is None:
        return
    content, outputs = expected
    try:
        found = engine_under_test.start(content, list(graph.inputs.values()), 1)().outputs
    except ModelError as error:
        pytest.fail(f"{what}: rejected: {error}", pytrace=False)
    for one, other in zip(found, outputs, strict=True):
        wide, reference = one.astype(np.complex128), other.astype(np.complex128)
        largest = float(np.abs(reference[np.isfinite(reference)]).max(initial=0)) or 1.0
        allowed = STEPS if other.dtype == np.int8 else TOLERANCE * largest
        np.testing.assert_allclose(wide, reference, rtol=0, atol=allowed, equal_nan=True, err_msg=what)


@pytest.mark.parametrize("name", GRAPHS)
def test_each_single_change_of_a_graph_equals_native_litert(
    engine_under_test: Engine, native: Native, name: str
) -> None:
    """All of them, one by one."""
    for what, graph in single_changes(name):
        assert_native_outputs(engine_under_test, native, what, graph)


@pytest.mark.parametrize("name", GRAPHS)
def test_random_pairs_of_changes_equal_native_litert(engine_under_test: Engine, native: Native, name: str) -> None:
    """Random pairs."""

    @seed(SEED)
    @settings(max_examples=EXAMPLES, deadline=None, database=None, suppress_health_check=list(HealthCheck))
    @given(st.data())
    def run(data: st.DataObject) -> None:
        first, graph = data.draw(st.sampled_from(single_changes(name)), label="first")
        second, changed = data.draw(st.sampled_from(tuple(changes(graph))), label="second")
        assert_native_outputs(engine_under_test, native, f"{first}, {second}", changed)

    run()
