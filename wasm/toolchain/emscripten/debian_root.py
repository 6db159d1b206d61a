"""Emscripten in a private Debian root directory: the compiler of developers, CI and releases.

debootstrap makes the directory in the user's cache; a mount namespace and chroot enter it. The machine's own
system stays unchanged, except that debootstrap is installed if it is missing. Debian's Emscripten
has its system libraries in its own frozen cache, so EM_CACHE is never set.
"""

import os
import re
import shlex
import shutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from rich.markup import escape

from support import cache, debian
from support.apt_mirrors import MIRROR_VARIABLE, debian_mirrors
from support.command import CommandError, run
from support.console import console
from support.paths import cache_dir
from wasm.toolchain import variants
from wasm.toolchain.emscripten import namespaces, terms
from wasm.toolchain.emscripten.toolchain import BuildPaths, InsidePaths, ToolchainError
from wasm.toolchain.variants import EmscriptenPin

BOOTSTRAP_SECONDS = 1800
KEYRING = Path("/usr/share/keyrings/debian-archive-keyring.gpg")
DEBIAN_EMSCRIPTEN = "usr/share/emscripten"
REBUILD = re.compile(r"\+b\d+$")  # of a package that is compiled again for one processor
# Fixed names: compiler cache and results do not depend on the checkout's path.
INSIDE = InsidePaths(*(PurePosixPath(f"/{name}") for name in ("project", "sources", "generated", "build", "ccache")))


@dataclass(frozen=True)
class DebianRootToolchain:
    """Programs of a Debian root directory."""

    root: Path
    title: str
    identity: str

    def inside(self, paths: BuildPaths) -> InsidePaths:
        """Return the fixed names of the mounted directories."""
        del paths
        return INSIDE

    def has_ccache(self) -> bool:
        """Return True: the root contains it."""
        return True

    def runtime_licenses(self) -> list[str]:
        """Return the Debian package's terms of the linked code."""
        return terms.license_texts(self.root / DEBIAN_EMSCRIPTEN, self.root / terms.DEBIAN_COPYRIGHT)

    def run(
        self,
        command: Sequence[str],
        paths: BuildPaths,
        *,
        env: Mapping[str, str] | None = None,
        on_line: Callable[[str], None] | None = None,
    ) -> None:
        """Run a program inside, with the directories mounted, as the present user."""
        run(enter_command(self.root, command, paths, env or {}), quiet=True, on_line=on_line)


def make(pin: EmscriptenPin) -> DebianRootToolchain:
    """Return the root directory; create it in the user cache if it is missing.

    Raises:
        ToolchainError: debootstrap failed with every mirror, or the suite has other versions now.
        NotRootError: neither root nor sudo is available; the message has the command to type.
    """

    def create(temporary: Path) -> None:
        try:
            _bootstrap(pin, temporary)
            check_versions(pin, temporary)
        except BaseException:
            delete(temporary)
            raise

    title = f"Emscripten {pin.version} in a private Debian {pin.debian_suite} root"
    return DebianRootToolchain(cache.get(_entry(pin), create, title=f"Making {title}"), title, pinned_identity(pin))


def pinned_identity(pin: EmscriptenPin) -> str:
    """Return the compiler's version and those of its packages, as pinned."""
    packages = ", ".join(f"{name} {version}" for name, version in sorted(pin.debian_versions.items()))
    return f"Emscripten {pin.version} of Debian {pin.debian_suite}: {packages}"


def delete(root: Path) -> None:
    """Delete a root directory; its files may belong to users of the namespace only."""
    if root.exists():
        run([*namespaces.entry().prefix, "rm", "-rf", "--one-file-system", str(root)], quiet=True)


def exists(pin: EmscriptenPin) -> bool:
    """Return whether the root directory exists."""
    return directory(pin).exists()


def directory(pin: EmscriptenPin) -> Path:
    """Return the root directory's path."""
    return cache_dir() / _entry(pin)


def _entry(pin: EmscriptenPin) -> str:
    contents = cache.content_hash([], " ".join([pinned_identity(pin), *pin.debian_packages]))
    return f"toolchain/debian-{pin.debian_suite}-emscripten-{pin.version}-{contents}"


def _bootstrap(pin: EmscriptenPin, directory: Path) -> None:
    search_path = f"{os.environ['PATH']}:/usr/sbin:/sbin"
    if not (
        shutil.which("debootstrap", path=search_path) and shutil.which("gpgv", path=search_path) and KEYRING.exists()
    ):
        debian.install(["debootstrap", "debian-archive-keyring", "gpgv"], why="making a private Debian root")
    entry = namespaces.entry()
    environment = [f"{name}={text}" for name, text in {"PATH": search_path, **entry.environment}.items()]
    failures = []
    for mirror in debian_mirrors():
        delete(directory)
        options = ["--variant=minbase", f"--include={','.join(pin.debian_packages)}"]
        # Without these, debootstrap only warns where it finds no keyring, and then verifies nothing.
        signed = ["--force-check-gpg", f"--keyring={KEYRING}"]
        debootstrap = ["debootstrap", *signed, *options, pin.debian_suite, str(directory), mirror]
        try:
            _run_shown([*entry.prefix, "env", *environment, *debootstrap])
        except CommandError as error:
            failures.append(f"  {mirror}: {error}")
        else:
            run([*entry.prefix, "mkdir", "-p", *(f"{directory}{name}" for name in _mount_points())], quiet=True)
            return
    raise ToolchainError(
        "debootstrap failed with every Debian mirror\n" + "\n".join(failures or ["  no mirror is configured"]),
        hint=f"set {MIRROR_VARIABLE} to a Debian mirror, or use your own emcc: TFLITE_WEBNN_TOOLCHAIN=native",
    )


def _run_shown(command: Sequence[str]) -> None:
    """Run debootstrap; its hundreds of lines share one line of the terminal."""
    with console.status("debootstrap") as status:
        run(
            command,
            quiet=True,
            timeout_seconds=BOOTSTRAP_SECONDS,
            on_line=lambda line: status.update(escape(line[:100])),
        )


def check_versions(pin: EmscriptenPin, root: Path) -> None:
    """Compare the packages of a root directory with the pinned ones.

    Raises:
        ToolchainError: the suite has other versions now.
    """
    stanzas = (root / "var" / "lib" / "dpkg" / "status").read_text(errors="replace").split("\n\n")
    rows = [dict(re.findall(r"^(Package|Version): (.*)$", stanza, re.M)) for stanza in stanzas]
    found = {row["Package"]: REBUILD.sub("", row["Version"]) for row in rows if row.keys() == {"Package", "Version"}}
    differing = {name: found.get(name, "missing") for name, version in pin.debian_versions.items()}
    differing = {name: version for name, version in differing.items() if version != pin.debian_versions[name]}
    if differing:
        lines = [f"  {name}: {version}, pinned is {pin.debian_versions[name]}" for name, version in differing.items()]
        raise ToolchainError(
            "\n".join([f"Debian {pin.debian_suite} has other versions of the compiler's packages", *lines]),
            where=str(variants.VARIANTS_FILE),
            hint=f"set debian_versions to these, or use your own emcc {pin.version}: TFLITE_WEBNN_TOOLCHAIN=native",
        )


def _mount_points() -> list[str]:
    return [str(path) for path in (INSIDE.project, INSIDE.sources, INSIDE.generated, INSIDE.build, INSIDE.ccache)]


def enter_command(root: Path, command: Sequence[str], paths: BuildPaths, env: Mapping[str, str]) -> list[str]:
    """Return the command that runs another one inside `root`: a mount namespace, the mounts, chroot."""
    entry = namespaces.entry()
    user = [f"--userspec={entry.userspec}"] if entry.userspec else []
    variables = {"PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": "/tmp", "LANG": "C.UTF-8", **env}
    inner = ["env", "-i", *(f"{key}={value}" for key, value in variables.items()), *command]
    chroot = shutil.which("chroot") or "/usr/sbin/chroot"
    script = " && ".join([*_mounts(root, paths), f"exec {shlex.join([chroot, *user, str(root), *inner])}"])
    return [*entry.prefix, "sh", "-c", script]


def _mounts(root: Path, paths: BuildPaths) -> list[str]:
    sources = f"{root}{INSIDE.sources}"
    binds = {
        f"{root}{INSIDE.project}": paths.project,
        f"{root}{INSIDE.generated}": paths.generated,
        f"{root}{INSIDE.build}": paths.build,
        f"{root}{INSIDE.ccache}": paths.ccache,
        **{f"{sources}/{name}": directory for name, directory in paths.sources.items()},
    }
    # The components' mount points are on this namespace's own file system, so the root stays unchanged.
    points = [f"{sources}/{name}" for name in paths.sources]
    return [
        f"mount -t tmpfs tmpfs {shlex.quote(sources)}",
        shlex.join(["mkdir", "-p", *points]),
        *(shlex.join(["mount", "--bind", str(outside), inside]) for inside, outside in binds.items()),
        # A bind mount: a user namespace may not mount proc for the processes of another one.
        *(shlex.join(["mount", "--rbind", directory, f"{root}{directory}"]) for directory in ("/proc", "/dev")),
        shlex.join(["mount", "-t", "tmpfs", "tmpfs", f"{root}/tmp"]),
    ]
