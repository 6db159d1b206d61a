"""Report on a browser's WebNN: promises, requirements, what works, speed, fusion, features.

Reports on a browser's WebNN, with the probes of the site's WebNN page, and writes JSON:
  contexts     for each option of createContext(), the promises of opSupportLimits(): what the W3C's list requires and
               they lack, and what build() and the results make of them, with a small graph for each operator, data type
               and rank at the edges of the promise, and about 1,000 graphs with numpy's results
  features     MLTensors, order of dispatches, WebGPU, drafts
  fusion       dequantizeLinear, operator, quantizeLinear patterns that become one integer kernel, by time and bits
  speed        the main operators, interleaved with the polyfill
References without numpy's results are the polyfill's. When a graph crashes the browser's GPU process, other graphs of
the operator are skipped, and a fresh browser continues. docs/reference/webnn-report.md explains the report.

With --every-rank, about 12,000 graphs run in the default context, and none is skipped: every operator at every rank and
data type that opSupportLimits() promises, ranks of indices and of broadcast operands varied separately, a grid of
windows and paddings, and values that break kernels. That takes ten minutes or more with Chromium 147, most of them for
its 430 crashes. Bugs that js/apps/probes/src/known_bugs.json lacks are listed at the end;
docs/reference/browser-bugs.md says how this project avoids the others.

With --workarounds, the model of each row of tools/probe/workarounds.toml runs without its workaround in the built
package instead, in seconds: the rows that this browser no longer needs are named.

With --limits, only opSupportLimits() is written to a file, for `build.py explain --limits`.

The site's WebNN page shows what differs between two reports.
"""

import argparse
from pathlib import Path

from tools import command_line, making, options

GROUPS = ("run", "test")


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
    add("--out", type=Path, metavar="FILE", help="the report (default: build/webnn/BROWSER.json)")
    add(
        "--every-rank",
        action="store_true",
        help="also every rank, window and dangerous value, without speed and fusion",
    )
    add(
        "--workarounds",
        action="store_true",
        help="only print which workarounds of the delegate the browser still needs",
    )
    add("--limits", type=Path, metavar="FILE", help="only write the limits of the browser's WebNN to this file")
    options.add_browser(parser)


def run(arguments: argparse.Namespace) -> int:
    from tools.probe import browser_limits, report, workaround_trials
    from web_tests.browsers import setup

    making.package([options.DEFAULT_VARIANT])
    setup.prepare(need_browser=arguments.browser is None and not arguments.engine)
    if arguments.limits:
        browser_limits.write(arguments.limits, arguments.browser)
        return 0
    if arguments.workarounds:
        workaround_trials.show(arguments.browser)
        return 0
    return report.run(
        report.Request(
            browser=arguments.browser,
            engine=arguments.engine,
            on=arguments.on,
            ops=arguments.op,
            contexts=arguments.context or (["default"] if arguments.every_rank else []),
            times=not (arguments.no_times or arguments.every_rank),
            every_rank=arguments.every_rank,
            out=arguments.out,
        )
    )


if __name__ == "__main__":
    command_line.start_tool()
