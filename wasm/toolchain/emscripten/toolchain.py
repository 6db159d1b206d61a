"""The build's interface to any toolchain."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Protocol

from support.errors import BuildError


class ToolchainError(BuildError):
    """Emscripten of the pinned version cannot be found or installed."""


@dataclass(frozen=True)
class BuildPaths:
    """The directories of one build, as this machine names them.

    Attributes:
        project: the checkout, read only.
        sources: the directory of each third-party component.
        generated: generated headers.
        build: directory for objects and results.
        ccache: the compiler cache.
    """

    project: Path
    sources: Mapping[str, Path]
    generated: Path
    build: Path
    ccache: Path


@dataclass(frozen=True)
class InsidePaths:
    """The same directories as the toolchain's programs name them; `sources` holds one directory per component."""

    project: PurePosixPath
    sources: PurePosixPath
    generated: PurePosixPath
    build: PurePosixPath
    ccache: PurePosixPath


class Toolchain(Protocol):
    """Emscripten with CMake, Ninja and perhaps ccache."""

    @property
    def title(self) -> str:
        """Its name and where it was found."""
        ...

    @property
    def identity(self) -> str:
        """Its version, LLVM and origin, for keys and the manifest: one identity produces the same results."""
        ...

    def inside(self, paths: BuildPaths) -> InsidePaths:
        """Return the names that the toolchain's programs use for these directories."""
        ...

    def has_ccache(self) -> bool:
        """Return whether `ccache` can be a compiler launcher."""
        ...

    def runtime_licenses(self) -> list[str]:
        """Return the terms of the toolchain's own parts of a module.

        Raises:
            ToolchainError: its license files are missing.
        """
        ...

    def run(
        self,
        command: Sequence[str],
        paths: BuildPaths,
        *,
        env: Mapping[str, str] | None = None,
        on_line: Callable[[str], None] | None = None,
    ) -> None:
        """Run a program of the toolchain, e.g. ``["emcmake", "cmake", ...]``, with inside names.

        Raises:
            CommandError: the program failed; it has the last lines of the output.
        """
        ...
