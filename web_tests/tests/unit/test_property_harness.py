"""The harness itself: a deliberate bug is found, shrunk, and distinguished from others."""

import re
from collections.abc import Callable, Iterator, Sequence

import numpy as np
import pytest
from hypothesis import strategies as st
from hypothesis.database import InMemoryExampleDatabase
from hypothesis.strategies import DrawFn

from web_tests.browsers.page import PageError
from web_tests.drivers.harness import LoadOptions
from web_tests.drivers.page_calls import ModelError
from web_tests.models.recipes import Array
from web_tests.properties import judging, search
from web_tests.properties.batch import Batch
from web_tests.properties.comparer import Comparer, EngineUnderTest, Failure
from web_tests.properties.engines import Execution, Run
from web_tests.properties.families import FAMILIES, nodes
from web_tests.properties.known import Known, Row
from web_tests.properties.native import Native, NativeResult, compute
from web_tests.properties.spec import Fill, NodeSpec, Operand
from web_tests.references import native_litert

EXECUTION = Execution("fake", "node", LoadOptions())
SHAPE_LIMIT = 3
NODES_AN_OP = 20
SAMPLED = 60  # squares, of which half are above the limit


class FakeEngine:
    """Native LiteRT with a bug: `corrupt` gets the outputs, in order, and may change them or raise."""

    execution = EXECUTION

    def __init__(
        self,
        corrupt: Callable[[list[Array]], list[Array]],
        losses: int = 0,
        turned_off: Callable[[list[Array]], str] = lambda _: "",
    ) -> None:
        self._corrupt = corrupt
        self._losses = losses
        self._turned_off = turned_off

    def start(self, model: bytes, inputs: Sequence[Array], runs: int) -> Callable[[], Run]:
        def finish() -> Run:
            try:
                outputs = native_litert.run_native(model, inputs, runs=runs)
            except native_litert.ReferenceError as error:
                raise ModelError("Error", "REJECTED", str(error), "") from error
            return Run(self._corrupt(outputs), self._losses, turned_off=self._turned_off(outputs))

        return finish


@st.composite
def squares(draw: DrawFn) -> NodeSpec:
    shape = tuple(draw(st.lists(st.integers(1, 6), min_size=1, max_size=3)))
    return NodeSpec("SQUARE", (Operand(shape, Fill("integer", 1, 5, draw(st.integers(0, 9)))),))


def square(size: int) -> NodeSpec:
    return NodeSpec("SQUARE", (Operand((size,), Fill("integer", 1, 5, size)),))


def wrong_above_the_limit(outputs: list[Array]) -> list[Array]:
    return [array + (array.shape[-1] > SHAPE_LIMIT) for array in outputs]


def rejected_above_the_limit(outputs: list[Array]) -> list[Array]:
    if any(array.shape[-1] > SHAPE_LIMIT for array in outputs):
        raise ModelError("Error", "REJECTED", "no", "")
    return outputs


def crashing_above_the_limit(outputs: list[Array]) -> list[Array]:
    if any(array.shape[-1] > SHAPE_LIMIT for array in outputs):
        raise PageError("gone")
    return outputs


@pytest.fixture(scope="module")
def native() -> Iterator[Native]:
    with Native() as running:
        yield running


@pytest.fixture
def compare_squares(native: Native) -> Callable[..., list[Failure]]:
    """Compare squares on engines, with rows of known differences."""

    def run(engines: Sequence[EngineUnderTest], known: Sequence[Row] = ()) -> list[Failure]:
        comparer = Comparer(native, engines)
        return search.Search(squares(), 7, comparer, Known(known)).check(search.sampled(squares(), 7, SAMPLED))

    return run


@pytest.mark.parametrize(
    ("corrupt", "kind"),
    [(wrong_above_the_limit, "values"), (rejected_above_the_limit, "rejected"), (crashing_above_the_limit, "crash")],
)
def test_a_bug_is_found_and_shrunk(
    compare_squares: Callable[..., list[Failure]], corrupt: Callable[[list[Array]], list[Array]], kind: str
) -> None:
    smallest = re.escape(f"Operand(shape=({SHAPE_LIMIT + 1},), ")
    with pytest.raises(search.WrongNodeError, match=f"SQUARE {kind} on fake(.|\n)*{smallest}"):
        compare_squares([FakeEngine(corrupt)])
    assert compare_squares([FakeEngine(lambda outputs: outputs)]) == []


class CountingEngine(FakeEngine):
    """Notes the sizes of the nodes' outputs."""

    def __init__(self, corrupt: Callable[[list[Array]], list[Array]]) -> None:
        self.shapes: list[tuple[int, ...]] = []
        super().__init__(lambda outputs: corrupt(self._noted(outputs)))

    def _noted(self, outputs: list[Array]) -> list[Array]:
        self.shapes += [array.shape for array in outputs]
        return outputs


def test_the_next_run_replays_a_failing_node_first(native: Native) -> None:
    database = InMemoryExampleDatabase()

    def searching(engine: EngineUnderTest) -> search.Search:
        return search.Search(squares(), 7, Comparer(native, [engine]), Known([]), database)

    with pytest.raises(search.WrongNodeError):
        searching(FakeEngine(wrong_above_the_limit)).check(search.sampled(squares(), 7, SAMPLED))
    engine = CountingEngine(wrong_above_the_limit)
    with pytest.raises(search.WrongNodeError, match=re.escape(f"Operand(shape=({SHAPE_LIMIT + 1},), ")):
        searching(engine).replay_and_follow()
    assert engine.shapes[0] == (SHAPE_LIMIT + 1,)


def test_a_search_follows_differences_to_one_that_random_nodes_do_not_have(native: Native) -> None:
    wrong = (17, 23, 11)

    @st.composite
    def blocks(draw: DrawFn) -> NodeSpec:
        return NodeSpec("SQUARE", (Operand((*(draw(st.integers(1, 30)) for _ in wrong),), Fill("integer", 1, 5, 0)),))

    def distance(array: Array) -> int:
        return sum(abs(size - other) for size, other in zip(array.shape, wrong, strict=True))

    def more_wrong_if_nearer(outputs: list[Array]) -> list[Array]:
        return [array + np.float32(0.95 * largest / max(distance(array), 0.5)) for array in outputs]

    largest = judging.tolerance_of(square(1), EXECUTION.name).relative_to_range * 4**2
    searching = search.Search(blocks(), 7, Comparer(native, [FakeEngine(more_wrong_if_nearer)]), Known([]))
    assert searching.check(search.sampled(blocks(), 7, search.TARGETED_EXAMPLES)) == []
    with pytest.raises(search.WrongNodeError, match=re.escape(f"shape={wrong}")):
        searching.replay_and_follow()


def test_a_known_difference_is_returned(compare_squares: Callable[..., list[Failure]]) -> None:
    row = Row("squares", ("SQUARE",), ("fake",), ("values",), "", "for this test")
    found = compare_squares([FakeEngine(wrong_above_the_limit)], [row])
    assert {(failure.spec.op, failure.execution, failure.kind) for failure in found} == {("SQUARE", "fake", "values")}
    assert Known([row]).never_met("fake", ["SQUARE"], []) == ["squares"]
    assert Known([row]).never_met("fake", ["SQUARE"], ["squares"]) == []


def test_all_kinds_of_bugs_are_printed(
    compare_squares: Callable[..., list[Failure]], capsys: pytest.CaptureFixture[str]
) -> None:
    class Other(FakeEngine):
        execution = Execution("other", "node", LoadOptions())

    with pytest.raises((search.WrongNodeError, ExceptionGroup)):
        compare_squares([FakeEngine(rejected_above_the_limit), Other(wrong_above_the_limit)])
    printed = capsys.readouterr().out
    assert "SQUARE rejected on fake" in printed
    assert "SQUARE values on other" in printed


def test_a_killed_gpu_process_is_a_failure(native: Native) -> None:
    comparer = Comparer(native, [FakeEngine(lambda outputs: outputs, losses=1)])
    assert [failure.kind for failure in comparer.failures([square(2)])] == ["gpu process"]


def test_a_node_that_turns_an_engine_off_hides_no_bug_of_another(native: Native) -> None:
    def is_off(outputs: list[Array]) -> bool:
        return any(len(array) > SHAPE_LIMIT for array in outputs)

    def wrong_unless_off(outputs: list[Array]) -> list[Array]:
        return outputs if is_off(outputs) else [array + 1 for array in outputs]

    engine = FakeEngine(wrong_unless_off, turned_off=lambda outputs: "too long" if is_off(outputs) else "")
    wrong, long = square(1), square(SHAPE_LIMIT + 1)
    failures = Comparer(native, [engine]).failures([long, wrong])
    assert [(failure.spec, failure.kind) for failure in failures] == [(wrong, "values")]


def test_native_litert_runs_a_node_alone_where_a_neighbour_may_have_corrupted_its_output(native: Native) -> None:
    class Corrupted:
        def results(self, specs: Sequence[NodeSpec]) -> list[NativeResult]:
            results = native.results(specs)
            if len(specs) == 1:
                return results
            return [NativeResult(each.shapes, tuple((one[0] + 9,) for one in each.outputs)) for each in results]

    engine = FakeEngine(wrong_above_the_limit)
    failures = Comparer(Corrupted(), [engine]).failures([square(1), square(SHAPE_LIMIT + 2)])
    assert [failure.spec for failure in failures] == [square(SHAPE_LIMIT + 2)]


def test_a_node_with_an_empty_input_has_a_separate_model(native: Native) -> None:
    """The runner turns XNNPACK off for a model with an empty input."""
    sizes: list[set[int]] = []

    def note(outputs: list[Array]) -> list[Array]:
        sizes.append({len(array) for array in outputs})
        return outputs

    assert not Comparer(native, [FakeEngine(note)]).failures([square(2), square(0), square(3)])
    assert sizes == [{2, 3}, {0}]


def test_what_native_rejects_must_be_rejected(native: Native) -> None:
    class Accepting:
        execution = EXECUTION

        def start(self, model: bytes, inputs: Sequence[Array], runs: int) -> Callable[[], Run]:
            return lambda: Run([np.zeros(2, np.float32)])

    # SQUARE has one input.
    wrong = NodeSpec("SQUARE", (Operand((2,), Fill("integer", 1, 5, 0)),) * 2)
    failures = Comparer(native, [Accepting()]).failures([wrong])
    assert [failure.kind for failure in failures] == ["accepted"]


@pytest.mark.parametrize("family", FAMILIES)
def test_native_accepts_most_samples(native: Native, family: str) -> None:
    """Per op, so that no op is silently lost to a strategy whose nodes native LiteRT rejects."""
    for op in FAMILIES[family]:
        specs = list(dict.fromkeys(search.sampled(nodes(family, op), 1_000_000, NODES_AN_OP)))
        rejected = [result.rejection for result in native.results(specs) if not result.outputs]
        assert len(rejected) <= len(specs) / 4, (op, rejected)


def test_a_batch_matches_its_nodes_alone() -> None:
    specs = tuple(map(square, range(4)))
    together = compute(specs)
    for spec, one in zip(specs, together, strict=True):
        (alone,) = compute((spec,))
        assert all(np.array_equal(a, b) for a, b in zip(one.outputs[0], alone.outputs[0], strict=True))
    assert len(Batch(specs).inputs()) == len(specs)
