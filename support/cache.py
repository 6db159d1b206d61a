"""The user cache: each entry is created once and atomically, however many checkouts want it at the same time."""

import base64
import hashlib
import shutil
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

import filelock

from support.console import console, step
from support.paths import PROJECT_DIR, cache_dir

HASH_LENGTH = 16


def get(relative: str, create: Callable[[Path], None], *, title: str) -> Path:
    """Return the cache entry `relative`; `create` makes it if it is missing.

    `create` gets a path next to the entry and makes a file or a directory there; the entry then appears in one rename,
    so a failed or stopped `create` leaves nothing that looks finished.
    """
    entry = cache_dir() / relative
    if entry.exists():
        return entry
    with locked(relative, title=title):
        if entry.exists():
            return entry
        temporary = entry.with_name(f".{entry.name}.partial")
        remove(temporary)
        try:
            with step(title):
                create(temporary)
            temporary.replace(entry)
        except BaseException:
            remove(temporary)
            raise
    return entry


@contextmanager
def locked(relative: str, *, title: str) -> Iterator[None]:
    """Hold the lock of a cache entry; print a line if another process holds it."""
    (cache_dir() / relative).parent.mkdir(parents=True, exist_ok=True)
    with lock_file(cache_dir() / "locks" / (relative.replace("/", "__") + ".lock"), title=title):
        yield


@contextmanager
def lock_file(path: Path, *, title: str) -> Iterator[None]:
    """Hold the lock that a file stands for; print a line if another process holds it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    lock = filelock.FileLock(path)
    try:
        lock.acquire(timeout=0)
    except filelock.Timeout:
        console.print(f"    waiting for another process: {title}")
        lock.acquire()
    try:
        yield
    finally:
        lock.release()


def remove(path: Path) -> None:
    """Delete a file or a directory if it exists."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


def content_hash(paths: Iterable[Path], extra: str = "") -> str:
    """Return a short hexadecimal hash of the names and bytes of files (directories: all files below) and of `extra`."""
    digest = hashlib.sha256(extra.encode())
    names: dict[Path, str] = {}
    for name, path in _files(sorted(paths)):
        names.setdefault(path, name)  # a directory comes before what is in it
    for path, name in sorted(names.items(), key=lambda item: item[::-1]):
        digest.update(f"{name}\0{file_sha256(path)}\n".encode())
    return digest.hexdigest()[:HASH_LENGTH]


def file_sha256(path: Path) -> str:
    """Return a file's SHA-256 in hexadecimal."""
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def subresource_integrity(path: Path) -> str:
    """Return the value of the attribute `integrity` with which a page requests a file (SHA-384)."""
    with path.open("rb") as stream:
        return f"sha384-{base64.b64encode(hashlib.file_digest(stream, 'sha384').digest()).decode()}"


def _files(paths: Iterable[Path]) -> Iterator[tuple[str, Path]]:
    """Yield the files with their names: relative to the project, else to the provided directory."""
    for path in paths:
        files = (file for file in path.rglob("*") if file.is_file()) if path.is_dir() else [path]
        for file in files:
            if "__pycache__" in file.parts or ".git" in file.parts:
                continue
            root = PROJECT_DIR if path.is_relative_to(PROJECT_DIR) else path if path.is_dir() else path.parent
            yield file.relative_to(root).as_posix(), file
