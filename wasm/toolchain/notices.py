"""THIRD_PARTY_NOTICES.txt beside a module: whose code is compiled in, and under which terms, in their own words."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from tools.support.errors import BuildError
from wasm.toolchain.emscripten.toolchain import Toolchain
from wasm.toolchain.sources.registry import Component, Sources

FILE_NAME = "THIRD_PARTY_NOTICES.txt"
# What the components call the file with their terms.
LICENCE_PATTERNS = ("LICENSE*", "COPYING*", "NOTICE*")
RULE = "=" * 100


class NoLicenceTextError(BuildError):
    """A component's terms cannot be quoted: its sources have no licence file."""


def write_notices(folder: Path, sources: Sources, directories: Mapping[str, Path], toolchain: Toolchain) -> None:
    """Write the notices of all components of sources.toml, and of the toolchain's runtime, into `folder`.

    Args:
        folder: where the module is.
        sources: what sources.toml says.
        directories: where the sources of each component are.
        toolchain: what the module is linked with.

    Raises:
        NoLicenceTextError: a component has no licence file.
        ToolchainError: nor has the toolchain.
    """
    parts = ["This WebAssembly module is made of the following components.\n"]
    for name, component in sorted(sources.components.items()):
        parts.append(notice(_title(component), licence_texts(directories[name], name)))
    parts.append(notice(f"Runtime of {toolchain.identity}", toolchain.runtime_licences()))
    (folder / FILE_NAME).write_text("\n".join(parts))


def notice(title: str, texts: list[str]) -> str:
    """Return one component's entry."""
    return "\n".join([RULE, title, RULE, *texts])


def licence_texts(directory: Path, name: str) -> list[str]:
    """Return the texts of a component's licence files.

    Raises:
        NoLicenceTextError: it has none.
    """
    files = sorted({file for pattern in LICENCE_PATTERNS for file in directory.glob(pattern) if file.is_file()})
    if not files:
        raise NoLicenceTextError(
            f"{name} has no licence file to quote",
            where=str(directory),
            mend=f"keep a file named {' or '.join(LICENCE_PATTERNS)} of it",
        )
    return [file.read_text(errors="replace").strip() + "\n" for file in files]


def _title(component: Component) -> str:
    origin = f", {component.git}" if component.git else ""
    return f"{component.name} {component.revision} ({component.licence}){origin}"
