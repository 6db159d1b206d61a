"""Try every WebNN operator of a browser at every rank and type: what it rejects, gets wrong, or crashes on.

Builds and runs about 12,000 graphs of one operator each on the browser's own WebNN: every operator at every rank and
data type that opSupportLimits() promises, ranks of indices and of broadcast operands varied separately, a grid of
windows and paddings, and values that break kernels. Prints a table of the graphs that the browser
  kills    dies of: its GPU process, where WebNN computes, ends, for all pages
  hangs    does not answer
  rejects  refuses, with its own words
  wrong    computes differently from numpy, or differently from other ranks
Chromium offers no WebNN after the third death, so a fresh browser takes over; the first death of each operator is
confirmed by its graph alone. Faults that js/probes/src/known_faults.json lacks are listed at the end. Takes ten minutes
with Chromium 147, most of them for its 430 deaths. At last, the model of each row of
tools/probe/workarounds.toml runs without its workaround, in the built package: the rows that this browser no longer
needs are named. --workarounds does only that, in seconds; --op NAME tries some operators only. docs/browser-faults.md
lists the results and how this project avoids the faults; --out wrote web_tests/limits/chromium-147-faults.json.
The exit status is 1 when anything kills.
"""

import argparse
from pathlib import Path

from tools import command_line, making, options

GROUPS = ("run",)


def add_options(parser: argparse.ArgumentParser) -> None:
    text = "an operator, e.g. gather (repeatable)"
    parser.add_argument("--op", action="append", default=[], metavar="NAME", help=text)
    parser.add_argument("--out", type=Path, metavar="FILE", help="the JSON file to write")
    only = "only say which workarounds of the delegate the browser still needs"
    parser.add_argument("--workarounds", action="store_true", help=only)
    options.add_browser(parser)


def run(arguments: argparse.Namespace) -> int:
    from tools.probe import command
    from web_tests.browsers import setup

    setup.prepare(need_browser=arguments.browser is None)
    status = 0
    if not arguments.workarounds:
        status = command.run(browser=arguments.browser, ops=arguments.op, out=arguments.out)
    if not arguments.op:
        making.package([options.DEFAULT_VARIANT])
        command.show_workarounds(arguments.browser)
    return status


if __name__ == "__main__":
    command_line.start_tool()
