"""Installs browsers from package registries: the headless shell with WebNN, and Debian's Chromium.

The npm package @sparticuz/chromium has Chromium's headless shell, compressed with Brotli, with WebNN's TFLite
backend. It lacks shared libraries; those of Debian's chromium package fit.
"""

import shutil
import tempfile
from pathlib import Path

import brotli

from support import cache, debian
from support.command import CommandError, run
from support.download import fetch_npm
from support.paths import cache_dir
from web_tests.models.package_assets import HashMismatchError, read_member

NPM_NAME = "@sparticuz/chromium"
NPM_VERSION = "147.0.0"
SHELL_SHA256 = "bf7d8699042e0e1768ee136c19cf666371f74a39c8b6cfb246d15b3aa18c30ce"
SHELL_ENTRY = f"browsers/headless-shell-{NPM_VERSION}"
# The same package's software GL: the GPU process starts without a graphics card.
GL_MEMBER = "package/bin/swiftshader.tar.br"
GL_SHA256 = "ae92ae784bf5ac9a87eba490c0051116a897a305bf66a9e2e6fa8a7b2e72e755"


def shell_path() -> Path:
    """Return the headless shell's path."""
    return cache_dir() / SHELL_ENTRY / "chromium"


def install_shell() -> Path:
    """Download and unpack the headless shell once, install its libraries if missing, and return its path.

    Raises:
        HashMismatchError: the registry serves another file than the pinned one.
        CommandError, NotRootError, NoAptError: npm or apt failed.
    """
    cache.get(SHELL_ENTRY, _unpack_shell, title=f"headless shell with WebNN ({NPM_NAME} {NPM_VERSION})")
    missing = missing_libraries(shell_path())
    if missing:
        debian.install(["chromium"], why=f"the headless shell lacks {', '.join(missing)}, which it brings: it")
    return shell_path()


def install_debian_chromium() -> None:
    """Install Debian's Chromium, the browser without WebNN, if it is missing."""
    debian.ensure_program("chromium", "chromium", why="the browser without WebNN")


def missing_libraries(program: Path) -> list[str]:
    """Return the shared libraries that the dynamic linker does not find; none without ldd."""
    if not shutil.which("ldd"):
        return []
    try:
        listing = run(["ldd", program], capture=True, quiet=True)
    except CommandError:
        return []
    return [line.split()[0] for line in listing.splitlines() if line.rstrip().endswith("not found")]


def _unpack_shell(directory: Path) -> None:
    directory.mkdir(parents=True)
    with tempfile.TemporaryDirectory(prefix="tflite-webnn-") as download:
        archive = fetch_npm(NPM_NAME, NPM_VERSION, Path(download))
        compressed = read_member(archive, "package/bin/chromium.br")
        libraries = brotli.decompress(read_member(archive, GL_MEMBER))
    program, packed = directory / "chromium", directory / "libraries.tar"
    program.write_bytes(brotli.decompress(compressed))
    packed.write_bytes(libraries)
    _check(program, SHELL_SHA256)
    _check(packed, GL_SHA256)
    program.chmod(program.stat().st_mode | 0o111)
    # With tar: the Python of Debian 12 lacks tarfile's safe filter.
    run(["tar", "--extract", "--no-same-owner", "--file", packed, "--directory", directory], quiet=True)
    packed.unlink()


def _check(file: Path, expected: str) -> None:
    found = cache.file_sha256(file)
    if found != expected:
        raise HashMismatchError(
            f"{file.name} of {NPM_NAME} {NPM_VERSION} is not the pinned file: its SHA-256 is {found}, not {expected}",
            hint="check the package's contents; if they are right, change the hash in browsers/downloads.py",
        )
