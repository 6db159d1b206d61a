"""`build.py check`: where models run in a browser, on WebNN and on the CPU, and how far from native LiteRT they are."""

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from support.console import console
from tools.explain.explain import webnn_harness
from tools.measuring.measurement import model_files
from web_tests.drivers.harness import Harness, LoadedModel, LoadOptions
from web_tests.drivers.page_calls import ModelError
from web_tests.references.comparison import compare
from web_tests.references.native_litert import ReferenceError
from web_tests.references.signatures import runs

EXECUTIONS = ("webnn", "cpu")


@dataclass(frozen=True)
class Row:
    """One model in one execution.

    Attributes:
        model: the file's name without its ending.
        execution: of EXECUTIONS.
        mode: direct, stepped or cpu; empty if the model does not load.
        webnn_nodes, nodes: of the main subgraph.
        differences: by signature, the largest difference to native LiteRT over the range of its output.
        cpu_reasons: the reasons of nodes that stay on the CPU, by op.
        error: why the model does not load or run; empty if it does.
    """

    model: str
    execution: str
    mode: str = ""
    webnn_nodes: int = 0
    nodes: int = 0
    differences: Mapping[str, float] | None = None
    cpu_reasons: Mapping[str, str] | None = None
    error: str = ""

    @property
    def text(self) -> str:
        if self.error:
            return f"{self.model} {self.execution}: {self.error}"
        differences = ", ".join(f"{key or '-'} {value:.0e}" for key, value in (self.differences or {}).items())
        return f"{self.model} {self.execution}: {self.mode}, {self.webnn_nodes} of {self.nodes} nodes, {differences}"


def run(sources: Sequence[Path], *, variant: str, browser: Path | None, executions: Collection[str], out: Path) -> int:
    """Check model files, and all of directories; write the rows to `out` as JSON, and return the exit status.

    Raises:
        BuildError: there is no such file, or no browser with WebNN.
    """
    files = [path for source in sources for path in model_files(source)]
    rows = []
    with webnn_harness(browser) as harness:
        for path in files:
            for execution in executions:
                rows.append(check(harness, path, execution, variant))
                console.print(rows[-1].text)
                harness.dispose_all()
    out.parent.mkdir(parents=True, exist_ok=True)
    out.write_text(json.dumps([asdict(row) for row in rows], indent=1) + "\n")
    console.print(summary(rows))
    return int(any(row.error for row in rows))


def check(harness: Harness, path: Path, execution: str, variant: str) -> Row:
    """Load a model, run all of its signatures once, and compare the outputs."""
    content = path.read_bytes()
    row = Row(path.stem, execution)
    try:
        loaded = harness.load(content, LoadOptions(webnn=execution == "webnn", extra={"variant": variant}))
        differences = dict(_differences(loaded, content))
        report = loaded.report_now()
    except (ModelError, ReferenceError, ValueError) as error:
        return Row(row.model, execution, error=f"{type(error).__name__}: {error}")
    totals = report["totals"]
    cpu_reasons = loaded.cpu_reasons() if execution == "webnn" else {}
    return Row(
        row.model,
        execution,
        report["executionMode"],
        totals["delegatedNodes"],
        totals["nodes"],
        differences,
        cpu_reasons,
    )


def summary(rows: Sequence[Row]) -> str:
    """Return how many models WebNN runs entirely, and how many rows failed."""
    on_webnn = [row for row in rows if row.execution == "webnn"]
    direct = sum(row.mode == "direct" for row in on_webnn)
    failed = sum(bool(row.error) for row in rows)
    return f"{direct} of {len(on_webnn)} models are direct; {failed} of {len(rows)} runs failed"


def _differences(loaded: LoadedModel, content: bytes) -> Iterator[tuple[str, float]]:
    for native in runs(content):
        if native.key:
            results = loaded.run_signature(native.key, dict(zip(native.input_names, native.inputs, strict=True)))
            found = [results[name] for name in native.output_names]
        else:
            found = loaded.run(native.inputs)
        yield native.key, compare(found, native.outputs).relative
