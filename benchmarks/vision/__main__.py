"""Measure MediaPipe's vision tasks on an image: this project's and the unmodified package's, interleaved.

And their first results, with the memory that a page then has. --task names a class, e.g. FaceLandmarker. The result is
vision.json, in a directory of build/bench or in --out; docs/guides/switch-from-mediapipe.md has the tables of the
committed one, site/results/vision.json.
"""

import argparse
from pathlib import Path

from tools import command_line, making, options

GROUPS = ("run",)


def add_options(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("--task", action="append", default=[], metavar="CLASS", help="only this task (repeatable)")
    text = "timings of each (%(default)s)"
    add("--rounds", type=int, default=options.DEFAULT_ROUNDS, metavar="N", help=text)
    add("--load-rounds", type=int, metavar="N", help="fresh browsers for the first results (3); 0 skips them")
    add("--out", type=Path, metavar="DIR", help="the result's directory (default: one in build/bench)")
    options.add_browser(parser)


def run(arguments: argparse.Namespace) -> int:
    from benchmarks.vision import measuring
    from web_tests.browsers import setup

    making.package(["all"])
    setup.prepare(need_browser=arguments.browser is None)
    return measuring.run(
        arguments.task,
        rounds=arguments.rounds,
        load_rounds=arguments.load_rounds,
        browser=arguments.browser,
        out=arguments.out,
    )


if __name__ == "__main__":
    command_line.start_tool()
