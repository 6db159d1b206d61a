"""`build.py check`: where models run in a browser, on WebNN and on the CPU, and how far from native LiteRT they are."""

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
from ai_edge_litert.interpreter import Interpreter

from tools.explain.explain import webnn_harness
from tools.measuring.measurement import ModelFileError
from tools.support.console import console
from web_tests.drivers.harness import Harness, LoadedModel, LoadOptions
from web_tests.drivers.page_calls import ModelError
from web_tests.models.recipes import SEED, Array

EXECUTIONS = ("webnn", "cpu")
# Small: token ids, positions and masks of any model are valid.
INTEGERS = 2


@dataclass(frozen=True)
class Row:
    """One model in one execution.

    Attributes:
        model: the file's name without its ending.
        execution: of EXECUTIONS.
        mode: direct, stepped or cpu; empty if the model does not load.
        webnn_nodes, nodes: of the main subgraph.
        differences: by signature, the largest difference to native LiteRT over the range of its output.
        stays: the reasons of nodes that stay on the CPU, by op.
        error: why the model does not load or run; empty if it does.
    """

    model: str
    execution: str
    mode: str = ""
    webnn_nodes: int = 0
    nodes: int = 0
    differences: Mapping[str, float] | None = None
    stays: Mapping[str, str] | None = None
    error: str = ""

    @property
    def text(self) -> str:
        if self.error:
            return f"{self.model} {self.execution}: {self.error}"
        differences = ", ".join(f"{key or '-'} {value:.0e}" for key, value in (self.differences or {}).items())
        return f"{self.model} {self.execution}: {self.mode}, {self.webnn_nodes} of {self.nodes} nodes, {differences}"


def run(sources: Sequence[Path], *, variant: str, browser: Path | None, executions: Collection[str], out: Path) -> int:
    """Check model files, and all of folders; write the rows to `out` as JSON, and return the exit status.

    Raises:
        BuildError: there is no such file, or no browser with WebNN.
    """
    files = [path for source in sources for path in _files(source)]
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
    """Load a model, run all of its signatures once, and compare the answers."""
    content = path.read_bytes()
    row = Row(path.stem, execution)
    try:
        loaded = harness.load(content, LoadOptions(webnn=execution == "webnn", extra={"variant": variant}))
        differences = dict(_differences(loaded, Interpreter(model_content=content)))
        report = loaded.report_now()
    except (ModelError, RuntimeError, ValueError) as error:
        return Row(row.model, execution, error=f"{type(error).__name__}: {error}")
    totals = report["totals"]
    stays = loaded.stays() if execution == "webnn" else {}
    return Row(
        row.model, execution, report["executionMode"], totals["delegatedNodes"], totals["nodes"], differences, stays
    )


def summary(rows: Sequence[Row]) -> str:
    """Return how many models WebNN runs as a whole, and how many rows failed."""
    on_webnn = [row for row in rows if row.execution == "webnn"]
    direct = sum(row.mode == "direct" for row in on_webnn)
    failed = sum(bool(row.error) for row in rows)
    return f"{direct} of {len(on_webnn)} models are direct; {failed} of {len(rows)} runs failed"


def difference(found: Array, expected: Array) -> float:
    """Return the largest difference over the range of the expected values; infinite if one is finite in one only."""
    one, other = (values.reshape(-1).astype(np.float64) for values in (found, expected))
    if one.shape != other.shape:
        return float("inf")
    same = (one == other) | (np.isnan(one) & np.isnan(other))
    if same.all():
        return 0.0
    with np.errstate(invalid="ignore"):
        largest = float(np.nan_to_num(np.abs(one - other)[~same], nan=np.inf, posinf=np.inf).max())
    finite = other[np.isfinite(other)]
    return largest / (float(np.ptp(finite)) or float(np.abs(finite).max()) or 1.0)


def _differences(loaded: LoadedModel, native: Interpreter) -> Iterator[tuple[str, float]]:
    for key in native.get_signature_list():
        runner = native.get_signature_runner(key)
        inputs = {name: _values(name, detail) for name, detail in runner.get_input_details().items()}
        expected = runner(**inputs)
        found = loaded.run_signature(key, inputs)
        yield key, max((difference(found[name], expected[name]) for name in expected), default=0.0)
    if native.get_signature_list():
        return
    details = native.get_input_details()
    values = [_values(detail["name"], detail) for detail in details]
    native.allocate_tensors()
    for detail, value in zip(details, values, strict=True):
        native.set_tensor(detail["index"], value)
    native.invoke()
    outputs = [native.get_tensor(detail["index"]) for detail in native.get_output_details()]
    pairs = zip(loaded.run(values), outputs, strict=True)
    yield "", max((difference(one, other) for one, other in pairs), default=0.0)


def _values(name: str, detail: Mapping[str, Any]) -> Array:
    """Return seeded values: normal ones, all steps of a quantized type, small integers, both booleans."""
    random = np.random.default_rng(SEED + len(name))
    shape, dtype = tuple(detail["shape"]), np.dtype(detail["dtype"])
    if np.issubdtype(dtype, np.floating):
        return random.normal(size=shape).astype(dtype)
    if detail["quantization"][0] > 0:
        limits = np.iinfo(dtype)
        return random.integers(limits.min, limits.max + 1, shape).astype(dtype)
    return random.integers(0, INTEGERS, shape).astype(dtype)


def _files(source: Path) -> list[Path]:
    files = sorted(source.glob("*.tflite")) if source.is_dir() else [source]
    if not files or not files[0].is_file():
        raise ModelFileError("no .tflite file", where=str(source), mend="name a model, or a folder of models")
    return files
