"""Report on a browser's WebNN: promises, requirements, what works, speed, fusion, features.

Reports on a browser's WebNN, with the probes of the site's WebNN page, and writes JSON:
  contexts     for each option of createContext(), the promises of opSupportLimits(): what the W3C's list requires and
               they lack, and what build() and the results make of them, with a small graph for each operator, data type
               and rank at the edges of the promise, and about 1,000 graphs with numpy's results
  features     MLTensors, order of dispatches, WebGPU, drafts
  fusion       dequantizeLinear, operator, quantizeLinear patterns that become one integer kernel, by time and bits
  speed        the main operators, by turns with the polyfill
References without numpy's results are the polyfill's. When a graph kills the browser's GPU process, other graphs of the
operator are skipped, and a fresh browser continues. Results are kept as they come: --resume goes on after an
interruption. docs/webnn-report.md explains the report.
With --compare, prints what differs between two reports instead; the exit status is 1 if anything does.
"""

import argparse
from pathlib import Path

from tools import command_line, making, options

GROUPS = ("run", "measure")


def add_options(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    text = "another browser of this machine: chromium, firefox or webkitgtk"
    add("--engine", default="", metavar="NAME", help=text)
    add("--on", choices=["webnn", "polyfill"], default="webnn", help="the browser's WebNN, or the polyfill (webnn)")
    text = "only an operator, e.g. gather (repeatable)"
    add("--op", action="append", default=[], metavar="NAME", help=text)
    text = "only a context: default, cpu, gpu, npu, high-performance, low-power (repeatable)"
    add("--context", action="append", default=[], metavar="NAME", help=text)
    add("--no-times", action="store_true", help="leave out speed and fusion, which other programs disturb")
    add("--resume", action="store_true", help="continue a report that did not finish (build/webnn/*.unfinished.json)")
    add("--out", type=Path, metavar="FILE", help="the report (default: build/webnn/BROWSER.json)")
    add("--compare", type=Path, nargs=2, metavar=("BEFORE", "AFTER"), help="two reports to compare")
    options.add_browser(parser)


def run(arguments: argparse.Namespace) -> int:
    from tools.webnn_report import command, comparison
    from web_tests.browsers import setup

    if arguments.compare:
        return comparison.run(*arguments.compare)
    making.package([options.DEFAULT_VARIANT])
    setup.prepare(need_browser=arguments.browser is None and not arguments.engine)
    return command.run(
        command.Request(
            browser=arguments.browser,
            engine=arguments.engine,
            on=arguments.on,
            ops=arguments.op,
            contexts=arguments.context,
            times=not arguments.no_times,
            out=arguments.out,
            resume=arguments.resume,
        )
    )


if __name__ == "__main__":
    command_line.start_tool()
