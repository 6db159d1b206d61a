"""Zip archives whose bytes depend on their content only: equal files make equal archives."""

import zipfile
from collections.abc import Mapping
from pathlib import Path

# The first date that the format has.
DATE = (1980, 1, 1, 0, 0, 0)
MODE = 0o100644


def write_zip(path: Path, files: Mapping[str, Path]) -> None:
    """Write files to an archive, each by its name there; a file that exists is replaced."""
    with zipfile.ZipFile(path, "w") as archive:
        for name, file in sorted(files.items()):
            entry = zipfile.ZipInfo(name, DATE)
            entry.external_attr = MODE << 16
            entry.create_system = 3  # Unix, also on Windows
            archive.writestr(entry, file.read_bytes(), zipfile.ZIP_DEFLATED, 9)


def files_below(directory: Path) -> dict[str, Path]:
    """Return all files below a directory but hidden ones, by their names in an archive."""
    files = {file.relative_to(directory): file for file in directory.rglob("*") if file.is_file()}
    return {
        name.as_posix(): file for name, file in files.items() if not any(part.startswith(".") for part in name.parts)
    }
