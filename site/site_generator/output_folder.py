"""The folder that the site is written into: only what changed is written, and what is no longer meant goes."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import ClassVar

from tools.support.errors import BuildError

MARKER = ".tflite_webnn_site"


class OutputFolderError(BuildError):
    """The output folder holds something that is no site of ours: it would be deleted."""

    exit_code: ClassVar[int] = 8


class OutputFolder:
    """A folder being filled; `finish` comes last.

    Raises:
        OutputFolderError: it has files, and no site was ever written there.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        if path.exists() and not (path / MARKER).exists() and any(path.iterdir()):
            raise OutputFolderError(
                "the folder is not empty and holds no site", where=str(path), mend="give an empty or a new folder"
            )
        path.mkdir(parents=True, exist_ok=True)
        self._kept: set[Path] = set()
        self.write(MARKER, "Written by `build.py site`, which deletes what else it finds here.\n")

    def write(self, name: str, text: str) -> None:
        """Write a text file."""
        file = self._file(name)
        content = text.encode()
        if not file.exists() or file.read_bytes() != content:
            file.write_bytes(content)

    def copy(self, source: Path, name: str) -> None:
        """Copy a file, unless the copy has its size and time already."""
        file = self._file(name)
        state = source.stat()
        if file.exists():
            there = file.stat()
            if (there.st_size, there.st_mtime_ns) == (state.st_size, state.st_mtime_ns):
                return
        shutil.copy2(source, file)

    def keep(self, name: str) -> None:
        """Take a file, written by somebody else, for a part of the site."""
        self._kept.add(self.path / name)

    def finish(self) -> None:
        """Delete every file that was not written this time, and folders that are empty then."""
        for path in sorted(self.path.rglob("*"), reverse=True):
            if path.is_dir():
                if not any(path.iterdir()):
                    path.rmdir()
            elif path not in self._kept:
                path.unlink()

    def _file(self, name: str) -> Path:
        file = self.path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        self._kept.add(file)
        return file
