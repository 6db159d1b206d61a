"""Python packages outside the workspace's environment, each list of them in a directory of the user's cache.

A list is complete: pip installs exactly its packages. So it may have packages that require a newer Python
than this one, as long as the parts in use run here.
"""

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from support import cache
from support.command import run

REQUIREMENTS_DIR = Path(__file__).with_name("requirements")
PYODIDE_TOOLS = REQUIREMENTS_DIR / "pyodide_tools.txt"
JUPYTERLITE = REQUIREMENTS_DIR / "jupyterlite.txt"
JUPYTERLITE_KERNEL = REQUIREMENTS_DIR / "jupyterlite_kernel.txt"
TIMEOUT_SECONDS = 900
PIP = (sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check")
# Wheels for any platform; no source distributions.
PURE = ("--only-binary", ":all:", "--platform", "any", "--implementation", "py", "--abi", "none")
EXACTLY = ("--no-deps", "--ignore-requires-python", "--requirement")


def prepare() -> None:
    """Download all lists, for use without a network.

    Raises:
        CommandError: pip failed and has printed the reason.
    """
    for requirements in (PYODIDE_TOOLS, JUPYTERLITE):
        installed(requirements)
    wheels(JUPYTERLITE_KERNEL)


def installed(requirements: Path) -> Path:
    """Install the packages of a list unless they are, and return their directory.

    Raises:
        CommandError: pip failed and has printed the reason.
    """
    key = cache.content_hash([requirements], extra=sys.version)

    def install(directory: Path) -> None:
        command: list[str | Path] = [*PIP, "install", "--target", directory, *EXACTLY, requirements]
        run(command, quiet=True, timeout_seconds=TIMEOUT_SECONDS)

    return cache.get(f"tools/{requirements.stem}-{key}", install, title=f"Installing {requirements.name}")


def wheels(requirements: Path) -> Sequence[Path]:
    """Download the platform-independent wheels of a list unless they are there, and return them.

    Raises:
        CommandError: pip failed and has printed the reason.
    """
    key = cache.content_hash([requirements])

    def download(directory: Path) -> None:
        command: list[str | Path] = [*PIP, "download", *PURE, "--dest", directory, *EXACTLY, requirements]
        run(command, quiet=True, timeout_seconds=TIMEOUT_SECONDS)

    directory = cache.get(f"tools/{requirements.stem}-{key}", download, title=f"Downloading {requirements.name}")
    return sorted(directory.glob("*.whl"))


def environment(requirements: Path) -> Mapping[str, str]:
    """Return the environment variables with which this Python finds the packages of a list."""
    return {"PYTHONPATH": str(installed(requirements))}
