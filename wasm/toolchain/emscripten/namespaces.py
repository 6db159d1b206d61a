"""Mount namespaces for commands: as root, in a user namespace, or through sudo."""

import os
import shutil
from collections.abc import Sequence
from dataclasses import dataclass

from support.command import CommandError, NotRootError, run

AS_ROOT = ("unshare", "--mount")
USER_NAMESPACE = ("unshare", "--user", "--map-root-user", "--map-auto", "--mount")
PROBE_SECONDS = 10
NATIVE_HINT = "put the pinned emcc on PATH and set TFLITE_WEBNN_TOOLCHAIN=native"


@dataclass(frozen=True)
class Entry:
    """The command prefix that enters a new mount namespace as root."""

    title: str
    prefix: tuple[str, ...]
    # A user namespace cannot create devices: debootstrap then binds the host's.
    environment: dict[str, str]
    # The user for chroot, if files must not belong to root.
    userspec: str


def entry() -> Entry:
    """Return the least privileged prefix that works on this machine.

    Raises:
        NotRootError: none works; the message says what to install.
    """
    if os.geteuid() == 0:
        if works(AS_ROOT):
            return Entry("root", AS_ROOT, {}, "")
        raise NotRootError(
            "a private Debian directory needs to mount, which this container does not allow",
            hint=f"start the container with --privileged, or {NATIVE_HINT}",
        )
    if works(USER_NAMESPACE):
        return Entry("user namespace", USER_NAMESPACE, {"container": "lxc"}, "")
    if shutil.which("sudo"):
        return Entry("sudo", ("sudo", "unshare", "--mount"), {}, f"{os.getuid()}:{os.getgid()}")
    raise NotRootError(
        "a private Debian directory needs root, sudo or user namespaces, and this machine has none of them",
        hint=f"install uidmap and give this user a range in /etc/subuid and /etc/subgid, or {NATIVE_HINT}",
    )


def works(prefix: Sequence[str]) -> bool:
    """Return whether this user may enter the namespace."""
    try:
        run([*prefix, "true"], quiet=True, timeout_seconds=PROBE_SECONDS)
    except CommandError:
        return False
    return True
