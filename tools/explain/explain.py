"""`build.py explain`: the report on a model, from saved limits without a browser, or from a real browser with WebNN."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from playwright.sync_api import sync_playwright

from support.console import console
from support.errors import UsageError
from tools.explain import without_browser
from tools.explain.without_browser import EXPORT_SUFFIXES, Explanation, Request
from tools.measuring.browser import choose_webnn_browser
from tools.measuring.measurement import ModelFileError
from web_tests.browsers import installed
from web_tests.drivers.harness import Harness, LoadOptions
from web_tests.limits.saved import read_limits, workarounds
from web_tests.references.inputs import seeded_inputs
from web_tests.server.server import Server

# Runs after the first one, which warms the browser up, for the mean time of a dispatch.
RUNS = 5


class ExportFileError(UsageError):
    """The graphs cannot be exported to a file of this name."""


def run(model: Path, request: Request, *, limits: Path | None, json_output: bool, browser: Path | None) -> int:
    """Print the report on a model file and return the exit status.

    Args:
        model: the .tflite file.
        request: the variant of the wasm module, the delegate's options, and the file for the WebNN graphs.
        limits: a file of `python3 -m tools.probe --limits`; None builds and runs the model in a browser.
        json_output: print the report as JSON instead of text.
        browser: the user's own browser; None means the first one with WebNN.

    Raises:
        BuildError: the model, the limits or the browser cannot be used.
    """
    _check_files(model, request.export)
    if limits:
        explanation = without_browser.explain(model, read_limits(limits), _for_browser_of(limits, request))
    else:
        explanation = explain_in_browser(model, request, browser)
        if request.export:
            _export(model, explanation, request)
    if json_output:
        print(json.dumps(explanation.report, indent=2))
    else:
        print(_described(model) + explanation.text, end="")
    if request.export:
        console.print(f"    the graphs are in {request.export}")
    return 0


def print_memory_plan(model: Path, request: Request, *, limits: Path | None, json_output: bool) -> int:
    """Print the arena plan of a model file and return the exit status; no browser is needed.

    Args:
        model: the .tflite file.
        request: the variant of the wasm module, and the delegate's options.
        limits: a file of `python3 -m tools.probe --limits`: the plan then shows what remains next to WebNN.
        json_output: print the plan as JSON instead of text.

    Raises:
        BuildError: the model or the limits cannot be used, or the request requests graphs, too.
    """
    _check_files(model, request.export)
    if request.export:
        raise ExportFileError(
            "a memory plan has no graphs", where=str(request.export), hint="run explain again without --memory"
        )
    requested = _for_browser_of(limits, request) if limits else request
    plan = without_browser.plan_memory(model, read_limits(limits) if limits else None, requested)
    print(json.dumps(plan.plan, indent=2) if json_output else plan.text, end="\n" if json_output else "")
    return 0


def print_metadata(path: Path, *, json_output: bool) -> int:
    """Print the metadata of a model file or a .task bundle and return the exit status; no browser is needed.

    Raises:
        BuildError: the file cannot be used, or its metadata is wrong.
    """
    _check_files(path, None)
    description = without_browser.describe(path)
    if json_output:
        print(json.dumps(description.file, indent=2))
    else:
        print(description.text or "The file has no metadata.\n", end="")
    return 0


def explain_in_browser(model: Path, request: Request, browser: Path | None) -> Explanation:
    """Build a model in a browser, run it a few times, and return its report.

    Raises:
        NoWebnnError: there is no browser with WebNN.
        ModelError: the package rejects the model.
    """
    with webnn_harness(browser) as harness:
        options = LoadOptions(webnn_options=request.delegate_options, extra={"variant": request.variant})
        loaded = harness.load(model.read_bytes(), options)
        inputs = seeded_inputs(loaded.inputs)
        for _ in range(1 + RUNS):
            loaded.run(inputs)
        return Explanation(loaded.report_now(), loaded.report_text())


@contextmanager
def webnn_harness(browser: Path | None) -> Iterator[Harness]:
    """Open the harness page in a browser with WebNN, for a with-block.

    Raises:
        NoWebnnError: there is none.
    """
    with sync_playwright() as playwright:
        program, _ = choose_webnn_browser(
            playwright, browser, "explain with saved limits: --limits web_tests/limits/chromium-147.json"
        )
        with Server() as server, installed.launched(playwright, program) as running:
            yield Harness(running.new_page(), server)


def _for_browser_of(limits: Path, request: Request) -> Request:
    """Return the request with the workarounds for the browser whose limits were saved."""
    options = {"workarounds": workarounds(limits), **request.delegate_options}
    return replace(request, delegate_options=options)


def _described(model: Path) -> str:
    """Return the model's metadata as text, with an empty line below; wrong metadata must not prevent the report."""
    try:
        text = without_browser.describe(model).text
    except without_browser.ExplainError as error:
        text = f"{error.what}\n"
    return f"{text}\n" if text else ""


def _check_files(model: Path, export: Path | None) -> None:
    if not model.is_file():
        raise ModelFileError("there is no such model file", where=str(model))
    if export and export.suffix not in EXPORT_SUFFIXES:
        raise ExportFileError(
            "graphs are written as JSON or as a script", where=str(export), hint="name it graph.json or graph.js"
        )


def _export(model: Path, explanation: Explanation, request: Request) -> None:
    """Write the graphs of the browser: the delegate makes the same ones from the same limits."""
    webnn = explanation.report["webnn"]
    options = {**request.delegate_options, "workarounds": webnn["workarounds"]}
    requested = replace(request, delegate_options=options, excluded_nodes=webnn["excludedNodes"])
    without_browser.explain(model, webnn["opSupportLimits"] or {}, requested)
