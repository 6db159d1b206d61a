"""`build.py site`."""

import argparse
from pathlib import Path

from tools import making
from tools.registry import Command, register

DESCRIPTION = """\
Builds what is missing (all variants, the wheel for Pyodide), then writes the site to build/site, or to --output: plain
files for any static host, in any folder of it. Its pages contact only that host. Unchanged files are not written again.
site/README.md explains how to add a page."""


def add_options(parser: argparse.ArgumentParser) -> None:
    text = "a folder that is new, empty, or already has the site (default: build/site)"
    parser.add_argument("--output", type=Path, metavar="FOLDER", help=text)


def run(arguments: argparse.Namespace) -> None:
    from site_generator import paths

    making.site(arguments.output or paths.OUTPUT_DIR)


register(
    Command(
        "site",
        "make the static site: demos, explorer, benchmark, tables, documents",
        DESCRIPTION,
        run,
        add_options,
        groups=("run", "site"),
    )
)
