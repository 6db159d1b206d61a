"""`build.py limits`."""

import argparse
from pathlib import Path

from tools import making, options
from tools.registry import Command, register

DESCRIPTION = """\
Starts a browser with WebNN and writes the answer of its opSupportLimits() to a JSON file, with its version."""


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--out", type=Path, required=True, metavar="FILE", help="the JSON file to write")
    options.add_browser(parser)


def run(arguments: argparse.Namespace) -> int:
    from tools.explain import limits

    making.for_browser(options.DEFAULT_VARIANT, arguments.browser)
    return limits.run(arguments.out, browser=arguments.browser)


register(
    Command("limits", "save what a browser's WebNN supports, for `explain --limits`", DESCRIPTION, run, add_options)
)
