"""The trees, tables and files of `build.py profile`."""

from io import StringIO
from typing import Any

from rich.console import Console

from tools.profile import tables
from tools.profile.spans import OUTSIDE, Span, op_times, tree_of
from tools.profile.speedscope import to_speedscope

GEMM = "Fully Connected (NC, F32) GEMM"


def item(op: str, ms: float, name: str | None = None, subgraph: int = 0) -> dict[str, Any]:
    """An entry of a profile: an operator of XNNPACK, unless the node's output has a name."""
    node = -1 if name is None else 7
    return {"nodeType": op, "nodeName": name or op, "nodeExecMs": ms, "subgraph": subgraph, "node": node}


def a_run(ms: float, *items: dict[str, Any]) -> dict[str, Any]:
    return {"ms": ms, "items": list(items)}


RUN = a_run(10, item("QUANTIZE", 1, "x_quantized"), item(GEMM, 3), item(GEMM, 2), item("SOFTMAX", 1, "y"))


def outline(root: Span) -> list[tuple[int, str, float]]:
    return [(depth, span.op, span.ms) for depth, span in root.walk()]


def test_operators_of_xnnpack_are_in_their_partition() -> None:
    root, _ = tree_of([RUN])
    assert outline(root) == [
        (0, "run", 10),
        (1, "QUANTIZE", 1),
        (1, "XNNPACK partition", 5),
        (2, GEMM, 3),
        (2, GEMM, 2),
        (1, "SOFTMAX", 1),
        (1, OUTSIDE, 3),
    ]
    assert [(time.op, time.count, time.ms) for time in op_times(root)] == [
        (GEMM, 2, 5),
        (OUTSIDE, 1, 3),
        ("QUANTIZE", 1, 1),
        ("SOFTMAX", 1, 1),
    ]


def test_nodes_of_other_subgraphs_are_in_the_node_that_ran_them() -> None:
    loop = [item("LESS", 1, "more", 1), item("ADD", 2, "next", 2), item("LESS", 1, "more", 1)]
    root, _ = tree_of([a_run(6, item("WHILE", 5, "last"), *loop, item("NEG", 1, "y"))])
    ops = [(depth, span.op, span.own_ms) for depth, span in root.walk()]
    assert ops == [(0, "run", 0), (1, "WHILE", 1), (2, "LESS", 1), (2, "ADD", 2), (2, "LESS", 1), (1, "NEG", 1)]


def test_nodes_of_called_subgraphs_are_below_the_calling_node() -> None:
    items = [item("WHILE", 9, "a"), item("IF", 4, "b", 1), item("ADD", 3, "c", 2), item("SUB", 1, "d", 1)]
    root, _ = tree_of([a_run(9, *items)])
    assert [(depth, span.op) for depth, span in root.walk()][1:] == [(1, "WHILE"), (2, "IF"), (3, "ADD"), (2, "SUB")]


def test_partitions_on_webnn_are_leaves() -> None:
    root, _ = tree_of([a_run(4, item("WEBNN", 3, "CONV_2D to ADD, 5 nodes"), item("TfLiteWebnnDelegate", 1, "y"))])
    assert {span.kind for span in root.children} == {"webnn"}


def test_the_middle_half_of_the_runs_counts() -> None:
    runs = [a_run(ms, item("ADD", ms - 1, "y")) for ms in (2, 4, 6, 1000)]
    root, used = tree_of(runs)
    assert used == 2
    assert outline(root) == [(0, "run", 5), (1, "ADD", 4), (1, OUTSIDE, 1)]


def test_runs_of_another_sequence_do_not_count() -> None:
    first = a_run(50, item("CALL_ONCE", 40, "z"), item("ADD", 1, "y"))
    root, used = tree_of([first, *[a_run(2, item("ADD", 1, "y"))] * 3])
    assert (root.ms, used) == (2, 3)


def test_what_is_inside_is_never_longer_than_what_it_is_in() -> None:
    root, _ = tree_of([a_run(1, item("IF", 1, "y"), item("ADD", 3, "z", 1))])
    assert outline(root) == [(0, "run", 3), (1, "IF", 3), (2, "ADD", 3)]


def test_speedscope_opens_and_closes_in_order() -> None:
    content = to_speedscope(tree_of([RUN])[0], "a model")
    events = content["profiles"][0]["events"]
    times = [event["at"] for event in events]
    assert times == sorted(times)
    open_frames = []
    for event in events:
        if event["type"] == "O":
            open_frames.append(event["frame"])
        else:
            assert open_frames.pop() == event["frame"]
    assert not open_frames
    assert times[-1] == content["profiles"][0]["endValue"] == 10
    assert {"name": GEMM} in content["shared"]["frames"]


def test_tables_show_types_and_nodes() -> None:
    text = StringIO()
    tables.show(Console(file=text, width=150), tree_of([RUN])[0], top=2)
    texts = ("QUANTIZE", "XNNPACK", "outside of nodes", "50.0", "The 2 most expensive of 4 nodes")
    assert all(expected in text.getvalue() for expected in texts)
