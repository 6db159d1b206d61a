"""Selects the files of a component, and checks their content hash, which is the same from every origin."""

import hashlib
from collections.abc import Iterator
from fnmatch import fnmatchcase
from pathlib import Path

from support.cache import file_sha256
from support.errors import BuildError
from wasm.toolchain.sources.registry import Component


class SourceHashError(BuildError):
    """A component's files do not match the pinned hash. The fetched files have been deleted."""


class SourceFileMissingError(BuildError):
    """A component lacks a file or directory that sources.toml keeps."""


def kept_files(component: Component, root: Path) -> list[str]:
    """Return the sorted paths of the files to keep, relative to the component's root.

    Raises:
        SourceFileMissingError: an entry of `keep` matches nothing.
    """
    kept: set[str] = set()
    for entry in component.keep:
        found = set(_matches(component, root, entry))
        if not found:
            raise SourceFileMissingError(
                f"component {component.name} has no {entry}",
                where=str(root),
                hint="the directory must have the layout of the upstream repository",
            )
        kept |= found
    return sorted(kept)


def select(component: Component, root: Path, destination: Path) -> None:
    """Move the kept files of an unpacked component to `destination`."""
    for name in kept_files(component, root):
        target = destination / name
        target.parent.mkdir(parents=True, exist_ok=True)
        (root / name).replace(target)


def content_hash(component: Component, root: Path) -> str:
    """Return the SHA-256 over the sorted lines `<sha256 of the file>  <path>` of the kept files."""
    digest = hashlib.sha256()
    for name in kept_files(component, root):
        digest.update(f"{file_sha256(root / name)}  {name}\n".encode())
    return digest.hexdigest()


def verify(component: Component, root: Path, *, origin: str) -> None:
    """Check a component against its pinned hash.

    Raises:
        SourceHashError: the hash differs.
    """
    actual = content_hash(component, root)
    if actual != component.sha256:
        raise SourceHashError(
            f"component {component.name}: the files have sha256 {actual}, pinned is {component.sha256}",
            where=f"{origin}, at revision {component.revision}",
            hint="if the revision in wasm/third_party/sources.toml has changed on purpose, change its hash, too",
        )


def is_needed(component: Component, name: str) -> bool:
    """Return whether a file of an archive, relative to the component's root, is kept, or needed to revert patches."""
    if component.archive_patches:  # these also change files that are not kept
        return name.startswith((*component.keep, f"{component.archive_patches}/"))
    return any(_covers(component, entry, name) for entry in component.keep)


def _matches(component: Component, root: Path, entry: str) -> Iterator[str]:
    path = root / entry
    files = path.rglob("*") if entry.endswith("/") else [path]
    for file in files:
        name = file.relative_to(root).as_posix()
        if file.is_file() and not file.is_symlink() and _covers(component, entry, name):
            yield name


def _covers(component: Component, entry: str, name: str) -> bool:
    """Return whether an entry of `keep`, a file or a directory with a final slash, keeps the file."""
    in_directory = entry.endswith("/") and name.startswith(entry)
    return name == entry or (in_directory and _is_source(component, Path(name).name) and not _dropped(component, name))


def _is_source(component: Component, file_name: str) -> bool:
    for suffix in component.suffixes:
        if file_name == suffix or (file_name.endswith(suffix) if suffix else "." not in file_name):
            return True
    return False


def _dropped(component: Component, name: str) -> bool:
    return any(fnmatchcase(name, pattern) for pattern in component.drop)
