"""`build.py lock`."""

import argparse

from tools.registry import Command, register

DESCRIPTION = """\
Writes tools/locks/GROUP.txt of each group of pyproject.toml: every package that it depends on, for Python 3.11 and
newer, with the hashes of its files. Versions that still fit stay; --upgrade takes the newest ones. The lists in
pyodide_pkg/requirements get the hashes of the versions that they have."""


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--upgrade", action="store_true", help="newest versions of what pyproject.toml does not pin")


def run(arguments: argparse.Namespace) -> None:
    from tools import lock_files

    lock_files.write(upgrade=arguments.upgrade)


SUMMARY = "pin the Python packages, with hashes, after a change of pyproject.toml"
register(Command("lock", SUMMARY, DESCRIPTION, run, add_options, groups=("lock",)))
