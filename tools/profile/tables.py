"""A profile as tables."""

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from support.printable import printable
from tools.profile.spans import Kind, Span, op_times

WHERE: dict[Kind, str] = {
    "tflite": "TFLite",
    "xnnpack": "XNNPACK",
    "webnn": "WebNN",
    "partition": "XNNPACK",
    "outside": "",
    "run": "",
}


def show(console: Console, root: Span, *, top: int) -> None:
    """Print the types of nodes, and the `top` most expensive nodes."""
    console.print(type_table(root))
    console.print(node_table(root, top))


def type_table(root: Span) -> Table:
    """Return a row for each type of node."""
    grid = Table("op", "by", title="By type", title_justify="left")
    for title in ("nodes", "ms", "%"):
        grid.add_column(title, justify="right")
    for time in op_times(root):
        count = "" if time.kind == "outside" else str(time.count)
        grid.add_row(escape(time.op), WHERE[time.kind], count, f"{time.ms:.3f}", share(time.ms, root))
    grid.add_section()
    grid.add_row("run", "", "", f"{root.ms:.3f}", share(root.ms, root))
    return grid


def node_table(root: Span, top: int) -> Table:
    """Return the nodes with the longest own time, in the order in which they run."""
    spans = [span for _, span in root.walk()]
    nodes = [(order, span) for order, span in enumerate(spans) if span.kind not in ("run", "partition", "outside")]
    chosen = sorted(nodes, key=lambda pair: -pair[1].own_ms)[:top]
    grid = Table("order", "op", "by", "name", title=f"The {len(chosen)} most expensive of {len(nodes)} nodes")
    grid.title_justify = "left"
    for title in ("ms", "%"):
        grid.add_column(title, justify="right")
    for order, span in sorted(chosen, key=lambda pair: pair[0]):
        cells = (
            escape(span.op),
            WHERE[span.kind],
            escape(printable(span.name)),
            f"{span.own_ms:.3f}",
            share(span.own_ms, root),
        )
        grid.add_row(str(order), *cells)
    return grid


def share(ms: float, root: Span) -> str:
    """Return a time's share of the run, in per cent."""
    return f"{100 * ms / root.ms:.1f}" if root.ms else "0.0"
