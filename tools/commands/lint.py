"""Check style, types and layers.

Checks what can be checked without running the project, the quickest first: ruff, import-linter and mypy over the
Python, clang-format over the project's own C++, biome, dependency-cruiser and the TypeScript compiler over js/ and
site/, actionlint over GitHub's workflows, the locks of the Python packages, words, links and merge markers.
`build.py test` runs the same checks, each as a test.
"""

import argparse

GROUPS = ("run", "site", "test", "lint")


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--fix", action="store_true", help="let ruff, clang-format and biome write")


def run(arguments: argparse.Namespace) -> None:
    from tools import lint

    lint.lint(fix=arguments.fix)
