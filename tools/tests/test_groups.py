"""Commands start with the Python packages of their groups alone."""

import ast
import inspect
import re
import sys
from collections.abc import Iterator, Sequence
from types import ModuleType
from typing import cast

import pytest

from support.command import run
from support.paths import PROJECT_DIR
from tools import bootstrap
from tools.tests.test_documented_commands import module, names

ALL = [module(name) for name in names()]
# The sets of groups; commands with the tests' packages have nearly everything.
CHECKED = sorted({tuple(command.GROUPS) for command in ALL if "test" not in command.GROUPS})
# Names of modules, where they differ from the package's.
MODULES = {"pillow": "PIL", "cyclonedx-python-lib": "cyclonedx", "ai-edge-litert": "ai_edge_litert"}
# Prints what fails to import, and imports no package of the groups that are left out.
IMPORT = """
import importlib, sys
excluded, path, names = sys.argv[1].split(","), sys.argv[2].split(","), sys.argv[3].split(",")
sys.path[:0] = path
sys.modules.update(dict.fromkeys(excluded))
for name in names:
    importlib.import_module(name)
"""


def functions_of_making() -> dict[str, ast.FunctionDef]:
    tree = ast.parse((PROJECT_DIR / "tools" / "making.py").read_text())
    return {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef)}


def imports(node: ast.AST) -> Iterator[str]:
    """Yield the modules that a command's code imports while it runs, also through tools/making.py."""
    making = functions_of_making()
    for child in ast.walk(node):
        if isinstance(child, ast.Import):
            yield from (alias.name for alias in child.names)
        elif isinstance(child, ast.ImportFrom) and child.module:
            yield child.module
            directory = PROJECT_DIR.joinpath(*child.module.split("."))
            yield from (
                f"{child.module}.{alias.name}" for alias in child.names if (directory / f"{alias.name}.py").exists()
            )
        elif isinstance(child, ast.Attribute) and isinstance(child.value, ast.Name) and child.value.id == "making":
            yield from imports(making[child.attr])
        elif isinstance(child, ast.Call) and isinstance(child.func, ast.Name) and child.func.id in making:
            yield from imports(making[child.func.id])


def packages(groups: Sequence[str]) -> set[str]:
    """Return the names of all packages in the locks of groups."""
    texts = (bootstrap.lock_file(group).read_text() for group in groups)
    return {name for text in texts for name in re.findall(r"^([\w.-]+)==", text, re.M)}


@pytest.mark.parametrize("groups", CHECKED, ids=str)
def test_commands_import_only_packages_of_their_groups(groups: tuple[str, ...]) -> None:
    names: set[str] = set()
    for command in ALL:
        if tuple(command.GROUPS) == groups:
            names.update(imports(ast.parse(inspect.getsource(cast(ModuleType, command)))))
    others = packages(list(bootstrap.groups_of_project())) - packages([bootstrap.BASE, *groups])
    excluded = sorted(MODULES.get(name, name.replace("-", "_")) for name in others)
    path = [str(PROJECT_DIR / directory) for directory in ("site", ".", "pyodide_pkg/src")]
    run([sys.executable, "-c", IMPORT, *map(",".join, (excluded, path, sorted(names)))], capture=True, quiet=True)
