"""List the kernels that are slow on the CPU: this project's module in Node against native LiteRT, with one thread.

Each op case of the tests is made larger where it can be, larger ones of slow ops are added, and --model adds files. A
row has the minimum times of all turns, which are interleaved. Those whose ratio is at least --ratio are printed, the
largest first. docs/explanation/kernels.md has the table of the committed result, site/results/kernels.json.
"""

import argparse
from pathlib import Path

from tools import command_line, making

GROUPS = ("run",)


def add_options(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("--case", action="append", default=[], metavar="GLOB", help="only these cases, e.g. 'CONV_2D-*' (repeatable)")
    add("--model", action="append", default=[], type=Path, metavar="PATH", help="a .tflite file or a directory of some")
    add("--catalogue", action="store_true", help="also the models of build.py bench")
    add(
        "--package", action="append", default=[], type=Path, metavar="DIR", help="packages to compare (this checkout's)"
    )
    add("--variant", default="simd", help="the wasm variant (%(default)s)")
    add("--ratio", type=float, default=3.0, metavar="N", help="of the rows to print (%(default)s)")
    add("--rounds", type=int, default=5, metavar="N", help="turns of each (%(default)s)")
    add("--out", type=Path, metavar="DIR", help="also write kernels.json into this directory")


def run(arguments: argparse.Namespace) -> int:
    from benchmarks.kernels import cases, measuring
    from support.paths import PACKAGE_DIR

    if not arguments.package:
        making.package([arguments.variant])
    found = cases.selected(arguments.case, arguments.model, with_catalogue=arguments.catalogue)
    packages = arguments.package or [PACKAGE_DIR]
    result = measuring.measure(found, packages, variant=arguments.variant, rounds=arguments.rounds)
    measuring.report(result, ratio=arguments.ratio, out=arguments.out)
    return 0


if __name__ == "__main__":
    command_line.start_tool()
