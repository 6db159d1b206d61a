"""The Debian source archive as an origin: one download with every component."""

import shutil
import subprocess
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TransferSpeedColumn

from tools.support import debian
from tools.support.apt_mirrors import MIRROR_VARIABLE, debian_mirrors
from tools.support.cache import file_sha256, locked, remove
from tools.support.command import CommandError, run
from tools.support.console import console, step
from tools.support.errors import BuildError
from tools.support.paths import cache_dir
from wasm.toolchain.sources.registry import Archive, Component

APT_HELPER = Path("/usr/lib/apt/apt-helper")
DOWNLOAD_SECONDS = 3600
POLL_SECONDS = 0.5


class ArchiveError(BuildError):
    """The archive cannot be downloaded or unpacked."""


def download(archive: Archive) -> Path:
    """Return the verified archive in the user cache; download or resume it if needed.

    Raises:
        ArchiveError: no Debian mirror served it with the pinned sha256; each mirror's answer is in the message.
    """
    relative = f"downloads/{Path(archive.pool_path).name}"
    path = cache_dir() / relative
    with locked(relative, title="download of the source archive"):
        if path.exists() and path.stat().st_size == archive.size_bytes and file_sha256(path) == archive.sha256:
            return path
        if not APT_HELPER.exists():
            raise ArchiveError("this machine has no apt, which downloads the source archive", mend=_other_ways())
        answers = []
        for mirror in debian_mirrors():
            try:
                _download(f"{mirror}/{archive.pool_path}", path, archive)
                return path
            except CommandError as error:
                remove(path.with_name(f"{path.name}.FAILED"))
                answers.append(f"  {mirror}: {(error.tail or error.what).splitlines()[-1]}")
        raise ArchiveError(
            "no Debian mirror served the source archive\n" + "\n".join(answers or ["  no mirror is configured"]),
            where=archive.pool_path,
            mend=_other_ways(),
        )


def unpack(archive: Archive, path: Path, components: Sequence[Component], folder: Path) -> None:
    """Unpack only the components into `folder`, with the archive's layout.

    Raises:
        ArchiveError: xz or tar failed.
    """
    for program, package in (("xz", "xz-utils"), ("tar", "tar"), ("patch", "patch")):
        debian.ensure_program(program, package, why="unpacking the source archive")
    folder.mkdir(parents=True, exist_ok=True)
    members = [f"{archive.root}/{member}" for component in components for member in _members(component)]
    # tar assigns a file to the first name that covers it and reports a later one as missing: inner names come first.
    members.sort(key=len, reverse=True)
    unxz = subprocess.Popen(["xz", "--threads=0", "--decompress", "--stdout", path], stdout=subprocess.PIPE)
    tar = ["tar", "--extract", "--directory", str(folder), "--strip-components=1", "--no-same-owner", *members]
    unpacked = subprocess.run(tar, stdin=unxz.stdout, stderr=subprocess.PIPE, text=True, check=False)
    assert unxz.stdout is not None
    unxz.stdout.close()
    if unxz.wait() or unpacked.returncode:
        raise ArchiveError(f"cannot unpack the source archive\n{unpacked.stderr.strip()}", where=str(path))
    for component in components:
        _take_back_patches(component, folder / component.archive_path)


def _members(component: Component) -> list[str]:
    names = [*component.keep, *([component.archive_patches] if component.archive_patches else [])]
    return [f"{component.archive_path}/{name}".rstrip("/") for name in names]


def _take_back_patches(component: Component, root: Path) -> None:
    """Revert the packagers' changes, which the archive carries as patches, last one first."""
    if not component.archive_patches:
        return
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


def _download(uri: str, path: Path, archive: Archive) -> None:
    # apt-helper resumes a partial file, follows the machine's proxy and credentials, and checks the hash itself.
    options = ["-o", "APT::Sandbox::User=root", "-o", "Acquire::Retries=2", "-o", "Acquire::http::Timeout=30"]
    command = [str(APT_HELPER), *options, "download-file", uri, str(path), f"SHA256:{archive.sha256}"]
    with step(f"downloading the source archive, {archive.size_bytes / 1e6:.0f} MB"), _progress(path, archive):
        run(command, quiet=True, timeout_seconds=DOWNLOAD_SECONDS)


@contextmanager
def _progress(path: Path, archive: Archive) -> Iterator[None]:
    """Show the growth of a file that another program writes."""
    columns = (TextColumn("    {task.description}"), BarColumn(), DownloadColumn(), TransferSpeedColumn())
    done = threading.Event()
    with Progress(*columns, console=console, transient=True) as progress:
        task = progress.add_task(path.name, total=archive.size_bytes)

        def watch() -> None:
            while not done.wait(POLL_SECONDS):
                progress.update(task, completed=path.stat().st_size if path.exists() else 0)

        watcher = threading.Thread(target=watch, daemon=True)
        watcher.start()
        try:
            yield
        finally:
            done.set()
            watcher.join()


def _other_ways() -> str:
    return (
        "make the upstream git hosts reachable, set "
        f"{MIRROR_VARIABLE} to a Debian mirror, or give every component as --source NAME=DIR"
    )
