"""The contents of variants.toml: the pinned compiler and the flags of each module."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from support.errors import BuildError, UsageError
from support.paths import PROJECT_DIR, artefact_dir
from wasm.toolchain.selection.selection import EVERYTHING, Selection

VARIANTS_FILE = PROJECT_DIR / "wasm" / "variants.toml"
# Optional keys of a variant; each is a CMake variable of the same name in capitals.
FURTHER_FLAGS = ("object_flags", "runtime_compile_flags", "own_compile_flags", "link_flags")


class VariantError(BuildError):
    """variants.toml has a bad key, or lacks a requested variant."""


@dataclass(frozen=True)
class EmscriptenPin:
    """The compiler's version, and Debian's packages of it.

    Attributes:
        version: that of Emscripten, whatever its origin.
        debian_suite: the suite that has it.
        debian_packages: what is installed, with everything that it depends on.
        debian_versions: the versions of the packages that determine what is compiled, by name.
    """

    version: str
    debian_suite: str
    debian_packages: tuple[str, ...]
    debian_versions: Mapping[str, str]


@dataclass(frozen=True)
class Variant:
    """One module: its name and all flags.

    Attributes:
        name: also the name of its directory in build/wasm.
        title: for tables.
        compile_flags: for every file, common ones first.
        release_flags: optimization flags for every file.
        relaxed_simd: whether it has XNNPACK's relaxed SIMD microkernels.
        packaged: whether it belongs to "all", for pages.
        threads_of: the variant whose objects this one links, with threads; None for a variant with its own objects.
        object_flags: further flags for every file, but not for the link.
        runtime_compile_flags: further flags for TensorFlow Lite and Abseil.
        own_compile_flags: further flags for the delegate and the runner.
        link_flags: further flags, which override those of wasm/runtime/CMakeLists.txt.
        selection: its ops and delegates.
    """

    name: str
    title: str
    compile_flags: tuple[str, ...]
    release_flags: tuple[str, ...]
    relaxed_simd: bool
    packaged: bool = True
    threads_of: str | None = None
    object_flags: tuple[str, ...] = ()
    runtime_compile_flags: tuple[str, ...] = ()
    own_compile_flags: tuple[str, ...] = ()
    link_flags: tuple[str, ...] = ()
    selection: Selection = EVERYTHING

    @property
    def objects(self) -> str:
        """The variant whose objects it links."""
        return self.threads_of or self.name

    @property
    def flags(self) -> dict[str, tuple[str, ...]]:
        """The flags by kind, without empty kinds."""
        kinds = ("compile_flags", "release_flags", *FURTHER_FLAGS)
        return {kind: getattr(self, kind) for kind in kinds if getattr(self, kind)}


@dataclass(frozen=True)
class Variants:
    """The content of variants.toml."""

    emscripten: EmscriptenPin
    variants: dict[str, Variant]

    def select(self, names: list[str] | tuple[str, ...]) -> list[Variant]:
        """Return the named variants; "all" means every packaged one.

        Raises:
            UsageError: there is no variant of that name.
        """
        if "all" in names:
            return [variant for variant in self.variants.values() if variant.packaged]
        for name in names:
            if name not in self.variants:
                raise UsageError(f"no variant {name!r}", where=str(VARIANTS_FILE), hint=f"one of: {self._names()}")
        return [self.variants[name] for name in dict.fromkeys(names)]

    def _names(self) -> str:
        return ", ".join([*self.variants, "all"])


def load(path: Path = VARIANTS_FILE) -> Variants:
    """Read variants.toml.

    Raises:
        VariantError: a key is missing or unknown; the message names it.
    """
    table = tomllib.loads(path.read_text())
    try:
        pin = table["emscripten"]
        common = table["common"]
        return Variants(
            EmscriptenPin(**{**pin, "debian_packages": tuple(pin["debian_packages"])}),
            {name: _variant(name, row, table["variants"], common) for name, row in table["variants"].items()},
        )
    except (KeyError, TypeError) as error:
        raise VariantError(f"bad or missing key: {error}", where=str(path)) from error


def packaged_variants() -> list[str]:
    """Return the names of the variants in the package."""
    return [variant.name for variant in load().select(["all"])]


def built_variants() -> list[str]:
    """Return those of the package's variants that build/wasm has."""
    return [name for name in packaged_variants() if (artefact_dir(name) / "manifest.json").exists()]


def _variant(name: str, row: dict[str, Any], rows: dict[str, Any], common: dict[str, list[str]]) -> Variant:
    if "threads_of" in row:
        row = {**rows[row["threads_of"]], **row}  # the same objects, so the same flags
    unknown = row.keys() - ({field.name for field in fields(Variant)} - {"name", "release_flags", "selection"})
    if unknown:
        raise KeyError(f"variants.{name}.{min(unknown)}")
    kinds: dict[str, tuple[str, ...]] = {kind: tuple(row.get(kind, ())) for kind in FURTHER_FLAGS}
    return Variant(
        name=name,
        title=str(row["title"]),
        compile_flags=(*common["compile_flags"], *row["compile_flags"]),
        release_flags=tuple(common["release_flags"]),
        relaxed_simd=bool(row["relaxed_simd"]),
        packaged=bool(row.get("packaged", True)),
        threads_of=row.get("threads_of"),
        object_flags=kinds["object_flags"],
        runtime_compile_flags=kinds["runtime_compile_flags"],
        own_compile_flags=kinds["own_compile_flags"],
        link_flags=kinds["link_flags"],
    )
