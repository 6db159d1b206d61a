"""Python packages that the workspace's environment has no place for, each list of them in a folder of the user's cache.

A list is complete: pip installs what it names, and nothing else. So it may have packages that ask for a newer Python
than this one, of which only parts are used that run here.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path

from wasm.toolchain.support import cache
from wasm.toolchain.support.command import run

REQUIREMENTS_DIR = Path(__file__).with_name("requirements")
PYODIDE_TOOLS = REQUIREMENTS_DIR / "pyodide_tools.txt"
TIMEOUT_SECONDS = 900
PIP = ("-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps", "--ignore-requires-python")


def installed(requirements: Path) -> Path:
    """Return the folder with the packages of a list, which are installed where they are not there.

    Raises:
        CommandError: pip could not; its reason has been printed.
    """
    key = cache.content_hash([requirements], extra=sys.version)

    def install(folder: Path) -> None:
        command = [sys.executable, *PIP, "--target", str(folder), "--requirement", str(requirements)]
        run(command, quiet=True, timeout_seconds=TIMEOUT_SECONDS)

    return cache.get(f"tools/{requirements.stem}-{key}", install, title=f"Installing {requirements.name}")


def environment(requirements: Path) -> Mapping[str, str]:
    """Return what the environment of a process of this Python needs, to have the packages of a list."""
    return {"PYTHONPATH": str(installed(requirements))}
