"""Where each signature of models is faster, and which backend the default device uses.

WebNN, the CPU and LiteRT.js on both are interleaved, as in `tools.bench`. Each model has its own browser, so that one
that hangs or crashes it affects no other. Each model is a line of backends.jsonl, written when it is done: a later
run with the same --out goes on from there.
"""

import os
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from playwright.sync_api import Browser as PlaywrightBrowser
from playwright.sync_api import Error as PlaywrightError
from playwright.sync_api import Playwright, sync_playwright
from rich.markup import escape

from benchmarks.backends.result import (
    FILE,
    LITERT_CPU,
    LITERT_WEBNN,
    WEBNN,
    ModelBackends,
    SignatureBackends,
    add,
    read,
)
from support.console import console
from support.errors import BuildError
from support.paths import BUILD_DIR
from tools.bench import result, runtimes, speed
from tools.bench.models import Task
from tools.bench.result import ExecutionMode, SpeedRow
from tools.bench.runtimes import Runtime
from tools.bench.sessions import BenchPage, Host
from tools.bench.speed import Hosts, key_of
from tools.measuring.browser import BrowserInfo, choose_browser
from tools.measuring.measurement import MeasuredModel, check_package, load_models, model_files
from web_tests.browsers import installed
from web_tests.browsers.installed import BrowserProgram
from web_tests.browsers.playwright_pages import PlaywrightPage
from web_tests.drivers.harness import Harness, LoadOptions
from web_tests.models import catalogue
from web_tests.references.signatures import SignatureRun, separate_runs
from web_tests.server.server import Server

RESULTS_DIR = BUILD_DIR / "bench" / "backends"
DEFAULT_ROUNDS = 6
# What loadTFLiteModel does with the WebNN delegate and no further option.
BY_DEFAULT = LoadOptions(webnn_options={"ignorePartitionCost": False})


def run(sources: Sequence[Path], *, browser: Path | None, rounds: int | None, out: Path | None) -> int:
    """Measure models that the result lacks, and return the exit status: 0, or 1 if one could not be measured.

    Args:
        sources: files, directories of .tflite files, names of known models; none means all known ones.
        browser: the user's own Chromium-based browser; None means the first one with WebNN.
        rounds: timings per runtime; None means DEFAULT_ROUNDS.
        out: the directory of backends.jsonl; None means one in build/bench.

    Raises:
        BuildError: there is no package, no browser, or no such model.
    """
    check_package()
    file = (out or RESULTS_DIR) / FILE
    models = models_of(sources)
    chosen = runtimes_of(runtimes.all_runtimes(runtimes.built_variants()))
    with sync_playwright() as playwright:
        program, probe = choose_browser(playwright, browser)
        info = BrowserInfo.of(program, probe)
        done = {row.model for row in read(file)}
        load = os.getloadavg()[0]
        for name, source in models.items():
            if name in done:
                continue
            model = replace(load_models([source])[0], name=name)
            measured = _measure(playwright, program, info, model, chosen, rounds or DEFAULT_ROUNDS, load)
            add(file, measured)
            console.print(escape(_line(measured)), soft_wrap=True)
    console.print(f"    the result is {file}")
    return int(any(row.failure for row in read(file) if row.model in models))


def models_of(sources: Sequence[Path]) -> dict[str, Path]:
    """Return the models by name, the smallest of a directory first: a file's path, or the name of a known model.

    Raises:
        ModelFileError: a source is neither, or a directory without models.
    """
    known = catalogue.known_models()
    found: dict[str, Path] = {}
    for source in sources or map(Path, known):
        if str(source) in known and not source.exists():
            found[str(source)] = source
        else:
            found |= {file.stem: file for file in sorted(model_files(source), key=lambda file: file.stat().st_size)}
    return found


def runtimes_of(all_runtimes: Sequence[Runtime]) -> list[Runtime]:
    """Return the runtimes of the table: this project on WebNN and on the CPU, and LiteRT.js on both."""
    cpu = next(row for row in all_runtimes if row.is_own and row.is_measure and row.group == "CPU, 1 thread")
    return [
        next(row for row in all_runtimes if row.name == name) for name in (WEBNN, cpu.name, LITERT_WEBNN, LITERT_CPU)
    ]


def persistent_inputs(signature_run: SignatureRun) -> list[str]:
    """Return a signature's inputs with the name, type and shape of an output: what `model.createState()` keeps."""
    if not signature_run.key:
        return []
    outputs = {
        (name, array.dtype, array.shape)
        for name, array in zip(signature_run.output_names, signature_run.outputs, strict=True)
    }
    inputs = zip(signature_run.input_names, signature_run.inputs, strict=True)
    return [name for name, array in inputs if (name, array.dtype, array.shape) in outputs]


def _measure(
    playwright: Playwright,
    program: BrowserProgram,
    info: BrowserInfo,
    model: MeasuredModel,
    chosen: Sequence[Runtime],
    rounds: int,
    load: float,
) -> ModelBackends:
    row = ModelBackends(
        model=model.name,
        started=result.now(),
        revision=result.revision(),
        browser=f"{info.title} {info.version}",
        rounds=rounds,
        load_average=load,
    )
    try:
        with installed.launched(playwright, program) as running, Server() as server:
            return _Measuring(running, server, model, chosen, rounds).complete(row)
    except PlaywrightError as error:
        return replace(row, failure=f"the browser is gone: {str(error).splitlines()[0]}")
    except BuildError as error:
        return replace(row, failure=speed.failure_text(error))


class _Measuring:
    def __init__(
        self, browser: PlaywrightBrowser, server: Server, model: MeasuredModel, chosen: Sequence[Runtime], rounds: int
    ) -> None:
        self._browser, self._server, self._model = browser, server, model
        self._chosen, self._rounds = chosen, rounds

    def complete(self, row: ModelBackends) -> ModelBackends:
        """Measure all signatures.

        Raises:
            BuildError: native LiteRT or our own package rejects the model, or its page crashed or hung.
        """
        signature_runs = separate_runs(self._model.content)
        by_default, nodes = self._by_default(signature_runs)
        with speed.hosts(self._open) as opened:
            signatures = [
                SignatureBackends(signature_run.key, by_default[signature_run.key], self._speed(opened, signature_run))
                for signature_run in signature_runs
            ]
        return replace(row, nodes=nodes, signatures=signatures)

    def _by_default(self, signature_runs: Sequence[SignatureRun]) -> tuple[dict[str, ExecutionMode], int]:
        """Return where the default device runs each signature, and the number of nodes."""
        harness = Harness(self._browser.new_page(), self._server)
        loaded = harness.load(self._model.content, BY_DEFAULT)
        for signature_run in signature_runs:
            if signature_run.key:  # signatures of other subgraphs are prepared when they run first
                loaded.run_signature(
                    signature_run.key, dict(zip(signature_run.input_names, signature_run.inputs, strict=True))
                )
        report = loaded.report_now()
        harness.page.close()
        mode_of = {key: part["executionMode"] for part in report["subgraphs"] for key in part["signatures"]}
        modes = {
            signature_run.key: mode_of.get(signature_run.key, report["executionMode"])
            for signature_run in signature_runs
        }
        return modes, report["totals"]["nodes"]

    def _speed(self, opened: Hosts, signature_run: SignatureRun) -> list[SpeedRow]:
        """Return the runtimes' speed: WebNN compared with the CPU, LiteRT.js with this project on the same backend."""
        webnn, cpu, litert_webnn, litert_cpu = self._chosen
        measures = {webnn.name: cpu, cpu.name: cpu, litert_webnn.name: webnn, litert_cpu.name: cpu}
        task = self._task(signature_run)
        pairs = [(task, runtime) for runtime in self._chosen]
        return speed.time_interleaved(
            opened, pairs, self._rounds, measure_of=lambda one: key_of(task, measures[one.runtime.name].name)
        )

    def _open(self, runtime: Runtime) -> Host:
        return BenchPage(PlaywrightPage(self._browser.new_page()), self._server, runtime)

    def _task(self, signature_run: SignatureRun) -> Task:
        model = self._model
        infos = [
            {"index": index, "name": name, "dtype": array.dtype.name, "shape": list(array.shape)}
            for index, (name, array) in enumerate(zip(signature_run.input_names, signature_run.inputs, strict=True))
        ]
        return Task(
            model=replace(model, name=f"{model.name} {signature_run.key}".rstrip()),
            inputs=signature_run.inputs,
            infos=infos,
            output_infos=[],
            expected=signature_run.outputs,
            expected_names=signature_run.output_names,
            reference_error="",
            nodes=0,
            forms={"tflite": model.content},
            signature=signature_run.key,
            persistent=persistent_inputs(signature_run),
        )


def _line(row: ModelBackends) -> str:
    if row.failure:
        return f"{row.model}: {row.failure}"
    return "; ".join(
        f"{row.model} {part.signature}".rstrip() + f": {', '.join(_texts(part))}" for part in row.signatures
    )


def _texts(part: SignatureBackends) -> Iterator[str]:
    yield f"{part.by_default} by default"
    for row in part.speed:
        yield f"{row.runtime} {row.failure or (row.ms and f'{row.ms.median:.3f} ms')}"
