"""Mutants of the Python, by mutmut with the unit tests that import the mutated modules."""

import ast
import json
import re
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeGuard

from pyodide_pkg import tools as packages
from support.cache import remove
from support.command import run as run_command
from support.errors import BuildError
from support.paths import PROJECT_DIR
from tools.mutation import checkout
from tools.mutation.result import KILLED, SURVIVED, Mutant

REQUIREMENTS = Path(__file__).with_name("requirements") / "mutmut.txt"
# Tests that need neither a browser nor a wasm module, nor npm's packages as those of js/tests do.
TEST_FOLDERS = ("support/tests", "tools/tests", "wasm/toolchain/tests", "web_tests/tests/unit")
# Top-level files and folders that the tests import or read.
FOLDERS = ("docs", "js", "pyodide_pkg", "site", "support", "tools", "wasm", "web_tests")
COPIED = ("build.py", "conftest.py", "pyproject.toml", *FOLDERS)
# mutmut's codes of mutants that tests pass with (0) or do not reach (5, 33).
SURVIVING = {0, 5, 33}
# Prints the difference of each named mutant; mutmut has no command for several.
DIFFS = """
import json, sys
from mutmut.mutation.diff_apply import get_diff_for_mutant
print(json.dumps({name: get_diff_for_mutant(name) for name in json.load(open(sys.argv[1]))}))
"""


class UntestedModuleError(BuildError):
    """No unit test imports a module."""


@dataclass(frozen=True)
class Difference:
    """What a mutant changes: the line in its file, the old code and the new."""

    line: int
    old: str
    new: str


def run(files: Sequence[str], *, jobs: int) -> list[Mutant]:
    """Mutate the functions of modules (paths relative to the project) and return the mutants.

    Raises:
        UntestedModuleError: no unit test imports one of the modules.
        CommandError: the tests fail without a mutation, or mutmut failed, and has printed why.
    """
    tests = sorted({test for file in files for test in importing_tests(file)})
    folder = checkout.update()
    remove(folder / "mutants")
    (folder / "setup.cfg").write_text(configuration(files, tests))
    environment = packages.environment(REQUIREMENTS)
    run_command([sys.executable, "-m", "mutmut", "run", "--max-children", str(jobs)], cwd=folder, env=environment)
    outcomes = {file: _outcomes(folder / "mutants" / f"{file}.meta") for file in files}
    names = folder / "mutants" / "names.json"
    names.write_text(json.dumps([name for codes in outcomes.values() for name in codes]))
    command: list[str | Path] = [sys.executable, "-c", DIFFS, names]
    diffs = json.loads(run_command(command, cwd=folder, env=environment, capture=True, quiet=True))
    return [
        _mutant(file, difference(name, diffs[name], (PROJECT_DIR / file).read_text()), code)
        for file, codes in outcomes.items()
        for name, code in codes.items()
    ]


def importing_tests(file: str, project: Path = PROJECT_DIR) -> list[str]:
    """Return a module's unit tests, relative to the project: those named after it, else all that import it.

    Tests of what uses it may need more than mutmut's copy of the project has.

    Raises:
        UntestedModuleError: there is none.
    """
    package, _, module = file.removesuffix(".py").replace("/", ".").rpartition(".")
    imports = re.compile(rf"{re.escape(package)}\.{module}\b|from {re.escape(package)} import [^\n]*\b{module}\b")
    found = (path for folder in TEST_FOLDERS for path in (project / folder).rglob("test_*.py"))
    tests = sorted(str(path.relative_to(project)) for path in found if imports.search(path.read_text()))
    if not tests:
        raise UntestedModuleError(f"no test of {', '.join(TEST_FOLDERS)} imports it", where=file)
    return [test for test in tests if Path(test).name == f"test_{module}.py"] or tests


def configuration(files: Sequence[str], tests: Sequence[str]) -> str:
    """Return mutmut's setup.cfg; pyproject.toml has no section of it."""
    sources = sorted({file.split("/")[0] for file in files})
    values = {
        "source_paths": sources,
        "only_mutate": files,
        "also_copy": [name for name in COPIED if name not in sources],
        "pytest_add_cli_args_test_selection": tests,
        "pytest_add_cli_args": ["--tier=unit", "-p", "no:xdist", "-p", "no:rerunfailures"],
    }
    lines = (f"{key}=\n" + "".join(f"    {value}\n" for value in listed) for key, listed in values.items())
    return "[mutmut]\nuse_git_change_detection=false\n" + "".join(lines)


def difference(name: str, diff: str, source: str) -> Difference:
    """Return what mutmut's difference of a function changes, and where in the module's source."""
    body = diff.splitlines()[2:]
    changed = next(index for index, line in enumerate(body) if line.startswith(("-", "+")))
    removed = [line[1:].strip() for line in body if line.startswith("-")]
    added = [line[1:].strip() for line in body if line.startswith("+")]
    function = re.sub(r"__mutmut_\d+$", "", name).rpartition(".")[2].removeprefix("x_").split("ǁ")[-1]
    starts = [node.lineno for node in ast.walk(ast.parse(source)) if _is_function(node, function)]
    hunk = re.search(r"^@@ -(\d+)", diff, re.MULTILINE)
    expected = min(starts, default=1) + (int(hunk[1]) if hunk else 1) + changed - 3
    lines = source.splitlines()
    places = [number for number, line in enumerate(lines, 1) if removed and line.strip() == removed[0]]
    line = min(places, key=lambda number: abs(number - expected), default=max(expected, 1))
    return Difference(line, " ".join(removed), " ".join(added))


def _is_function(node: ast.AST, name: str) -> TypeGuard[ast.FunctionDef | ast.AsyncFunctionDef]:
    return isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name == name


def _outcomes(meta: Path) -> dict[str, int]:
    codes: dict[str, int] = json.loads(meta.read_text())["exit_code_by_key"]
    return codes


def _mutant(file: str, change: Difference, code: int) -> Mutant:
    outcome = SURVIVED if code in SURVIVING else KILLED
    return Mutant("python", file, change.line, f"{change.old} -> {change.new}", outcome)
