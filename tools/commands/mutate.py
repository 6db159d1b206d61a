"""`build.py mutate`."""

import argparse
from pathlib import Path

from tools.registry import Command, register

DESCRIPTION = """\
Changes this project's own code in many small ways, one at a time, and runs the tests on each change. A change that no
test notices survives: a test is missing. Prints each survivor with its file, line and change, and the
score of each file and folder: the percentage of its mutants that tests killed. Not a part of `test`; for every night.

  typescript  Stryker changes operators, conditions and constants of the runtime and the polyfill, and runs the vitest
              tests that reach them, without a browser or a wasm module. Some 2,000 mutants.
  python      mutmut does the same with modules of the build and the tools, and their unit tests.
  cpp         Edits of the delegate's lowerings and of the kernels, listed in tools/mutation/seeded.toml: an axis, a
              padding, a clamp, a scale. A scratch checkout in build/mutation compiles the variants once, with all edits
              behind a switch. One process of pytest then runs the tests of each edit's op with that edit: its golden
              graphs, what is refused, its cases in the browser.

tools/mutation/goals.toml has the files that are mutated and the score that each should have. --file chooses others,
e.g. --file 'js/runtime/src/worker/*.ts'. Writes every mutant, with what killed it, to build/mutation/result.json. The
exit status is 1 when a file is below its goal."""


def add_options(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    parts = ("typescript", "python", "cpp")
    add("--part", action="append", default=[], choices=parts, help="only this part (repeatable)")
    text = "mutate these files instead of those with a goal; * and ** match (repeatable)"
    add("--file", action="append", default=[], metavar="PATTERN", help=text)
    add("--jobs", type=int, default=2, metavar="N", help="processes (%(default)s)")
    add("--out", type=Path, metavar="FILE", help="the JSON file to write")


def run(arguments: argparse.Namespace) -> int:
    from tools.mutation import command

    return command.run(arguments.part, arguments.file, jobs=arguments.jobs, out=arguments.out)


SUMMARY = "change the code in small ways and list the changes that no test notices"
register(Command("mutate", SUMMARY, DESCRIPTION, run, add_options, groups=("run", "site", "measure", "test", "lint")))
