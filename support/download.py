"""Files from PyPI and npm, by package name and exact version, through the registries' own clients."""

import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from support import debian
from support.command import run
from support.errors import BuildError

TIMEOUT_SECONDS = 900


class DownloadError(BuildError):
    """A registry's client succeeded without leaving a file."""


def fetch_pypi(name: str, version: str, directory: Path) -> Path:
    """Download the wheel (or sdist) that pip chooses for this machine into `directory` and return its path."""
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", f"{name}=={version}"]

    def download(directory: Path) -> None:
        run([*command, "--dest", str(directory)], timeout_seconds=TIMEOUT_SECONDS)

    return _fetch(download, directory, name)


def fetch_npm(name: str, version: str, directory: Path) -> Path:
    """Download an npm package's .tgz into `directory` and return its path."""
    debian.ensure_program("npm", "npm", why=f"npm package {name}")

    def pack(directory: Path) -> None:
        command = ["npm", "pack", f"{name}@{version}", "--ignore-scripts", "--pack-destination", str(directory)]
        run(command, capture=True, timeout_seconds=TIMEOUT_SECONDS)

    return _fetch(pack, directory, name)


def _fetch(download: Callable[[Path], None], directory: Path, name: str) -> Path:
    """Download into a directory next to the result, then move: a stopped download leaves no partial file."""
    directory.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=directory, prefix=".partial-") as partial:
        download(Path(partial))
        files = list(Path(partial).iterdir())
        if len(files) != 1:
            raise DownloadError(f"the registry's client left {len(files)} files for {name}", where=str(directory))
        return files[0].replace(directory / files[0].name)
