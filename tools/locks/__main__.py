"""Pin the Python packages, with hashes, after a change of pyproject.toml.

Writes tools/locks/GROUP.txt of each group of pyproject.toml: every package that it depends on, for Python 3.11 and
newer, with the hashes of its files. Versions that still fit are kept; --upgrade selects the newest ones. The lists in
pyodide_pkg/requirements get the hashes of the versions that they have.
"""

import argparse

from tools import command_line

GROUPS = ("lock",)


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--upgrade", action="store_true", help="newest versions of what pyproject.toml does not pin")


def run(arguments: argparse.Namespace) -> None:
    from tools.locks import lock_files

    lock_files.write(upgrade=arguments.upgrade)


if __name__ == "__main__":
    command_line.start_tool()
