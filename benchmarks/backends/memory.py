"""What the backends hold of a model, and what it costs to prepare its signatures: `--memory`."""

import math
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any

from ai_edge_litert.interpreter import Interpreter
from playwright.sync_api import Playwright, sync_playwright

from support.console import output
from support.markdown_table import table
from tools.measuring.browser import choose_webnn_browser
from tools.measuring.measurement import check_package, load_models
from web_tests.browsers import installed
from web_tests.browsers.installed import BrowserProgram
from web_tests.browsers.process_memory import MemoryProbe
from web_tests.browsers.unwatched_page import UnwatchedPage
from web_tests.drivers.harness import ON_WEBNN
from web_tests.server.server import Server

MB = 1_000_000
DEFAULT_ROUNDS = 6
PROCESSES = ("renderer", "GPU")


@dataclass(frozen=True)
class Backend:
    """Options of loadTFLiteModel; with `has_half_weights` WebNN gets float16 weights behind casts."""

    options: Mapping[str, Any]
    has_half_weights: bool = False


BACKENDS: Mapping[str, Backend] = MappingProxyType(
    {
        "CPU": Backend({"device": "cpu"}),
        "WebNN": Backend(ON_WEBNN),
        "WebNN, float16 weights": Backend(ON_WEBNN, has_half_weights=True),
        "default": Backend({"enableWebnnDelegate": True}),
    }
)
TITLES = (
    "model",
    "backend",
    "renderer, MB",
    "GPU process, MB",
    "load, ms",
    "signatures: where, first run and later, ms",
)
WARM_UP = (
    "async (options) => {"
    " const { loadTFLiteModel } = await import('/package/index.mjs');"
    " (await loadTFLiteModel('/models/face_detection_short_range.tflite', options)).dispose(); }"
)
SCRIPT = "async (call) => (await import('/bench/signature_costs.mjs')).measure(call)"


def run(models: Mapping[str, Path], *, browser: Path | None, rounds: int | None) -> int:
    """Print a table for models by name, each backend in a browser of its own; return the exit status, 0.

    Memory is what remains of the growth of each process, with the model loaded and each signature run.

    Args:
        models: files or names of known models, whose signatures accept zeros.
        browser: the user's own Chromium-based browser; None means the first one with WebNN.
        rounds: runs of each signature after its first; None means DEFAULT_ROUNDS.

    Raises:
        BuildError: there is no package, no browser, or a model is rejected.
    """
    check_package()
    load = os.getloadavg()[0]
    with sync_playwright() as playwright:
        program, probe = choose_webnn_browser(playwright, browser)
        rows = [
            cells
            for name, source in models.items()
            for cells in _measured(
                playwright, program, name, load_models([source])[0].content, rounds or DEFAULT_ROUNDS
            )
        ]
    output.print(table(TITLES, rows), markup=False, soft_wrap=True)
    loads = f"load average {load:.1f} before, {os.getloadavg()[0]:.1f} after"
    output.print(f"{program.title} {probe.version}; {loads}", markup=False, soft_wrap=True)
    return 0


def _measured(
    playwright: Playwright, program: BrowserProgram, name: str, content: bytes, rounds: int
) -> Iterator[Sequence[str]]:
    signature_inputs = _signature_inputs(content)
    for title, backend in BACKENDS.items():
        with installed.launched(playwright, program) as running, Server() as server, server.serving() as serve:
            page = UnwatchedPage(running)
            page.open(f"{server.origin}/bench/bench.html")
            # A first model compiles wasm and starts the GPU process.
            options = {**backend.options, "numThreads": 1}
            page.evaluate(WARM_UP, options)
            memory = MemoryProbe(running, page)
            before = memory.sample().resident_bytes
            call = {"url": serve(content), "options": options, "signatures": signature_inputs, "rounds": rounds}
            found = page.evaluate(SCRIPT, {**call, "hasHalfWeights": backend.has_half_weights})
            after = memory.sample().resident_bytes
        growth = [f"{(after[process] - before[process]) / MB:.0f}" for process in PROCESSES]
        signatures = "; ".join(
            f"{part['key']} on {part['mode']}: {part['firstMs']:.0f}, {part['ms']:.1f}" for part in found["signatures"]
        )
        yield (f"{name}, {len(content) / MB:.0f} MB", title, *growth, f"{found['loadMs']:.0f}", signatures)


def _signature_inputs(content: bytes) -> dict[str, dict[str, tuple[str, int]]]:
    """Return dtype and number of elements of each signature's inputs."""
    interpreter = Interpreter(model_content=content)
    return {
        key: {
            name: (detail["dtype"].__name__, math.prod(map(int, detail["shape"])))
            for name, detail in interpreter.get_signature_runner(key).get_input_details().items()
        }
        for key in interpreter.get_signature_list()
    }
