"""Draws nodes with Hypothesis, compares them in batches, and lets Hypothesis shrink what differs.

`--hypothesis-profile=campaign` draws many. Before, it replays the failing nodes of the last such run, and follows the
largest differences by target().
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from hypothesis import HealthCheck, Phase, given, seed, settings, target
from hypothesis.database import DirectoryBasedExampleDatabase, ExampleDatabase

from support.paths import cache_dir
from web_tests.properties.comparer import Comparer, Failure
from web_tests.properties.families.common import Strategy
from web_tests.properties.known import Known
from web_tests.properties.spec import NodeSpec

# Nodes of a strategy, without the profile.
EXAMPLES = 200
PROFILE = "campaign"
PROFILE_EXAMPLES = 20_000
# These run alone, because each follows from the result of another.
TARGETED_EXAMPLES = 1_000
DATABASE_DIR = cache_dir() / "hypothesis"

settings.register_profile(PROFILE, max_examples=PROFILE_EXAMPLES)


class WrongNodeError(AssertionError):
    """A node differs. Hypothesis distinguishes bugs by classes derived from this one."""


def has_profile() -> bool:
    """Return whether `--hypothesis-profile=campaign` was chosen."""
    return settings.get_current_profile_name() == PROFILE


def failing_nodes(name: str) -> ExampleDatabase | None:
    """Return the database of one search, in the cache directory; None without the profile: its runs are equal."""
    return DirectoryBasedExampleDatabase(DATABASE_DIR / name) if has_profile() else None


def sampled(strategy: Strategy, seed_value: int, count: int = 0) -> list[NodeSpec]:
    """Return `count` nodes of a strategy, or as many as the profile of Hypothesis says."""
    found: list[NodeSpec] = []
    examples = PROFILE_EXAMPLES if has_profile() else EXAMPLES
    only_draw = settings(phases=[Phase.generate], max_examples=count or examples, database=None)
    run(strategy, seed_value, found.append, only_draw)
    return found


@dataclass(frozen=True)
class Search:
    """A search for nodes of a strategy that differ from native LiteRT and that `known` does not name.

    Each method raises a WrongNodeError for such a node; several may be an ExceptionGroup. `database` has the failing
    nodes of the last run.
    """

    strategy: Strategy
    seed: int
    comparer: Comparer
    known: Known
    database: ExampleDatabase | None = None

    def replay_and_follow(self) -> None:
        """Compare the nodes that failed in the last run, then ones like those that differ most and are right."""
        self._run(Phase.reuse, Phase.generate, Phase.target, Phase.shrink, count=TARGETED_EXAMPLES)

    def check(self, specs: Sequence[NodeSpec]) -> list[Failure]:
        """Compare the strategy's nodes, and return the known differences.

        If others differ, their kinds are printed; then Hypothesis draws the same nodes again, looks up their results,
        and shrinks.
        """
        failures = self.comparer.failures(specs)
        unknown = [failure for failure in failures if not self.known.name_of(failure)]
        if not unknown:
            return failures
        print("\n".join(sorted({failure.signature for failure in unknown})))
        self._run(Phase.generate, Phase.shrink, count=len(specs))
        raise WrongNodeError(_text(unknown[0]))

    def _run(self, *phases: Phase, count: int) -> None:
        classes: dict[str, type[WrongNodeError]] = {}

        def test(spec: NodeSpec) -> None:
            failures = self.comparer.failures([spec])
            for failure in failures:
                if not self.known.name_of(failure):
                    kind = classes.setdefault(failure.signature, type("WrongNodeError", (WrongNodeError,), {}))
                    raise kind(_text(failure))
            if Phase.target in phases and not failures:
                target(self.comparer.distance(spec), label=spec.op)

        run(self.strategy, self.seed, test, settings(phases=phases, max_examples=count, database=self.database))


def run(strategy: Strategy, seed_value: int, test: Callable[[NodeSpec], None], chosen: settings) -> None:
    quiet = settings(chosen, deadline=None, suppress_health_check=list(HealthCheck), print_blob=False)

    # Hypothesis requires a function, whose text is the key in its database.
    def test_function(spec: NodeSpec) -> None:
        test(spec)

    # The settings are outermost: seed() turns the database off.
    quiet(seed(seed_value)(given(strategy)(test_function)))()


def _text(failure: Failure) -> str:
    return f"{failure.signature}: {failure.message}\n{failure.spec}"
