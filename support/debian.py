"""Debian packages of this machine, installed through its own apt configuration."""

import shutil
from collections.abc import Sequence

from support.command import as_root, run
from support.errors import BuildError


class NoAptError(BuildError):
    """A program is missing, and this machine has no apt to install it."""


def install(packages: Sequence[str], *, why: str) -> None:
    """Install Debian packages with apt (as root or by sudo).

    Raises:
        NoAptError: the machine has no apt-get.
        NotRootError: neither root nor sudo is available; the message has the command to type.
        CommandError: apt failed.
    """
    names = list(packages)
    if not shutil.which("apt-get"):
        raise NoAptError(f"{why} needs {', '.join(names)}", hint="install them with your system's package manager")
    environment = {"DEBIAN_FRONTEND": "noninteractive"}
    install_command = as_root(["apt-get", "install", "--yes", "--no-install-recommends", *names])
    run(as_root(["apt-get", "update", "--quiet"]), env=environment, quiet=True, timeout_seconds=600)
    run(install_command, env=environment, timeout_seconds=1800)


def ensure_program(program: str, package: str, *, why: str) -> None:
    """Install a package if its program is not on PATH."""
    if not shutil.which(program):
        install([package], why=why)
