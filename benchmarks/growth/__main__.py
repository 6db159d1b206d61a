"""Measure how time grows with the input: twice of it may cost at most 2.2 times, else the exit status is 1.

In Node, with the built package: models of 1,000 to 4,000 nodes, tensors, subgraphs or signatures, tokenizers, metadata,
and what reads outputs and images. docs/contributing/benchmarking.md has the table of the committed result,
site/results/growth.json. --only selects cases by a part of their names.
"""

import argparse
from pathlib import Path

from tools import command_line, making, options

GROUPS = ("run",)


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--only", default="", metavar="TEXT", help="only cases whose name contains it")
    parser.add_argument("--out", type=Path, metavar="DIR", help="also write growth.json into this directory")


def run(arguments: argparse.Namespace) -> int:
    from benchmarks.growth import measuring

    making.package([options.DEFAULT_VARIANT])
    return measuring.report(measuring.measure(arguments.only), out=arguments.out)


if __name__ == "__main__":
    command_line.start_tool()
