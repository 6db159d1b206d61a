"""`build.py lint`."""

import argparse

from tools.registry import Command, register

DESCRIPTION = """\
Runs ruff, mypy and import-linter over the Python files, clang-format over the project's own C++, and the TypeScript
compiler and linter over js/, and checks that the locks of the Python packages are those of pyproject.toml."""


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--fix", action="store_true", help="let the formatters write")


def run(arguments: argparse.Namespace) -> None:
    from tools import lint

    lint.lint(fix=arguments.fix)


register(
    Command(
        "lint",
        "check style, types and layers of Python, TypeScript and C++",
        DESCRIPTION,
        run,
        add_options,
        groups=("run", "site", "test", "lint"),
    )
)
