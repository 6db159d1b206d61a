"""Hundreds of random nodes per family on each execution, compared with native LiteRT; `tools.properties` has more.

The seed is fixed and printed, so a failure comes from the tested change; TFLITE_WEBNN_PROPERTIES_SEED sets
another one, `random` draws one.
"""

import os
import random
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from functools import cache, partial

import pytest
from playwright.sync_api import Playwright

from tools.properties import campaign, known
from tools.properties.campaign import Plan
from tools.properties.engines import Engine, Execution, engine, executions
from tools.properties.examiner import Examiner
from tools.properties.families import FAMILIES, nodes
from tools.properties.native import Answer, Native
from tools.properties.spec import NodeSpec
from web_tests.models.recipes import SEED
from web_tests.server.server import Server

SEED_VARIABLE = "TFLITE_WEBNN_PROPERTIES_SEED"
EXAMPLES = 200
# Each execution, and what it needs.
NEEDS = {"cpu-simd": "package", "cpu-relaxed-simd": "variants", "webnn": "webnn", "polyfill": "package"}


@pytest.fixture(scope="session")
def seed() -> int:
    given = os.environ.get(SEED_VARIABLE, str(SEED))
    return random.SystemRandom().randrange(1_000_000) if given == "random" else int(given)


class RememberingNative(Native):
    """Native LiteRT, whose answers to a batch the executions share. A node that is asked alone is another batch."""

    def __init__(self) -> None:
        super().__init__()
        self._answers: dict[tuple[NodeSpec, ...], list[Answer]] = {}

    def answers(self, specs: Sequence[NodeSpec]) -> list[Answer]:
        batch = tuple(specs)
        if batch not in self._answers:
            self._answers[batch] = super().answers(specs)
        return self._answers[batch]


@pytest.fixture(scope="session")
def native() -> Iterator[Native]:
    with RememberingNative() as running:
        yield running


@cache
def nodes_of(family: str, seed: int) -> list[NodeSpec]:
    """Return a family's nodes, the same for each execution."""
    return campaign.drawn(plan_of(family, seed))


def plan_of(family: str, seed: int) -> Plan:
    return Plan(partial(nodes, family), EXAMPLES, seed)


@pytest.fixture(scope="session", params=[pytest.param(name, marks=pytest.mark.needs(NEEDS[name])) for name in NEEDS])
def execution(request: pytest.FixtureRequest) -> Execution:
    """Each execution."""
    (found,) = [each for each in executions() if each.name == request.param]
    return found


@pytest.fixture(scope="session")
def subject(execution: Execution, server: Server, request: pytest.FixtureRequest) -> Iterator[Engine]:
    """The engine of an execution, shared by a worker's tests."""
    with ExitStack() as stack:
        playwright: Playwright | None = None
        if execution.place == "browser":
            request.getfixturevalue("webnn_program")
            playwright = request.getfixturevalue("playwright")
        yield stack.enter_context(engine(execution, server, playwright))


@pytest.mark.parametrize("family", FAMILIES)
def test_family(family: str, subject: Engine, native: Native, seed: int) -> None:
    examiner = Examiner(native, [subject])
    print(f"{SEED_VARIABLE}={seed}")
    named = known.load()
    unknown = [failure for failure in examiner.failures(nodes_of(family, seed)) if not named.name_of(failure)]
    if unknown:  # a campaign with the same nodes shrinks them
        smallest = campaign.run(plan_of(family, seed), examiner, named).failures.values()
        lines = [f"{failure.signature}: {failure.message}\n{failure.spec}" for failure in smallest or unknown]
        pytest.fail("\n".join([f"{SEED_VARIABLE}={seed} repeats this", *lines]), pytrace=False)
