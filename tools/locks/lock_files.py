"""The locks of the Python packages: each group of pyproject.toml with all that it depends on, and hashes."""

import re
import sys
import tempfile
from pathlib import Path

from support.command import run
from support.console import step
from support.errors import BuildError
from tools import bootstrap

OLDEST_PYTHON, NEWEST_PYTHON = "3.11", "3.14"
# One file for all Pythons and processors, with the differences as markers, and without the index's address.
OPTIONS = ("--universal", "--generate-hashes", "--no-annotate", "--no-header")
# Of packages outside the environment: each names all its packages, so that only the hashes are written.
COMPLETE_LISTS = (bootstrap.PROJECT_DIR / "pyodide_pkg" / "requirements",)


class OutdatedLockError(BuildError):
    """A lock is not that of its group in pyproject.toml."""


def write(*, upgrade: bool) -> None:
    """Resolve all groups together, then write the lock of each, and the hashes of the complete lists.

    Raises:
        CommandError: no versions fit, or the package index does not respond.
    """
    groups = bootstrap.groups_of_project()
    with tempfile.TemporaryDirectory() as name, step("Pinning Python packages"):
        together = Path(name) / "all.txt"
        if not upgrade:  # uv keeps the versions of the file that it replaces
            together.write_text("".join(file.read_text() for file in sorted(bootstrap.LOCKS_DIR.glob("*.txt"))))
        _compile([word for group in groups for word in ("--group", group)], together)
        bootstrap.LOCKS_DIR.mkdir(exist_ok=True)
        for group, requirements in groups.items():
            lock = Path(name) / f"{group}.txt"
            _compile(["--group", group, "--constraints", str(together)], lock)
            bootstrap.lock_file(group).write_text(_header(requirements) + lock.read_text())
        for file in bootstrap.LOCKS_DIR.glob("*.txt"):
            if file.stem not in groups:
                file.unlink()
        for directory in COMPLETE_LISTS:
            for file in sorted(directory.glob("*.txt")):
                lock = Path(name) / file.name
                _compile(["--no-deps", str(file)], lock, python=NEWEST_PYTHON)
                comments = re.findall(r"^#.*\n", file.read_text(), re.M)
                file.write_text("".join(comments) + lock.read_text())


def check() -> None:
    """Check, without a network, that each lock was written for its group as it is now.

    Raises:
        OutdatedLockError: pyproject.toml has other packages.
    """
    for group, requirements in bootstrap.groups_of_project().items():
        file = bootstrap.lock_file(group)
        if not file.exists() or not file.read_text().startswith(_header(requirements)):
            raise OutdatedLockError(
                f"pyproject.toml has other packages in the group {group} than its lock",
                where=str(file),
                hint="run `python3 -m tools.locks` and commit the result",
            )


def _header(requirements: list[str]) -> str:
    return "# Written by `python3 -m tools.locks` for:\n" + "".join(f"#   {line}\n" for line in requirements)


def _compile(options: list[str], output: Path, *, python: str = OLDEST_PYTHON) -> None:
    uv = Path(sys.executable).parent / "uv"
    command: list[str | Path] = [uv, "pip", "compile", "--quiet", "--python-version", python, *OPTIONS, *options]
    command += ["--output-file", output]
    run(command, cwd=bootstrap.PROJECT_DIR, quiet=True)
