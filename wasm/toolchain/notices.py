"""THIRD_PARTY_NOTICES.txt of a module: the licenses of the compiled code."""

from collections.abc import Mapping
from pathlib import Path

from support.errors import BuildError
from wasm.toolchain.emscripten.toolchain import Toolchain
from wasm.toolchain.sources.registry import Component, Sources

FILE_NAME = "THIRD_PARTY_NOTICES.txt"
# File names of licenses in the components.
LICENSE_PATTERNS = ("LICENSE*", "COPYING*", "NOTICE*")
RULE = "=" * 100


class NoLicenseTextError(BuildError):
    """A component's terms cannot be quoted: its sources have no license file."""


def write_notices(directory: Path, sources: Sources, directories: Mapping[str, Path], toolchain: Toolchain) -> None:
    """Write the notices of all components and of the toolchain's runtime into `directory`.

    Args:
        directory: the module's directory.
        sources: the contents of sources.toml.
        directories: the source directory of each component.
        toolchain: the toolchain that links the module.

    Raises:
        NoLicenseTextError: a component has no license file.
        ToolchainError: the toolchain has none.
    """
    parts = ["This WebAssembly module is made of the following components.\n"]
    for name, component in sorted(sources.components.items()):
        parts.append(notice(_title(component), license_texts(directories[name], name)))
    parts.append(notice(f"Runtime of {toolchain.identity}", toolchain.runtime_licenses()))
    (directory / FILE_NAME).write_text("\n".join(parts))


def notice(title: str, texts: list[str]) -> str:
    return "\n".join([RULE, title, RULE, *texts])


def license_texts(directory: Path, name: str) -> list[str]:
    """Return the texts of a component's license files.

    Raises:
        NoLicenseTextError: the component has none.
    """
    files = sorted({file for pattern in LICENSE_PATTERNS for file in directory.glob(pattern) if file.is_file()})
    if not files:
        raise NoLicenseTextError(
            f"{name} has no license file to quote",
            where=str(directory),
            hint=f"keep its file named {' or '.join(LICENSE_PATTERNS)}",
        )
    return [file.read_text(errors="replace").strip() + "\n" for file in files]


def _title(component: Component) -> str:
    origin = f", {component.git}" if component.git else ""
    return f"{component.name} {component.revision} ({component.license}){origin}"
