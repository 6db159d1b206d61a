"""Compare randomly drawn ops with native LiteRT, and shrink what differs.

Draws nodes of each family of ops with Hypothesis (shapes, windows, axes, types, scales, NaN, empty tensors), runs them
with native LiteRT and with each execution, and compares. `test` does the same with 200 nodes a family.
  cpu        each variant of CPU_VARIANTS in tools/properties/engines.py that is built, in Node
  webnn      the browser's own WebNN
  polyfill   the delegate on the WebNN polyfill, in Node
A failure is shrunk to its smallest node, which is printed and saved in build/properties; then the campaign continues
without failures of that kind. A table at the end counts what differed. Native LiteRT has two kernel sets, and the
answer of either is right. Known differences are in tools/properties/known.toml. The exit status is 1 when a node
differs that is not named there. The same seed draws the same nodes.
"""

import argparse
import random

from tools import command_line, making, options

GROUPS = ("run", "test")

EXECUTIONS = ("cpu", "cpu-simd", "cpu-relaxed-simd", "webnn", "polyfill")
SEEDS = 1_000_000


def add_options(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    text = "only this family of ops, e.g. convolution (repeatable; default: all)"
    add("--family", action="append", default=[], metavar="NAME", help=text)
    add("--op", default="", metavar="NAME", help="only this op, e.g. CONV_2D")
    add("--on", choices=EXECUTIONS, default="", help="only this execution (default: all)")
    add("--examples", type=int, default=20_000, metavar="N", help="nodes a family (%(default)s)")
    add("--seed", type=int, default=None, metavar="N", help="of all choices (default: a random one, which is printed)")


def run(arguments: argparse.Namespace) -> int:
    from tools.properties import command

    making.for_browser(options.DEFAULT_VARIANT, None)
    seed = random.SystemRandom().randrange(SEEDS) if arguments.seed is None else arguments.seed
    request = command.Request(arguments.family, arguments.op, arguments.on, arguments.examples, seed)
    return command.run(request)


if __name__ == "__main__":
    command_line.start_tool()
