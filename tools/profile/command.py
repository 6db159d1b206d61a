"""The step behind `build.py profile`: selects models and the browser, profiles, and writes the files."""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal

from playwright.sync_api import Browser as PlaywrightBrowser
from rich.markup import escape

from support.console import console, output
from support.errors import BuildError
from support.paths import BUILD_DIR
from tools.measuring.browser import measuring_browser
from tools.measuring.measurement import MeasuredModel, check_package, load_models
from tools.measuring.printing import browser_line, on_wide_paper
from tools.profile import tables
from tools.profile.spans import Span, op_times, tree_of
from tools.profile.speedscope import to_speedscope
from web_tests.drivers.harness import Harness, LoadOptions
from web_tests.references.inputs import inputs_for, seeded_inputs
from web_tests.server.server import Server

RESULTS_DIR = BUILD_DIR / "profile"

# GEMM and IGEMM of int8 and of floats quantized at run time, by the 8-bit dot product that XNNPACK accepted
# (docs/explanation/kernels.md).
INT8_KERNELS = {
    "none": "4x8c2 dot16x2, this project's",
    "signed": "c8 wasmsdot, XNNPACK's",
    "unsigned": "4x8c8 wasmusdot, XNNPACK's",
}
Execution = Literal["cpu", "webnn", "blocking", "polyfill"]
# loadTFLiteModel's options for each way to run a model.
WEBNN_OPTIONS: dict[Execution, dict[str, Any]] = {
    "webnn": {"polyfill": "never"},
    "blocking": {"polyfill": "never", "blocking": True},
    "polyfill": {"polyfill": "tflite"},
}


class NotOnWebnnError(BuildError):
    """A model to profile on WebNN runs on the CPU."""


@dataclass(frozen=True)
class Request:
    """The options of `build.py profile`.

    Attributes:
        models: files, or names of known models.
        variant: of the wasm module; auto: the best that the browser can run.
        top: number of listed nodes.
        out: the files' directory; None means one per profile in build/profile.
    """

    models: Sequence[Path]
    execution: Execution
    variant: str
    threads: int
    runs: int
    top: int
    browser: Path | None = None
    out: Path | None = None


@dataclass(frozen=True)
class Profile:
    """A model's profile, the mean of `runs` runs, and how it was measured."""

    model: str
    execution: Execution
    execution_mode: str
    variant: str
    dot_product: str
    threads: int
    runs: int
    root: Span

    @property
    def title(self) -> str:
        """Return a one-line description."""
        threads = "1 thread" if self.threads == 1 else f"{self.threads} threads"
        return f"{self.model}: {self.execution} ({self.execution_mode}), {self.variant}, {threads}"

    @property
    def file_stem(self) -> str:
        name = "".join(character if character.isalnum() or character in "._-" else "_" for character in self.model)
        return f"{name}-{self.execution}-{self.variant}-{self.threads}"

    def to_json(self) -> dict[str, Any]:
        """Return the profile as JSON, with the sums by type."""
        types = [asdict(time) for time in op_times(self.root)]
        names = ("model", "execution", "execution_mode", "variant", "dot_product", "threads")
        info = {key: getattr(self, key) for key in names}
        return {**info, "runs": self.runs, "ms": self.root.ms, "types": types, "run": asdict(self.root)}


def run(request: Request) -> int:
    """Profile each model and return the exit status.

    Raises:
        BuildError: there is no package or no browser, a model cannot be loaded, or does not run as requested.
    """
    check_package()
    chosen = load_models(request.models)
    with measuring_browser(request.browser) as (browser, info):
        profiles = [profile(browser, model, request) for model in chosen]
    for found in profiles:
        write(found, request.out or RESULTS_DIR / found.file_stem)
    paper = on_wide_paper(output)
    paper.print(browser_line(info), soft_wrap=True)
    for found in profiles:
        paper.print(f"\n[bold]{escape(found.title)}[/bold]; {_method(found)}", soft_wrap=True)
        kernels = INT8_KERNELS[found.dot_product]
        paper.print(f"dot product: {found.dot_product}; int8 GEMM: {kernels}", soft_wrap=True)
        tables.show(paper, found.root, top=request.top)
    return 0


def profile(browser: PlaywrightBrowser, model: MeasuredModel, request: Request) -> Profile:
    """Run a model many times and return its profile.

    Raises:
        ModelError: the package rejects the model.
        NotOnWebnnError: it should run on WebNN, and does not.
    """
    execution = request.execution
    extra = {"enableProfiling": True, "variant": request.variant, "numThreads": request.threads}
    options = LoadOptions(webnn=execution != "cpu", webnn_options=WEBNN_OPTIONS.get(execution), extra=extra)
    with Server() as server:
        harness = Harness(browser.new_page(), server, in_worker=execution == "blocking")
        loaded = harness.load(model.content, options)
        report = loaded.report
        if execution != "cpu" and loaded.execution_mode == "cpu":
            raise NotOnWebnnError(report["webnn"]["reason"], where=model.name, hint="--execution cpu")
        inputs = inputs_for(model.known) if model.known else seeded_inputs(loaded.inputs)
        root, used = tree_of(harness.profile_runs(loaded, inputs, runs=request.runs))
        loaded.dispose()
        harness.page.close()
    threads = report["threads"]["used"]
    dot_product = report["xnnpack"]["dotProduct"]
    mode, variant = loaded.execution_mode, report["variant"]
    return Profile(model.name, execution, mode, variant, dot_product, threads, used, root)


def write(found: Profile, directory: Path) -> None:
    directory.mkdir(parents=True, exist_ok=True)
    contents = {
        "profile.json": json.dumps(found.to_json(), indent=1),
        "profile.speedscope.json": json.dumps(to_speedscope(found.root, found.title)),
    }
    for name, content in contents.items():
        (directory / name).write_text(content, encoding="utf-8")
    console.print(f"    {' and '.join(contents)} are in {directory}", soft_wrap=True)
    console.print("    a flame graph: open profile.speedscope.json at https://www.speedscope.app", soft_wrap=True)


def _method(found: Profile) -> str:
    return f"{found.root.ms:.3f} ms per run, the mean of the middle {found.runs} of all runs"
