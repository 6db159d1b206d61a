"""Emscripten in a private Debian root folder: what remains where emsdk's downloads cannot be reached.

The folder is made by debootstrap in the user's cache and entered by a mount namespace and chroot. Nothing of the
machine's own system is changed, except that debootstrap itself is installed where it is missing.
"""

from __future__ import annotations

import os
import shlex
import shutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from wasm.toolchain.emscripten.toolchain import InsidePlaces, Places, ToolchainError
from wasm.toolchain.support import cache, debian
from wasm.toolchain.support.apt_mirrors import debian_mirrors
from wasm.toolchain.support.command import CommandError, as_root, run
from wasm.toolchain.variants import EmscriptenPin

BOOTSTRAP_SECONDS = 1800
# Fixed names, so that compiler cache and results do not depend on where a checkout lies.
INSIDE = InsidePlaces(*(PurePosixPath(f"/{name}") for name in ("project", "sources", "generated", "build", "ccache")))


@dataclass(frozen=True)
class DebianRootToolchain:
    """Programs of a Debian root folder."""

    root: Path
    title: str
    identity: str

    def inside(self, places: Places) -> InsidePlaces:
        """Return the fixed names under which the places are mounted."""
        del places
        return INSIDE

    def has_ccache(self) -> bool:
        """Return True: the root has it."""
        return True

    def run(
        self,
        command: Sequence[str],
        places: Places,
        *,
        env: Mapping[str, str] | None = None,
        on_line: Callable[[str], None] | None = None,
    ) -> None:
        """Run a program inside, the places mounted, as the user who runs the build."""
        run(enter_command(self.root, command, places, env or {}), quiet=True, on_line=on_line)


def make(pin: EmscriptenPin) -> DebianRootToolchain:
    """Return the root folder, made in the user cache when it is not there.

    Raises:
        ToolchainError: debootstrap failed with every mirror.
        NotRootError: neither root nor sudo is at hand; the message has the command to type.
    """

    def create(folder: Path) -> None:
        debian.ensure_program("debootstrap", "debootstrap", why="making a private Debian root")
        _bootstrap(pin, folder)

    root = cache.get(
        _entry(pin), create, title=f"Making a Debian {pin.debian_suite} root with Emscripten {pin.version}"
    )
    title = f"Emscripten {pin.version} in a private Debian {pin.debian_suite} root"
    return DebianRootToolchain(root, title, f"debian-{pin.debian_suite}-{pin.version}")


def exists(pin: EmscriptenPin) -> bool:
    """Tell whether the root folder has been made."""
    return (cache.cache_dir() / _entry(pin)).exists()


def _entry(pin: EmscriptenPin) -> str:
    return f"toolchain/debian-{pin.debian_suite}-emscripten-{pin.version}"


def _bootstrap(pin: EmscriptenPin, folder: Path) -> None:
    answers = []
    for mirror in debian_mirrors():
        cache.remove(folder)
        packages = f"--include={','.join(pin.debian_packages)}"
        command = ["debootstrap", "--variant=minbase", packages, pin.debian_suite, str(folder), mirror]
        try:
            run(as_root(command), timeout_seconds=BOOTSTRAP_SECONDS)
        except CommandError as error:
            answers.append(f"  {mirror}: {error.what}")
        else:
            _make_mount_points(folder)
            return
    raise ToolchainError(
        "debootstrap failed with every Debian mirror\n" + "\n".join(answers or ["  no mirror is configured"]),
        mend="install Emscripten yourself (emsdk) and put emcc on PATH, or set EMSDK",
    )


def _make_mount_points(folder: Path) -> None:
    run(as_root(["mkdir", "-p", *(f"{folder}{name}" for name in _mount_points())]), quiet=True)


def _mount_points() -> list[str]:
    return [str(path) for path in (INSIDE.project, INSIDE.sources, INSIDE.generated, INSIDE.build, INSIDE.ccache)]


def enter_command(root: Path, command: Sequence[str], places: Places, env: Mapping[str, str]) -> list[str]:
    """Return the command that runs another one inside `root`: a mount namespace, the mounts, chroot."""
    user = f"{os.getuid()}:{os.getgid()}"
    variables = {"PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": "/tmp", "LANG": "C.UTF-8", **env}
    inner = ["env", "-i", *(f"{key}={value}" for key, value in variables.items()), *command]
    chroot = shutil.which("chroot") or "/usr/sbin/chroot"
    script = " && ".join(
        [*_mounts(root, places), f"exec {shlex.join([chroot, f'--userspec={user}', str(root), *inner])}"]
    )
    return as_root(["unshare", "--mount", "sh", "-c", script])


def _mounts(root: Path, places: Places) -> list[str]:
    sources = f"{root}{INSIDE.sources}"
    binds = {
        places.project: f"{root}{INSIDE.project}",
        places.generated: f"{root}{INSIDE.generated}",
        places.build: f"{root}{INSIDE.build}",
        places.ccache: f"{root}{INSIDE.ccache}",
        **{folder: f"{sources}/{name}" for name, folder in places.sources.items()},
    }
    # The components' mount points lie on a file system of this namespace alone, so the root stays as it is.
    points = [f"{sources}/{name}" for name in places.sources]
    return [
        f"mount -t tmpfs tmpfs {shlex.quote(sources)}",
        shlex.join(["mkdir", "-p", *points]),
        *(shlex.join(["mount", "--bind", str(outside), inside]) for outside, inside in binds.items()),
        shlex.join(["mount", "-t", "proc", "proc", f"{root}/proc"]),
        shlex.join(["mount", "--rbind", "/dev", f"{root}/dev"]),
        shlex.join(["mount", "-t", "tmpfs", "tmpfs", f"{root}/tmp"]),
    ]
