"""Nodes that call subgraphs in ways that TensorFlow Lite cannot prepare: without end, or with the wrong tensors."""

import re
from collections.abc import Sequence

import numpy as np
import pytest

from wasm.toolchain.description import DescriptionError
from web_tests.models.model_writer import NO_TENSOR, ModelWriter
from web_tests.references.described import described, rejection
from web_tests.references.golden import WEBNN

pytestmark = pytest.mark.needs("package")

SHAPE = (4,)
DEEPEST = 12


def calling(calls: Sequence[Sequence[int]], *, signature: int = 0) -> bytes:
    """Return a file in which subgraph i runs an IF for each of calls[i], both of whose branches are that subgraph.

    `signature` is another subgraph with a signature, if it is not 0.
    """
    main = ModelWriter()
    writers = [main, *(main.subgraph() for _ in calls[1:])]
    for index, (writer, callees) in enumerate(zip(writers, calls, strict=True)):
        x = value = writer.tensor("x", SHAPE)
        condition = writer.constant("condition", np.array([True]))
        for callee in callees:
            value, called = writer.tensor("result", SHAPE), value
            options = {"thenSubgraphIndex": callee, "elseSubgraphIndex": callee}
            writer.node("IF", [condition, called], [value], options)
        y = writer.tensor("y", SHAPE)
        writer.node("RELU", [value], [y])
        if index > 0:
            writer.end([x], [y], signature="other" if index == signature else "")
        else:
            inputs_and_outputs = [x], [y]
    return main.finish(*inputs_and_outputs)


def loop_in_itself() -> bytes:
    main = ModelWriter()
    options = {"condSubgraphIndex": 1, "bodySubgraphIndex": 2}
    condition, body = main.subgraph(), main.subgraph()
    value = condition.tensor("value", SHAPE)
    condition.end([value], [condition.constant("goes_on", np.array([True]))])
    for writer in (body, main):
        x, y = writer.tensor("x", SHAPE), writer.tensor("y", SHAPE)
        writer.node("WHILE", [x], [y], options)
        if writer is body:
            body.end([x], [y])
    return main.finish([x], [y])


def initializations_of_each_other() -> bytes:
    main = ModelWriter()
    for callee in (2, 1):
        writer = main.subgraph()
        writer.node("CALL_ONCE", [], [], {"initSubgraphIndex": callee})
        writer.end([], [])
    main.node("CALL_ONCE", [], [], {"initSubgraphIndex": 1})
    x, y = main.tensor("x", SHAPE), main.tensor("y", SHAPE)
    main.node("RELU", [x], [y])
    return main.finish([x], [y])


def composite_in_itself() -> bytes:
    main = ModelWriter()
    fields = {"name": b"it", "decompositionSubgraphIndex": 1, "compositeAttributes": [0]}
    for writer in (main.subgraph(), main):
        x, y = writer.tensor("x", SHAPE), writer.tensor("y", SHAPE)
        writer.node("STABLEHLO_COMPOSITE", [x], [y], fields)
        if writer is not main:
            writer.end([x], [y])
    return main.finish([x], [y])


def choice(branches: Sequence[int], *, unread: bool = False, signature: str = "") -> bytes:
    """Return a STABLEHLO_CASE next to two subgraphs; `unread` adds an input that no node reads."""
    main = ModelWriter()
    for key in ("", signature):
        writer = main.subgraph()
        x, y = writer.tensor("x", SHAPE), writer.tensor("y", SHAPE)
        writer.node("RELU", [x], [y])
        writer.end([x], [y], signature=key)
    which, x, y = main.tensor("which", (), "int32"), main.tensor("x", SHAPE), main.tensor("y", SHAPE)
    fields = {"branchSubgraphIndices": list(branches)}
    main.node("STABLEHLO_CASE", [which, x], [y], fields)
    return main.finish([which, x, *[main.tensor("unread", SHAPE)] * unread], [y])


def left_out_input() -> bytes:
    main = ModelWriter()
    other = main.subgraph()
    x, y = other.tensor("x", SHAPE), other.tensor("y", SHAPE)
    other.node("RELU", [x], [y])
    other.end([x], [y])
    condition, y = main.tensor("condition", (1,), "bool"), main.tensor("y", SHAPE)
    options = {"thenSubgraphIndex": 1, "elseSubgraphIndex": 1}
    main.node("IF", [condition, NO_TENSOR], [y], options)
    return main.finish([condition], [y])


def other_types(provided: str, taken: str) -> bytes:
    """Return an IF of an input and a result of these types; its branches' are float32."""
    main = ModelWriter()
    other = main.subgraph()
    x, y = other.tensor("x", SHAPE), other.tensor("y", SHAPE)
    other.node("RELU", [x], [y])
    other.end([x], [y])
    condition = main.tensor("condition", (1,), "bool")
    x, y = main.tensor("x", SHAPE, provided), main.tensor("y", SHAPE, taken)
    options = {"thenSubgraphIndex": 1, "elseSubgraphIndex": 1}
    main.node("IF", [condition, x], [y], options)
    return main.finish([condition, x], [y])


REJECTED: dict[str, tuple[bytes, str]] = {
    "a branch that calls itself": (calling([[1], [1]]), r"node 0 \(IF\) of subgraph 1 calls subgraph 1 recursively"),
    "branches in a circle": (
        calling([[1], [2], [3], [1]]),
        r"node 0 \(IF\) of subgraph 3 calls subgraph 1 recursively",
    ),
    "a circle that the main subgraph does not call": (
        calling([[], [2], [1]]),
        "of subgraph 2 calls subgraph 1 recursively",
    ),
    "a loop in itself": (loop_in_itself(), r"node 0 \(WHILE\) of subgraph 2 calls subgraph 2 recursively"),
    "initializations of each other": (
        initializations_of_each_other(),
        r"node 0 \(CALL_ONCE\) of subgraph 2 calls subgraph 1 recursively",
    ),
    "a composite in itself": (composite_in_itself(), r"node 0 \(STABLEHLO_COMPOSITE\) of subgraph 1 calls subgraph 1"),
    "a deep call": (
        calling([*([i + 1] for i in range(DEEPEST + 1)), []]),
        rf"of subgraph {DEEPEST} calls subgraph {DEEPEST + 1}, more than {DEEPEST} calls deep",
    ),
    "calls that double": (calling([*([i + 1] * 3 for i in range(DEEPEST)), []]), "at most 500000 can be"),
    "an input left out": (left_out_input(), r"node 0 \(IF\) leaves out input 1"),
    "an input of another type": (
        other_types("int8", "float32"),
        "passes it an input of type INT8 that is FLOAT32 there",
    ),
    "a result of another type": (
        other_types("float32", "int8"),
        "expects a result of type INT8 that is FLOAT32 there",
    ),
    "a signature's branch": (
        choice([1, 2], signature="other"),
        r"node 0 \(STABLEHLO_CASE\) of subgraph 0 calls subgraph 2, a signature's, and takes its inputs",
    ),
    "an input that would be removed": (
        choice([1, 2], unread=True),
        "removes an input that none of its nodes reads from the main subgraph",
    ),
    "too few branches": (choice([1]), "has 1 branches; its kernel calls all 2 subgraphs"),
    "a branch that does not exist": (choice([1, 7]), "has the branch 7, which is no subgraph"),
}


@pytest.mark.parametrize("name", REJECTED)
@pytest.mark.parametrize("options", [WEBNN, {}], ids=["webnn", "cpu"])
def test_a_malformed_call_is_rejected_with_a_reason(name: str, options: dict[str, str]) -> None:
    content, pattern = REJECTED[name]
    assert re.search(pattern, rejection(content, options))


@pytest.mark.parametrize(
    "content",
    [
        calling([*([i + 1] for i in range(DEEPEST)), []]),
        calling([[1, 1, 2], [2, 2], []]),
        calling([[2], [2], []], signature=1),
        calling([[1], [2], []], signature=1),
        choice([1, 2]),
        choice([2, 1, 1]),
    ],
    ids=[
        "the deepest call",
        "shared subgraphs",
        "shared with a signature",
        "a signature's",
        "branches",
        "more branches",
    ],
)
@pytest.mark.parametrize("options", [WEBNN, {}], ids=["webnn", "cpu"])
def test_valid_calls_are_accepted(content: bytes, options: dict[str, str]) -> None:
    assert described(content, options)["nodes"]


def branch_that_is_a_body() -> bytes:
    """Return an IF that removes an input of its branch, which is also the body of a WHILE."""
    main = ModelWriter()
    condition, body = main.subgraph(), main.subgraph()
    inputs = [condition.tensor(name, SHAPE) for name in "ab"]
    condition.end(inputs, [condition.constant("goes_on", np.array([True]))])
    inputs = [body.tensor(name, SHAPE) for name in "ab"]
    outputs = [body.tensor("y", SHAPE), body.constant("zeros", np.zeros(SHAPE, np.float32))]
    body.node("RELU", inputs[:1], outputs[:1])
    body.end(inputs, outputs)
    chosen = main.tensor("condition", (1,), "bool")
    first, second, third = ([main.tensor(name, SHAPE) for name in names] for names in ("ab", "cd", "ef"))
    branches = {"thenSubgraphIndex": 2, "elseSubgraphIndex": 2}
    main.node("IF", [chosen, *first], second, branches)
    subgraphs = {"condSubgraphIndex": 1, "bodySubgraphIndex": 2}
    main.node("WHILE", second, third, subgraphs)
    return main.finish([chosen, *first], third)


def test_a_body_whose_input_another_node_removed_is_an_error_of_the_kernel() -> None:
    with pytest.raises(DescriptionError, match="input != ") as caught:
        described(branch_that_is_a_body(), {})
    assert caught.value.code == "ALLOCATE_TENSORS_FAILED"
