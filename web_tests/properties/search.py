"""Draws nodes with Hypothesis, compares them in batches, and lets Hypothesis shrink what differs."""

from collections.abc import Callable, Sequence

from hypothesis import HealthCheck, Phase, given, seed, settings

from web_tests.properties.comparer import Comparer, Failure
from web_tests.properties.families.common import Strategy
from web_tests.properties.known import Known
from web_tests.properties.spec import NodeSpec

# Nodes of a strategy; more by `--hypothesis-profile=long`.
EXAMPLES = 200


class WrongNodeError(AssertionError):
    """A node differs. Hypothesis distinguishes bugs by classes derived from this one."""


def sampled(strategy: Strategy, seed_value: int, count: int = 0) -> list[NodeSpec]:
    """Return `count` nodes of a strategy, or as many as the profile of Hypothesis says."""
    found: list[NodeSpec] = []
    only_draw = settings(phases=[Phase.generate], max_examples=count or examples())
    _start(strategy, seed_value, found.append, only_draw)
    return found


def examples() -> int:
    """Return the number of nodes of a strategy."""
    return max(EXAMPLES, settings().max_examples)


def check(
    strategy: Strategy, seed_value: int, specs: Sequence[NodeSpec], comparer: Comparer, known: Known
) -> list[Failure]:
    """Compare a strategy's nodes, and return the known differences.

    If others differ, their kinds are printed; then Hypothesis draws the same nodes again, looks up their results, and
    shrinks.

    Raises:
        WrongNodeError: a node differs that `known` does not name; several may be an ExceptionGroup.
    """
    failures = comparer.failures(specs)
    unknown = [failure for failure in failures if not known.name_of(failure)]
    if not unknown:
        return failures
    print("\n".join(sorted({failure.signature for failure in unknown})))
    classes: dict[str, type[WrongNodeError]] = {}

    def test(spec: NodeSpec) -> None:
        for failure in comparer.failures([spec]):
            if not known.name_of(failure):
                kind = classes.setdefault(failure.signature, type("WrongNodeError", (WrongNodeError,), {}))
                raise kind(_text(failure))

    _start(strategy, seed_value, test, settings(phases=[Phase.generate, Phase.shrink], max_examples=len(specs)))
    raise WrongNodeError(_text(unknown[0]))


def _start(strategy: Strategy, seed_value: int, test: Callable[[NodeSpec], None], chosen: settings) -> None:
    quiet = settings(chosen, database=None, deadline=None, suppress_health_check=list(HealthCheck), print_blob=False)

    # Hypothesis requires a function.
    def test_function(spec: NodeSpec) -> None:
        test(spec)

    seed(seed_value)(quiet(given(strategy)(test_function)))()


def _text(failure: Failure) -> str:
    return f"{failure.signature}: {failure.message}\n{failure.spec}"
