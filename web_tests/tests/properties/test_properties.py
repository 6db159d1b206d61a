"""Hundreds of random nodes of each family on each execution, compared with native LiteRT.

Many more:
    python3 build.py test web_tests/tests/properties -k "random_nodes and convolution" --hypothesis-profile=campaign

The seed is fixed and printed, so a failure comes from the tested change; --hypothesis-seed sets another, or `random`.
"""

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache

import pytest

from web_tests.models.recipes import SEED
from web_tests.properties import known, search
from web_tests.properties.comparer import Comparer
from web_tests.properties.engines import Engine, Execution, executions
from web_tests.properties.families import FAMILIES, nodes
from web_tests.properties.native import Native, NativeResult
from web_tests.properties.spec import NodeSpec

# Each execution, and what it needs.
NEEDS = {"cpu-simd": "package", "cpu-relaxed-simd": "variants", "webnn": "webnn", "polyfill": "package"}


@pytest.fixture(scope="session")
def seed(pytestconfig: pytest.Config) -> int:
    option = pytestconfig.getoption("--hypothesis-seed") or str(SEED)
    return random.SystemRandom().randrange(1_000_000) if option == "random" else int(option)


class RememberingNative(Native):
    """Native LiteRT, whose results of a batch the executions share. A node that runs alone is another batch."""

    def __init__(self) -> None:
        super().__init__()
        self._results: dict[tuple[NodeSpec, ...], list[NativeResult]] = {}

    def results(self, specs: Sequence[NodeSpec]) -> list[NativeResult]:
        batch = tuple(specs)
        if batch not in self._results:
            self._results[batch] = super().results(specs)
        return self._results[batch]


@pytest.fixture(scope="session")
def native() -> Iterator[Native]:
    with RememberingNative() as running:
        yield running


@cache
def nodes_of(family: str, seed: int) -> list[NodeSpec]:
    """Return a family's nodes, the same for each execution."""
    return search.sampled(nodes(family), seed)


@pytest.fixture(scope="session", params=[pytest.param(name, marks=pytest.mark.needs(NEEDS[name])) for name in NEEDS])
def execution(request: pytest.FixtureRequest) -> Execution:
    """Each execution."""
    (found,) = [each for each in executions() if each.name == request.param]
    return found


@pytest.mark.timeout(3 * 3600)
@pytest.mark.parametrize("family", FAMILIES)
def test_random_nodes_of_a_family_agree_with_native_litert(
    family: str, engine_under_test: Engine, native: Native, seed: int
) -> None:
    print(f"--hypothesis-seed={seed} repeats this")
    named, execution = known.load(), engine_under_test.execution.name
    comparer = Comparer(native, [engine_under_test])
    database = search.failing_nodes(f"{execution}/{family}")
    searching = search.Search(nodes(family), seed, comparer, named, database)
    if search.has_profile():
        searching.replay_and_follow()
    failures = searching.check(nodes_of(family, seed))
    met = Counter(named.name_of(failure) for failure in failures)
    print(f"known differences: {dict(met)}")
    if search.has_profile():
        print(f"known.toml: no node has matched {named.never_met(execution, [*FAMILIES[family]], met)}")
