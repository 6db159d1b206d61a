"""Emscripten installed on this machine: on PATH, under EMSDK, or by emsdk into the user cache."""

import os
import re
import shutil
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from tools.support import cache
from tools.support.command import CommandError, run
from tools.support.console import console
from tools.support.paths import cache_dir
from wasm.toolchain.emscripten import terms
from wasm.toolchain.emscripten.toolchain import InsidePlaces, Places
from wasm.toolchain.variants import EmscriptenPin

PROBE_SECONDS = 15
INSTALL_SECONDS = 1800


@dataclass(frozen=True)
class NativeToolchain:
    """Programs of this machine; CMake and Ninja are those of the virtual environment."""

    emcc: Path
    title: str
    identity: str

    def inside(self, places: Places) -> InsidePlaces:
        """Return the machine's own names; one folder links to the components."""
        links = places.build / "sources"
        links.mkdir(parents=True, exist_ok=True)
        for name, folder in places.sources.items():
            link = links / name
            link.unlink(missing_ok=True)
            link.symlink_to(folder)
        folders = (places.project, links, places.generated, places.build, places.ccache)
        return InsidePlaces(*(PurePosixPath(folder) for folder in folders))

    def has_ccache(self) -> bool:
        """Return whether ccache is on PATH."""
        return shutil.which("ccache") is not None

    def runtime_licences(self) -> list[str]:
        """Return the licence texts of Emscripten's folder, or of a distribution's package."""
        return terms.licence_texts(self.emcc.resolve().parent, Path("/", terms.DEBIAN_COPYRIGHT))

    def run(
        self,
        command: Sequence[str],
        places: Places,
        *,
        env: Mapping[str, str] | None = None,
        on_line: Callable[[str], None] | None = None,
    ) -> None:
        """Run a program with Emscripten's folder and the virtual environment's programs first on PATH."""
        del places  # nothing needs to be mounted
        path = os.pathsep.join([str(self.emcc.parent), str(Path(sys.executable).parent), os.environ["PATH"]])
        run(command, env={"PATH": path, **(env or {})}, quiet=True, on_line=on_line)


def find(pin: EmscriptenPin) -> NativeToolchain | None:
    """Return the emcc of the pinned version on PATH or under EMSDK; print others, and ignore them."""
    for emcc in candidates():
        found = version_of(emcc)
        if found == pin.version:
            return _toolchain(emcc, pin, f"Emscripten {found} at {emcc}")
        console.print(f"    {emcc} is Emscripten {found or 'of unknown version'}, the build needs {pin.version}")
    return None


def install_emsdk(pin: EmscriptenPin) -> NativeToolchain | None:
    """Return Emscripten installed by emsdk into the user cache; None if emsdk's host does not answer."""
    relative = f"toolchain/emsdk-{pin.version}"
    emcc = cache_dir() / relative / "upstream" / "emscripten" / "emcc"
    if not emcc.exists() and not _answers(pin.emsdk_git):
        return None

    def create(folder: Path) -> None:
        git = ["git", "clone", "--quiet", "--depth=1", "--branch", pin.version, pin.emsdk_git, str(folder)]
        run(git, timeout_seconds=INSTALL_SECONDS)
        run([folder / "emsdk", "install", pin.version], cwd=folder, timeout_seconds=INSTALL_SECONDS)
        run([folder / "emsdk", "activate", pin.version], cwd=folder, timeout_seconds=PROBE_SECONDS)

    try:
        cache.get(relative, create, title=f"Installing Emscripten {pin.version} by emsdk")
    except CommandError as error:
        console.print(f"    emsdk could not install Emscripten {pin.version}: {error.what}", markup=False)
        return None
    return _toolchain(emcc, pin, f"Emscripten {pin.version} by emsdk")


def version_of(emcc: Path) -> str:
    """Return the version that an emcc prints, or an empty string."""
    try:
        text = run([emcc, "--version"], capture=True, quiet=True, timeout_seconds=PROBE_SECONDS)
    except CommandError:
        return ""
    return parse_version(text)


def parse_version(text: str) -> str:
    """Return "3.1.69" from the first line of `emcc --version`, or an empty string."""
    match = re.search(r"\) (\d+\.\d+\.\d+)", text)
    return match[1] if match else ""


def candidates() -> list[Path]:
    """Return the emcc on PATH and the one under EMSDK, whatever their versions."""
    found = [Path(path) for path in [shutil.which("emcc")] if path]
    if "EMSDK" in os.environ:
        found.append(Path(os.environ["EMSDK"]) / "upstream" / "emscripten" / "emcc")
    return [path for path in found if path.exists()]


def _answers(url: str) -> bool:
    try:
        run(
            ["git", "ls-remote", url, "HEAD"],
            env={"GIT_TERMINAL_PROMPT": "0"},
            quiet=True,
            timeout_seconds=PROBE_SECONDS,
        )
    except CommandError:
        return False
    return True


def _toolchain(emcc: Path, pin: EmscriptenPin, title: str) -> NativeToolchain:
    return NativeToolchain(emcc, title, f"native-{pin.version}")
