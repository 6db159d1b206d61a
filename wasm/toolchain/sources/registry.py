"""The contents of sources.toml, checked."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from support.errors import BuildError
from support.paths import PROJECT_DIR

SOURCES_FILE = PROJECT_DIR / "wasm" / "third_party" / "sources.toml"
PROGRAMS_FILE = PROJECT_DIR / "wasm" / "programs" / "sources.toml"
REQUIRED_KEYS = {"license", "archive_path", "archive_parts", "keep", "sha256"}
OPTIONAL_KEYS = {"git", "commit", "version", "archive_patches", "suffixes", "drop"}


class SourcesFileError(BuildError):
    """sources.toml has a bad or missing key, or an override names an unknown component."""


@dataclass(frozen=True)
class Archive:
    """The Debian source archive with all components."""

    pool_path: str
    root: str


@dataclass(frozen=True)
class ArchivePart:
    """Complete blocks of the archive: its bytes from `begin` to `end`.

    Decompressed, they have complete tar members from `tar_begin` to `tar_end`.
    """

    begin: int
    end: int
    tar_begin: int
    tar_end: int


@dataclass(frozen=True)
class Component:
    """One third-party repository at one revision, and the files to keep."""

    name: str
    license: str
    git: str
    revision: str
    archive_path: str
    archive_parts: tuple[ArchivePart, ...]
    archive_patches: str
    keep: tuple[str, ...]
    drop: tuple[str, ...]
    suffixes: tuple[str, ...]
    sha256: str


@dataclass(frozen=True)
class Sources:
    """The contents of sources.toml: the archive with all components, and the components by name."""

    archive: Archive
    components: dict[str, Component]

    def check_overrides(self, overrides: Mapping[str, Path]) -> None:
        """Check the values of `--source NAME=DIR`.

        Raises:
            SourcesFileError: no component has that name, or the directory is missing.
        """
        for name, directory in overrides.items():
            if name not in self.components:
                raise SourcesFileError(f"no component {name!r}", hint=f"one of: {', '.join(self.components)}")
            if not directory.is_dir():
                raise SourcesFileError(f"the directory for {name} does not exist", where=str(directory))


def load(path: Path = SOURCES_FILE) -> Sources:
    """Read sources.toml.

    Raises:
        SourcesFileError: a key is missing or unknown; the message names the component and the key.
    """
    table = tomllib.loads(path.read_text())
    try:
        archive = Archive(**table["archive"])
        defaults = table["defaults"]
        rows = table["components"]
    except (KeyError, TypeError) as error:
        raise SourcesFileError(f"bad or missing key: {error}", where=str(path)) from error
    return Sources(archive, _components(rows, defaults, path))


def load_for_programs() -> Sources:
    """Read the sources of programs: the module's, and their own.

    Raises:
        SourcesFileError: a key is missing or unknown; the message names the component and the key.
    """
    sources = load()
    defaults = tomllib.loads(SOURCES_FILE.read_text())["defaults"]
    rows = tomllib.loads(PROGRAMS_FILE.read_text())["components"]
    return Sources(sources.archive, {**sources.components, **_components(rows, defaults, PROGRAMS_FILE)})


def _components(rows: dict[str, dict[str, Any]], defaults: dict[str, list[str]], path: Path) -> dict[str, Component]:
    return {name: _component(name, row, defaults, path) for name, row in rows.items()}


def _component(name: str, row: dict[str, Any], defaults: dict[str, list[str]], path: Path) -> Component:
    missing = REQUIRED_KEYS - row.keys()
    unknown = row.keys() - REQUIRED_KEYS - OPTIONAL_KEYS
    if missing or unknown:
        problem = f"is missing {min(missing)!r}" if missing else f"has the unknown key {min(unknown)!r}"
        raise SourcesFileError(f"component {name} {problem}", where=str(path))
    if ("git" in row) != ("commit" in row) or ("git" in row) == ("version" in row):
        raise SourcesFileError(f"component {name} needs `git` and `commit`, or `version` alone", where=str(path))
    try:
        parts = tuple(ArchivePart(*part) for part in row["archive_parts"])
    except TypeError as error:
        raise SourcesFileError(f"component {name} has a bad `archive_parts`: {error}", where=str(path)) from error
    return Component(
        name=name,
        license=row["license"],
        git=row.get("git", ""),
        revision=row.get("commit") or row["version"],
        archive_path=row["archive_path"],
        archive_parts=parts,
        archive_patches=row.get("archive_patches", ""),
        keep=tuple(row["keep"]),
        drop=(*defaults["drop"], *row.get("drop", [])),
        suffixes=tuple(row.get("suffixes", defaults["suffixes"])),
        sha256=row["sha256"],
    )
