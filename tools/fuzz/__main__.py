"""Run thousands of damaged models through the module, with sanitizers.

Builds the variant (`sanitizer`: AddressSanitizer and UndefinedBehaviorSanitizer; about ten minutes the first time),
then loads and describes mutated models with it in Node, under the limits of a browser's WebNN. What stays on the CPU
also runs. A seed and a number name each model, so that a run, or one model (--first N --count 1), can be repeated.
Models that crash go to build/fuzz, reduced to the fewest mutations, with a report. The exit status is 1 when anything
crashed while loading, or in this project's own code while running; what TensorFlow Lite's kernels do while they run
a malformed model is counted separately, by kernel.

With --shapes it instead runs the op cases, models of one node, on the CPU in changed shapes: each dimension of each
input smaller, larger, 1 and 0, by resizing the inputs of one runner again and again, and in the file. An output must be
native LiteRT's or an error, and the model must then run in its own shapes as before.
"""

import argparse
from pathlib import Path

from tools import command_line

GROUPS = ("run",)


def add_options(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("--count", type=int, default=20_000, metavar="N", help="models (%(default)s)")
    add(
        "--seed",
        type=int,
        nargs="+",
        default=[1],
        metavar="N",
        help="of all choices; several run one after the other (1)",
    )
    add("--first", type=int, default=0, metavar="N", help="start with this model of the seed")
    add("--jobs", type=int, default=2, metavar="N", help="worker processes (%(default)s)")
    add("--variant", default="sanitizer", metavar="NAME", help="the module to run (%(default)s)")
    text = "mutate this file, too, half of the time (repeatable)"
    add("--model", type=Path, action="append", default=[], metavar="FILE", help=text)
    add("--shapes", action="store_true", help="changed shapes of op cases instead of mutated models")
    text = "only run this file, as it is, and print what happens (repeatable)"
    add("--replay", type=Path, action="append", default=[], metavar="FILE", help=text)


def run(arguments: argparse.Namespace) -> int:
    from tools.fuzz import loop, shapes
    from wasm.toolchain import build

    build.build([arguments.variant], jobs=arguments.jobs)
    if arguments.replay:
        return loop.replay(arguments.replay, arguments.variant)
    if arguments.shapes:
        return shapes.run(arguments.seed, arguments.count, arguments.variant, jobs=arguments.jobs)
    indices = range(arguments.first, arguments.first + arguments.count)
    return loop.run(arguments.seed, indices, arguments.model, arguments.variant, jobs=arguments.jobs)


if __name__ == "__main__":
    command_line.start_tool()
