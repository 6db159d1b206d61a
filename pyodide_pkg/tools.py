"""Python packages that the workspace's environment has no place for, each list of them in a folder of the user's cache.

A list is complete: pip installs what it names, and nothing else. So it may have packages that ask for a newer Python
than this one, of which only parts are used that run here.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from tools.support import cache
from tools.support.command import run

REQUIREMENTS_DIR = Path(__file__).with_name("requirements")
PYODIDE_TOOLS = REQUIREMENTS_DIR / "pyodide_tools.txt"
JUPYTERLITE = REQUIREMENTS_DIR / "jupyterlite.txt"
JUPYTERLITE_KERNEL = REQUIREMENTS_DIR / "jupyterlite_kernel.txt"
TIMEOUT_SECONDS = 900
PIP = (sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check")
# Of wheels for many platforms the one for any, and of none that can only be built.
PURE = ("--only-binary", ":all:", "--platform", "any", "--implementation", "py", "--abi", "none")
EXACTLY = ("--no-deps", "--ignore-requires-python", "--requirement")


def prepare() -> None:
    """Get all lists, so that nothing needs a network later.

    Raises:
        CommandError: pip could not; its reason has been printed.
    """
    for requirements in (PYODIDE_TOOLS, JUPYTERLITE):
        installed(requirements)
    wheels(JUPYTERLITE_KERNEL)


def installed(requirements: Path) -> Path:
    """Return the folder with the packages of a list, which are installed where they are not there.

    Raises:
        CommandError: pip could not; its reason has been printed.
    """
    key = cache.content_hash([requirements], extra=sys.version)

    def install(folder: Path) -> None:
        command: list[str | Path] = [*PIP, "install", "--target", folder, *EXACTLY, requirements]
        run(command, quiet=True, timeout_seconds=TIMEOUT_SECONDS)

    return cache.get(f"tools/{requirements.stem}-{key}", install, title=f"Installing {requirements.name}")


def wheels(requirements: Path) -> Sequence[Path]:
    """Return the wheels of a list, which run on any machine; they are downloaded where they are not there.

    Raises:
        CommandError: pip could not; its reason has been printed.
    """
    key = cache.content_hash([requirements])

    def download(folder: Path) -> None:
        command: list[str | Path] = [*PIP, "download", *PURE, "--dest", folder, *EXACTLY, requirements]
        run(command, quiet=True, timeout_seconds=TIMEOUT_SECONDS)

    folder = cache.get(f"tools/{requirements.stem}-{key}", download, title=f"Downloading {requirements.name}")
    return sorted(folder.glob("*.whl"))


def environment(requirements: Path) -> Mapping[str, str]:
    """Return what the environment of a process of this Python needs, to have the packages of a list."""
    return {"PYTHONPATH": str(installed(requirements))}
