"""Debian's source archive as an origin: only the parts of it that hold the components are downloaded.

An .xz file is a row of blocks that decompress on their own, so each part is one HTTP range of complete blocks.
"""

import io
import shutil
import tarfile
import time
import urllib.request
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from http import HTTPStatus
from http.client import HTTPException
from pathlib import Path
from typing import Any
from urllib.error import HTTPError

from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TransferSpeedColumn

from support import debian
from support.apt_mirrors import MIRROR_VARIABLE, debian_mirrors
from support.command import CommandError, run
from support.console import console
from support.errors import BuildError
from wasm.toolchain.sources import selection
from wasm.toolchain.sources.registry import Archive, ArchivePart, Component

XZ_HEADER = b"\xfd7zXZ\0\0\x04\xe6\xd6\xb4\x46"  # of a file with CRC64, xz's default
CHUNK_BYTES = 1 << 18
TIMEOUT_SECONDS = 30
TRIES = 3  # of a part, while no byte of it comes
SECONDS_BETWEEN_TRIES = 1.0
PRINTED_EVERY_BYTES = 20_000_000  # if the output is not a terminal

OnReceived = Callable[[int], None]


class ArchiveError(BuildError):
    """The archive's parts cannot be downloaded or unpacked."""


class PartError(Exception):
    """A mirror does not serve parts of files, or serves another file."""


# After these, another mirror may serve the right bytes. With others, the packagers' patches cannot be reverted.
MIRROR_ERRORS = (
    PartError,
    OSError,
    HTTPException,
    tarfile.TarError,
    CommandError,
    selection.SourceHashError,
    selection.SourceFileMissingError,
)


def fetch(
    archive: Archive, components: Sequence[Component], directory: Path, admit: Callable[[Component, Path], None]
) -> None:
    """Download and unpack components into `directory`, and call `admit` with each one and its root.

    Raises:
        SourceHashError: the mirrors that have the archive served other bytes than the pinned ones.
        ArchiveError: no Debian mirror served them; each mirror's error is in the message.
    """
    missing = list(components)
    failures = []
    other_bytes = None
    with _progress(missing) as show:
        for mirror in debian_mirrors():
            url = f"{mirror}/{archive.pool_path}"
            try:
                while missing:
                    admit(missing[0], _fetch_component(url, archive, missing[0], directory, partial(show, missing)))
                    missing.pop(0)
                return
            except MIRROR_ERRORS as error:
                failures.append(f"{mirror}: {error}")
                console.print(f"    mirror failed: {failures[-1]}", markup=False, soft_wrap=True)
                if isinstance(error, selection.SourceHashError):
                    other_bytes = error
    if other_bytes:
        raise other_bytes
    raise ArchiveError(
        "\n  ".join(["no Debian mirror served the source archive", *(failures or ["no mirror is configured"])]),
        where=archive.pool_path,
        hint="make the upstream git hosts reachable, set http_proxy if this machine needs a proxy, set "
        f"{MIRROR_VARIABLE} to a Debian mirror, or provide every component as --source NAME=DIR",
    )


def _fetch_component(
    url: str, archive: Archive, component: Component, directory: Path, on_received: OnReceived
) -> Path:
    root = directory / component.name
    shutil.rmtree(root, ignore_errors=True)  # of another mirror's attempt
    prefix = f"{archive.root}/{component.archive_path}/"
    stream = io.BufferedReader(_Stream(_members(url, component.archive_parts, on_received)), CHUNK_BYTES)
    with tarfile.open(fileobj=stream, mode="r|", bufsize=CHUNK_BYTES) as tar:
        for member in tar:
            name = member.name.removeprefix(prefix)
            if not member.isfile() or name == member.name or ".." in name.split("/"):
                continue
            if selection.is_needed(component, name):
                content = tar.extractfile(member)
                assert content is not None
                (root / name).parent.mkdir(parents=True, exist_ok=True)
                (root / name).write_bytes(content.read())
    _revert_patches(component, root)
    return root


class _Stream(io.RawIOBase):
    """A file of an iterator's bytes."""

    def __init__(self, chunks: Iterator[bytes]) -> None:
        self._chunks = chunks
        self._chunk = io.BytesIO()

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        while not (count := self._chunk.readinto(buffer)):
            chunk = next(self._chunks, None)
            if chunk is None:
                return 0
            self._chunk = io.BytesIO(chunk)
        return count


def _members(url: str, parts: Sequence[ArchivePart], on_received: OnReceived) -> Iterator[bytes]:
    """Yield the tar members of the parts, decompressed while they arrive."""
    try:
        import lzma  # missing if Python was compiled without liblzma
    except ImportError as error:
        raise ArchiveError(
            "this Python has no module lzma, which unpacks the source archive",
            hint="run build.py with your system's Python, or install liblzma-dev and compile Python again",
        ) from error
    received = 0
    for part in parts:
        decompressor = lzma.LZMADecompressor(lzma.FORMAT_XZ)
        decompressor.decompress(XZ_HEADER)
        position = 0
        for chunk in _download(url, part):
            received += len(chunk)
            on_received(received)
            try:
                data = decompressor.decompress(chunk)
            except lzma.LZMAError as error:
                raise PartError(f"bytes {part.begin} to {part.end} are damaged: {error}") from error
            yield data[max(part.tar_begin - position, 0) : max(part.tar_end - position, 0)]
            position += len(data)
        if position < part.tar_end:
            raise PartError(f"bytes {part.begin} to {part.end} hold {position} bytes of tar, not {part.tar_end}")


def _download(url: str, part: ArchivePart) -> Iterator[bytes]:
    """Yield the bytes of a part; after a dropped connection, continue where it stopped."""
    position, failures = part.begin, 0
    while position < part.end:
        request = urllib.request.Request(url, headers={"Range": f"bytes={position}-{part.end - 1}"})
        try:
            with urllib.request.urlopen(request, timeout=TIMEOUT_SECONDS) as response:
                if response.status != HTTPStatus.PARTIAL_CONTENT:
                    raise PartError("the server does not serve parts of files")
                while chunk := response.read(CHUNK_BYTES):
                    position, failures = position + len(chunk), 0
                    yield chunk
            if position < part.end:
                raise ConnectionError(f"the connection ended at byte {position} of {part.end}")
        except (OSError, HTTPException) as error:
            failures += 1
            if failures == TRIES or isinstance(error, HTTPError):
                raise
            time.sleep(SECONDS_BETWEEN_TRIES)


def _revert_patches(component: Component, root: Path) -> None:
    """Revert the packagers' changes, which the archive carries as patches, last one first."""
    if not component.archive_patches:
        return
    debian.ensure_program("patch", "patch", why="unpacking the source archive")
    depth = len(Path(component.archive_path).parts) + 1
    for patch in sorted((root / component.archive_patches).iterdir(), reverse=True):
        command = [
            "patch",
            "--reverse",
            "--batch",
            "--no-backup-if-mismatch",
            f"--strip={depth}",
            "--input",
            str(patch),
        ]
        run(command, cwd=root, quiet=True)
    shutil.rmtree(root / component.archive_patches)


@contextmanager
def _progress(components: Sequence[Component]) -> Iterator[Callable[[Sequence[Component], int], None]]:
    """Yield a function that shows the progress: the missing components, and how many bytes of the first one came."""
    total = _size(components)
    columns = (TextColumn("    {task.description}"), BarColumn(), DownloadColumn(), TransferSpeedColumn())
    printed = 0
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as progress:
        task = progress.add_task("source archive", total=total)

        def show(missing: Sequence[Component], received: int) -> None:
            nonlocal printed
            done = total - _size(missing) + received
            progress.update(task, completed=done)
            if not console.is_terminal and (done - printed >= PRINTED_EVERY_BYTES or done == total):
                printed = done
                console.print(f"    source archive: {done / 1e6:.0f} of {total / 1e6:.0f} MB")

        yield show


def _size(components: Sequence[Component]) -> int:
    return sum(part.end - part.begin for component in components for part in component.archive_parts)
