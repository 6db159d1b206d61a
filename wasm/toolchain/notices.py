"""THIRD_PARTY_NOTICES.txt beside a module: the licences of the compiled code."""

from collections.abc import Mapping
from pathlib import Path

from support.errors import BuildError
from wasm.toolchain.emscripten.toolchain import Toolchain
from wasm.toolchain.sources.registry import Component, Sources

FILE_NAME = "THIRD_PARTY_NOTICES.txt"
# File names of licences in the components.
LICENCE_PATTERNS = ("LICENSE*", "COPYING*", "NOTICE*")
RULE = "=" * 100


class NoLicenceTextError(BuildError):
    """A component's terms cannot be quoted: its sources have no licence file."""


def write_notices(folder: Path, sources: Sources, directories: Mapping[str, Path], toolchain: Toolchain) -> None:
    """Write the notices of all components and of the toolchain's runtime into `folder`.

    Args:
        folder: the module's folder.
        sources: the contents of sources.toml.
        directories: the source folder of each component.
        toolchain: the toolchain that links the module.

    Raises:
        NoLicenceTextError: a component has no licence file.
        ToolchainError: the toolchain has none.
    """
    parts = ["This WebAssembly module is made of the following components.\n"]
    for name, component in sorted(sources.components.items()):
        parts.append(notice(_title(component), licence_texts(directories[name], name)))
    parts.append(notice(f"Runtime of {toolchain.identity}", toolchain.runtime_licences()))
    (folder / FILE_NAME).write_text("\n".join(parts))


def notice(title: str, texts: list[str]) -> str:
    return "\n".join([RULE, title, RULE, *texts])


def licence_texts(directory: Path, name: str) -> list[str]:
    """Return the texts of a component's licence files.

    Raises:
        NoLicenceTextError: the component has none.
    """
    files = sorted({file for pattern in LICENCE_PATTERNS for file in directory.glob(pattern) if file.is_file()})
    if not files:
        raise NoLicenceTextError(
            f"{name} has no licence file to quote",
            where=str(directory),
            hint=f"keep its file named {' or '.join(LICENCE_PATTERNS)}",
        )
    return [file.read_text(errors="replace").strip() + "\n" for file in files]


def _title(component: Component) -> str:
    origin = f", {component.git}" if component.git else ""
    return f"{component.name} {component.revision} ({component.licence}){origin}"
