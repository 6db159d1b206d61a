"""The profiles of many runs as one tree: the run, its nodes and partitions, and the operators inside them."""

import statistics
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

Kind = Literal["run", "tflite", "xnnpack", "webnn", "partition", "outside"]

# Nodes that run other subgraphs.
CALLERS = ("WHILE", "IF", "CALL_ONCE", "CALL", "STABLEHLO_WHILE", "STABLEHLO_COMPOSITE")
# Names of a partition on WebNN: the package's, and TFLite's if TFLite itself waits for it.
ON_WEBNN = ("WEBNN", "TfLiteWebnnDelegate")
OUTSIDE = "outside of nodes"
XNNPACK_PARTITION = "XNNPACK partition"


@dataclass(frozen=True)
class Span:
    """A part of a run's time.

    Attributes:
        op: the type of the node or operator.
        name: the node's first output tensor; a partition's contents; else empty.
        ms: including the children, never less.
        children: the spans inside, in order.
    """

    op: str
    name: str
    kind: Kind
    ms: float
    children: "tuple[Span, ...]" = ()

    @property
    def own_ms(self) -> float:
        """Its time without its children."""
        return self.ms - sum(child.ms for child in self.children)

    def walk(self, depth: int = 0) -> "Iterator[tuple[int, Span]]":
        """Yield the span and all its descendants, with their depths."""
        yield depth, self
        for child in self.children:
            yield from child.walk(depth + 1)


@dataclass(frozen=True)
class OpTime:
    """Sums over all nodes of a type; `ms` is without the time of nodes that they run."""

    op: str
    kind: Kind
    count: int
    ms: float


def middle_half(runs: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """Return the middle half of the runs by time: their mean is as robust as a median, and its parts add up."""
    ordered = sorted(runs, key=lambda run: float(run["ms"]))
    cut = len(ordered) // 4
    return ordered[cut : len(ordered) - cut]


def tree_of(runs: Sequence[Mapping[str, Any]]) -> tuple[Span, int]:
    """Return the mean run as a tree, and the number of averaged runs.

    These are the middle half of the runs with the most common sequence of nodes.

    Args:
        runs: `ms` and `items` (ProfileItem) of each run; at least one.
    """
    sequences = [tuple((item["nodeType"], item["nodeName"]) for item in run["items"]) for run in runs]
    common = Counter(sequences).most_common(1)[0][0]
    used = middle_half([run for run, sequence in zip(runs, sequences, strict=True) if sequence == common])
    items = [
        {**item, "nodeExecMs": statistics.fmean(run["items"][position]["nodeExecMs"] for run in used)}
        for position, item in enumerate(used[0]["items"])
    ]
    top = _with_partitions(_nested(items))
    inside = sum(span.ms for span in top)
    ms = statistics.fmean(run["ms"] for run in used)
    outside = (Span(OUTSIDE, "", "outside", ms - inside),) if ms > inside else ()
    return Span("run", "", "run", max(ms, inside), (*top, *outside)), len(used)


def op_times(root: Span) -> list[OpTime]:
    """Return the times by type of node, most expensive first."""
    times: dict[tuple[str, Kind], OpTime] = {}
    for _, span in root.walk():
        if span.kind in ("run", "partition"):
            continue
        before = times.get((span.op, span.kind), OpTime(span.op, span.kind, 0, 0))
        times[span.op, span.kind] = replace(before, count=before.count + 1, ms=before.ms + span.own_ms)
    return sorted(times.values(), key=lambda time: -time.ms)


def _nested(items: Sequence[Mapping[str, Any]]) -> list[Span]:
    """Nest the nodes of other subgraphs in the nodes that ran them."""
    spans: list[Span] = []
    position = 0
    while position < len(items):
        end = position + 1
        if items[position]["nodeType"] in CALLERS:
            own = items[position]["subgraph"]
            while end < len(items) and items[end]["subgraph"] != own:
                end += 1
        span = _span(items[position])
        inside = _with_partitions(_nested(items[position + 1 : end]))
        # With means of several runs, the children's sum may exceed the parent's time a little.
        ms = max(span.ms, sum(child.ms for child in inside))
        spans.append(replace(span, ms=ms, children=tuple(inside)))
        position = end
    return spans


def _span(item: Mapping[str, Any]) -> Span:
    op, name, ms = item["nodeType"], item["nodeName"], item["nodeExecMs"]
    if op in ON_WEBNN:
        return Span(op, name, "webnn", ms)
    return Span(op, "", "xnnpack", ms) if item["node"] < 0 else Span(op, name, "tflite", ms)


def _with_partitions(spans: Sequence[Span]) -> list[Span]:
    """Group consecutive operators of XNNPACK into a partition, which TFLite does not measure itself."""
    result: list[Span] = []
    for span in spans:
        last = result[-1] if result else None
        if span.kind != "xnnpack":
            result.append(span)
        elif last is not None and last.kind == "partition":
            result[-1] = replace(last, ms=last.ms + span.ms, children=(*last.children, span))
        else:
            result.append(Span(XNNPACK_PARTITION, "", "partition", span.ms, (span,)))
    return [_named(span) for span in result]


def _named(span: Span) -> Span:
    if span.kind != "partition":
        return span
    return replace(span, name=f"{len(span.children)} operators")
