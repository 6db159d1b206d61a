"""The output directory of the site: writes only changed files and deletes obsolete ones."""

import shutil
from pathlib import Path

from support.errors import BuildError

MARKER = ".tflite_webnn_site"


class OutputDirectoryError(BuildError):
    """The output directory holds other files, which the generator would delete, or two files would have one name."""


class OutputDirectory:
    """A directory being filled; call `finish` last.

    Raises:
        OutputDirectoryError: the directory is not empty and not a site.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        if path.exists() and not (path / MARKER).exists() and any(path.iterdir()):
            raise OutputDirectoryError(
                "the directory is not empty and not a site", where=str(path), hint="choose an empty or a new directory"
            )
        path.mkdir(parents=True, exist_ok=True)
        self._kept: set[Path] = set()
        self._sources: dict[str, Path] = {}
        self.write(MARKER, "Written by `python3 build.py serve`, which deletes all other files here.\n")

    def write(self, name: str, text: str) -> None:
        """Write a text file."""
        file = self._file(name)
        content = text.encode()
        if not file.exists() or file.read_bytes() != content:
            file.write_bytes(content)

    def copy(self, source: Path, name: str) -> None:
        """Copy a file unless the copy already has the same size and time.

        Raises:
            OutputDirectoryError: another file was copied under this name.
        """
        if self._sources.setdefault(name, source) != source:
            hint = f"rename it: {self._sources[name]} is there already"
            raise OutputDirectoryError(f"two files would be {name}", where=str(source), hint=hint)
        file = self._file(name)
        state = source.stat()
        if file.exists():
            there = file.stat()
            if (there.st_size, there.st_mtime_ns) == (state.st_size, state.st_mtime_ns):
                return
        shutil.copy2(source, file)

    def keep(self, name: str) -> None:
        """Keep a file that another program wrote, such as esbuild."""
        self._kept.add(self.path / name)

    def finish(self) -> None:
        """Delete every file that this run did not write or keep, and empty directories."""
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
