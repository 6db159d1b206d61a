"""Emscripten that the user has installed: on PATH, or under EMSDK."""

import os
import re
import shutil
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from support.command import CommandError, run
from wasm.toolchain.emscripten import terms
from wasm.toolchain.emscripten.toolchain import BuildPaths, InsidePaths, ToolchainError
from wasm.toolchain.variants import EmscriptenPin

PROBE_SECONDS = 15


@dataclass(frozen=True)
class NativeToolchain:
    """Programs of this machine; CMake and Ninja are those of the virtual environment."""

    emcc: Path
    title: str
    identity: str

    def inside(self, paths: BuildPaths) -> InsidePaths:
        """Return the machine's own names; one directory links to the components."""
        links = paths.build / "sources"
        links.mkdir(parents=True, exist_ok=True)
        for name, directory in paths.sources.items():
            link = links / name
            link.unlink(missing_ok=True)
            link.symlink_to(directory)
        directories = (paths.project, links, paths.generated, paths.build, paths.ccache)
        return InsidePaths(*(PurePosixPath(directory) for directory in directories))

    def has_ccache(self) -> bool:
        """Return whether ccache is on PATH."""
        return shutil.which("ccache") is not None

    def runtime_licenses(self) -> list[str]:
        """Return the license texts of Emscripten's directory, or of a distribution's package."""
        return terms.license_texts(self.emcc.resolve().parent, Path("/", terms.DEBIAN_COPYRIGHT))

    def run(
        self,
        command: Sequence[str],
        paths: BuildPaths,
        *,
        env: Mapping[str, str] | None = None,
        on_line: Callable[[str], None] | None = None,
    ) -> None:
        """Run a program with Emscripten's directory and the virtual environment's programs first on PATH."""
        del paths  # nothing needs to be mounted
        path = os.pathsep.join([str(self.emcc.parent), str(Path(sys.executable).parent), os.environ["PATH"]])
        run(command, env={"PATH": path, **(env or {})}, quiet=True, on_line=on_line)


def find(pin: EmscriptenPin) -> NativeToolchain:
    """Return the emcc of the pinned version on PATH or under EMSDK.

    Raises:
        ToolchainError: there is none; the message has those of other versions.
    """
    others = []
    for emcc in candidates():
        found = version_of(emcc)
        if found == pin.version:
            return NativeToolchain(emcc, f"Emscripten {found} at {emcc}", _identity(emcc))
        others.append(f"  {emcc} is Emscripten {found or 'of unknown version'}")
    raise ToolchainError(
        "\n".join([f"there is no emcc {pin.version} on PATH or under EMSDK", *others]),
        hint=f"`emsdk install {pin.version}` and set EMSDK, or unset TFLITE_WEBNN_TOOLCHAIN to use Debian's Emscripten",
    )


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


def _identity(emcc: Path) -> str:
    """Return the lines about Emscripten and LLVM of `emcc -v`, with their commits or Debian's versions."""
    lines: list[str] = []
    run([emcc, "-v"], quiet=True, timeout_seconds=PROBE_SECONDS, on_line=lines.append)
    return "; ".join(line.strip() for line in lines if line.startswith("emcc ") or "clang version" in line)
