"""Results of branches. Native LiteRT lets a branch write into the memory of its node's results, and never undoes it."""

from collections.abc import Callable, Sequence

import numpy as np
import pytest

from web_tests.drivers.harness import CPU, KERNELS, POLYFILL, LoadOptions, ModelError, PageHarness
from web_tests.models import stateful
from web_tests.models.model_writer import ModelWriter
from web_tests.models.recipes import Array

Branch = Callable[[ModelWriter, int], list[int]]

SHAPE = (8, 8)
BACKENDS = {
    "xnnpack": CPU,
    "kernels": KERNELS,
}
# The values of the selector that run the first and the second branch.
SELECTORS: dict[str, list[Array]] = {
    "IF": [np.array([True]), np.array([False])],
    "STABLEHLO_CASE": [np.array([0], np.int32), np.array([1], np.int32)],
}
every_case = pytest.mark.parametrize(
    ("op", "backend"), [(op, backend) for op in SELECTORS for backend in BACKENDS.values()]
)


class Choice:
    """A signature's subgraph that begins with a node of two branches; each of them has one input, `value`.

    All subgraphs but the main one are branches of a STABLEHLO_CASE. An IF is in another one, which is resized in place.
    """

    def __init__(self, op: str, *branches: Branch) -> None:
        self._main = ModelWriter()
        self.writer = self._main.subgraph() if op == "IF" else self._main
        self.selector = self.writer.tensor("selector", (1,), "bool" if op == "IF" else "int32")
        self.x = self.writer.tensor("x", SHAPE)
        called = []
        for branch in branches:
            writer = self._main.subgraph()
            value = writer.tensor("value", SHAPE)
            results = branch(writer, value)
            writer.end([value], results)
            called.append(self._main.index_of(writer))
        kind = ((2,), "int32") if branches[0] is _shape else (SHAPE, "float32")
        self.taken = [self.writer.tensor(f"taken{position}", *kind) for position in range(len(results))]
        options = (
            {"thenSubgraphIndex": called[0], "elseSubgraphIndex": called[1]}
            if op == "IF"
            else {"branchSubgraphIndices": called}
        )
        self.writer.node(op, [self.selector, self.x], self.taken, options)

    def finish(self, inputs: Sequence[int] = (), outputs: Sequence[int] = ()) -> bytes:
        """Return the file, with further inputs and outputs of the subgraph."""
        inputs_and_outputs = [self.selector, self.x, *inputs], [*self.taken, *outputs]
        if self.writer is self._main:
            return self._main.finish(*inputs_and_outputs, signature="choice")
        self.writer.end(*inputs_and_outputs, signature="choice")
        x, y = self._main.tensor("x", SHAPE), self._main.tensor("y", SHAPE)
        self._main.node("NEG", [x], [y])
        return self._main.finish([x], [y], signature="main")


def _transposed(writer: ModelWriter, value: int) -> list[int]:
    result = writer.tensor("result", SHAPE)
    order = writer.constant("order", np.array([1, 0], np.int32))
    writer.node("TRANSPOSE", [value, order], [result])
    return [result]


def _negated(writer: ModelWriter, value: int) -> list[int]:
    result = writer.tensor("result", SHAPE)
    writer.node("NEG", [value], [result])
    return [result]


def _negated_twice(writer: ModelWriter, value: int) -> list[int]:
    return _negated(writer, value) * 2


def _shape(writer: ModelWriter, value: int) -> list[int]:
    result = writer.tensor("shape", (2,), "int32")
    writer.node("SHAPE", [value], [result], {"outType": 2})
    return [result]


def _squared_shape(writer: ModelWriter, value: int) -> list[int]:
    shape, result = _shape(writer, value), writer.tensor("squared", (2,), "int32")
    writer.node("MUL", [*shape, *shape], [result])
    return [result]


@pytest.mark.parametrize("backend", BACKENDS.values(), ids=BACKENDS)
def test_branches_that_get_different_shapes_write_into_memory_of_their_own(
    harness: PageHarness, backend: LoadOptions
) -> None:
    """Both have one shape first. After the second resize, z has the memory that the first run's result had."""
    choice = Choice("IF", _transposed, _negated)
    writer = choice.writer
    z, total, sums = writer.tensor("z", (16,)), writer.tensor("total", ()), writer.tensor("sums", (16,))
    axes = writer.constant("axes", np.array([0, 1], np.int32))
    writer.node("SUM", [choice.x, axes], [total], {"keepDims": False})
    writer.node("ADD", [z, total], [sums])
    model = harness.load(choice.finish([z], [sums]), backend)
    for shape, size in ((SHAPE, 16), ((2, 7), 100), (SHAPE, 16), ((3, 2), 7)):
        model.resize([[1], list(shape), [size]], "choice")
        x = np.arange(np.prod(shape), dtype=np.float32).reshape(shape)
        others = np.linspace(0, 1, size, dtype=np.float32)
        for branch in (0, 1, 0):
            found = model.run_signature("choice", {"selector": SELECTORS["IF"][branch], "x": x, "z": others})
            np.testing.assert_array_equal(found["taken0"], -x if branch else x.T)
            np.testing.assert_allclose(found["sums"], others + x.sum(), rtol=1e-6)


@every_case
def test_a_branch_returns_a_result_twice(harness: PageHarness, op: str, backend: LoadOptions) -> None:
    model = harness.load(Choice(op, _negated_twice, _negated_twice).finish(), backend)
    x = np.arange(64, dtype=np.float32).reshape(SHAPE)
    for branch in (0, 1, 0):
        found = model.run_signature("choice", {"selector": SELECTORS[op][branch], "x": x})
        np.testing.assert_array_equal(found["taken0"], -x)
        np.testing.assert_array_equal(found["taken1"], -x)


@every_case
def test_a_branch_returns_what_is_known_before_it_runs(harness: PageHarness, op: str, backend: LoadOptions) -> None:
    model = harness.load(Choice(op, _shape, _squared_shape).finish(), backend)
    for shape in (SHAPE, (3, 5), SHAPE):
        model.resize([[1], list(shape)], "choice")
        for branch in (0, 1, 0):
            inputs = {"selector": SELECTORS[op][branch], "x": np.ones(shape, np.float32)}
            found = model.run_signature("choice", inputs)["taken0"]
            np.testing.assert_array_equal(found, np.array(shape) ** (branch + 1))


def signature_that_a_node_calls(*, calls_main: bool = False, has_state: bool = False) -> bytes:
    """Return a file of two signatures, one of which runs the other as both branches of an IF: -x, and -(x - 1).

    The signature `other` is called, unless it `calls_main`. With `has_state`, the main subgraph keeps a variable, and a
    signature `third`, -x, has nothing to do with the two.
    """
    main = ModelWriter()
    other = main.subgraph()
    caller, called = (other, main) if calls_main else (main, other)
    called_index = 0 if calls_main else 1
    x, y = called.tensor("x", SHAPE), called.tensor("y", SHAPE)
    called.node("NEG", [x], [y])
    selector, provided = caller.tensor("selector", (1,), "bool"), caller.tensor("x", SHAPE)
    less, chosen = caller.tensor("less", SHAPE), caller.tensor("chosen", SHAPE)
    ones = caller.constant("ones", np.ones((1,), np.float32))
    caller.node("SUB", [provided, ones], [less])
    options = {"thenSubgraphIndex": called_index, "elseSubgraphIndex": called_index}
    caller.node("IF", [selector, less], [chosen], options)
    if has_state:
        handle = caller.tensor("handle", (1,), "resource")
        caller.node("VAR_HANDLE", [], [handle], stateful.VARIABLE)
        caller.node("ASSIGN_VARIABLE", [handle, less], [])
    ends = {caller: ([selector, provided], [chosen]), called: ([x], [y])}
    other.end(*ends[other], signature="other")
    if has_state:
        third = main.subgraph()
        x, y = third.tensor("x", SHAPE), third.tensor("y", SHAPE)
        third.node("NEG", [x], [y])
        third.end([x], [y], signature="third")
    return main.finish(*ends[main], signature="main")


@pytest.mark.parametrize("options", [*BACKENDS.values(), POLYFILL], ids=[*BACKENDS, "polyfill"])
@pytest.mark.parametrize("calls_main", [False, True])
def test_a_signature_that_a_node_calls_also_runs_alone(
    harness: PageHarness, options: LoadOptions, *, calls_main: bool
) -> None:
    model = harness.load(signature_that_a_node_calls(calls_main=calls_main), options)
    caller, called = ("other", "main") if calls_main else ("main", "other")
    for shape in (SHAPE, (2, 3), (40, 50), SHAPE):
        x = np.arange(np.prod(shape), dtype=np.float32).reshape(shape)
        model.resize([[1], list(shape)], caller)
        if shape != (2, 3):  # else the called one keeps another shape than its caller has
            resized = shape
            model.resize([list(resized)], called)
        for branch in (0, 1):
            found = model.run_signature(caller, {"selector": SELECTORS["IF"][branch], "x": x})
            np.testing.assert_array_equal(found["chosen"], 1 - x)
            alone = np.ones(resized, np.float32)
            np.testing.assert_array_equal(model.run_signature(called, {"x": alone})["y"], -alone)


def test_a_called_signature_next_to_variables_is_an_error_of_its_run(harness: PageHarness) -> None:
    model = harness.load(signature_that_a_node_calls(has_state=True), BACKENDS["kernels"])
    with pytest.raises(ModelError, match=r"subgraph 1 cannot run here: .* each signature has a subgraph of its own"):
        model.run_signature("other", {"x": np.ones(SHAPE, np.float32)})
    found = model.run_signature("main", {"selector": np.array([True]), "x": np.ones(SHAPE, np.float32)})
    np.testing.assert_array_equal(found["chosen"], np.zeros(SHAPE))
    np.testing.assert_array_equal(model.run_signature("third", {"x": np.ones(SHAPE, np.float32)})["y"], -np.ones(SHAPE))
