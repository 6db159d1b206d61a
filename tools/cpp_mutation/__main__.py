"""Edit the C++ in 40 places, one at a time, and expect a unit test to fail.

edits.toml, next to this tool, has the edits: a swapped axis, a forgotten zero point, a bound that is one too high. Each
is applied to a copy of wasm/ in build/cpp_mutation, from which Ninja compiles the unit tests again: the first time all
files, then those that include the edited one. Prints for each edit the case that fails, or that it survived. The exit
status is 1 if an edit survives, and 2 if one does not fit its file or does not compile: then change edits.toml.
"""

import argparse

from tools import command_line

GROUPS = ("run",)


def add_options(parser: argparse.ArgumentParser) -> None:
    text = "only edits of files with this in their path (repeatable)"
    parser.add_argument("--file", action="append", default=[], metavar="TEXT", help=text)
    parser.add_argument("--jobs", type=int, metavar="N", help="parallel compiler processes (one per core)")


def run(arguments: argparse.Namespace) -> int:
    from tools.cpp_mutation import mutation

    return mutation.run(arguments.file, jobs=arguments.jobs)


if __name__ == "__main__":
    command_line.start_tool()
