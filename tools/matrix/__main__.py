"""Run every model in every browser engine, in every way, and compare with native LiteRT.

Builds what is missing (all variants), installs browsers that are missing, and runs models in all combinations of
  engine       shell (Chromium's headless shell with WebNN), chromium and chromium-selenium (Debian's), firefox,
               webkitgtk, node; with --browser also `own`
  execution    webnn (the browser's own), polyfill-tflite, polyfill-webgpu, polyfill-webgl, and XNNPACK in wasm: simd,
               relaxed-simd, simd-threads, relaxed-simd-threads
  place        page and worker, cross-origin isolated; plain-page and plain-worker, which are not
  model        all real models of web_tests/models/models.toml and MobileNetV2; others of it by name
Each cell is right or wrong compared with native LiteRT (web_tests/references/tolerances.toml), and has its difference,
milliseconds, and what ran where. Unsupported combinations say why: the page is asked what it lacks, and the package
must refuse. All of it takes hours on two cores, --part ci some minutes. The result is build/matrix/matrix.json or
--out (tools/matrix/result.py describes it); --add-to keeps an earlier result's cells where this run has none.
With --grid the browsers are those of a Selenium Grid or of any WebDriver server, such as a chromedriver; --host is this
machine's address as they see it. docs/webnn-in-your-browser.md has examples.
The exit status is 1 when a cell is red.
"""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from tools import command_line, making, options

if TYPE_CHECKING:
    from tools.matrix.command import Request

GROUPS = ("run", "measure")

AXES = {"engine": "shell", "execution": "'*-threads'", "model": "oww_alexa", "place": "'plain-*'"}


def add_options(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    for axis, example in AXES.items():
        text = f"only {axis}s of this name, e.g. {example} (repeatable)"
        add(f"--{axis}", action="append", default=[], metavar="NAME", help=text)
    add("--part", choices=["all", "ci"], default="all", help="ci: two models in two places, in minutes (all)")
    text = "also your own Chromium-based browser, as the engine `own`"
    add("--browser", type=Path, metavar="PATH", help=text)
    text = "the browsers of the WebDriver server at this address instead, e.g. http://grid.example:4444"
    add("--grid", default="", metavar="URL", help=text)
    text = (
        "a browser to ask the grid for (repeatable): its name, a JSON object of WebDriver capabilities, or NAME=JSON; "
        "chrome if not given"
    )
    add("--capabilities", action="append", default=[], metavar="WANTED", help=text)
    text = "the address of this machine under which the grid's browsers reach it (%(default)s)"
    add("--host", default="127.0.0.1", metavar="ADDRESS", help=text)
    add("--sessions", type=int, default=2, metavar="N", help="browsers of the grid at once (%(default)s)")
    add("--out", type=Path, metavar="FILE", help="the result (default: build/matrix/matrix.json)")
    text = "an earlier result, perhaps from another machine: its cells stay where this run has none"
    add("--add-to", type=Path, metavar="FILE", help=text)
    options.add_json(parser, "print only the result on standard output")


def run(arguments: argparse.Namespace) -> int:
    from tools.matrix import command
    from web_tests.browsers import setup

    making.package(["all"])
    if not arguments.grid:
        setup.prepare(need_browser=False)
        setup.prepare_engines()
    return command.run_matrix(request_of(arguments))


def request_of(arguments: argparse.Namespace) -> "Request":
    """Turn the options into a request."""
    from tools.matrix import command, grid

    return command.Request(
        engines=arguments.engine,
        executions=arguments.execution,
        models=arguments.model,
        places=arguments.place,
        part=arguments.part,
        browser=arguments.browser,
        grid=arguments.grid,
        capabilities=[grid.parse(text) for text in arguments.capabilities],
        host=arguments.host,
        sessions=arguments.sessions,
        out=arguments.out or command.RESULT_FILE,
        add_to=arguments.add_to,
        json_output=arguments.json,
    )


if __name__ == "__main__":
    command_line.start_tool()
