"""What variants.toml says: the pinned compiler and the flags of each module."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from tools.support.errors import BuildError
from tools.support.paths import PROJECT_DIR
from wasm.toolchain.selection.selection import EVERYTHING, Selection

VARIANTS_FILE = PROJECT_DIR / "wasm" / "variants.toml"
# Keys that a variant may leave out; CMake gets each under its name in capitals.
FURTHER_FLAGS = ("object_flags", "runtime_compile_flags", "own_compile_flags", "link_flags")


class VariantError(BuildError):
    """variants.toml has a bad key, or a variant was asked for that it does not have."""


@dataclass(frozen=True)
class EmscriptenPin:
    """The compiler's version, and where the two places that can provide it are found."""

    version: str
    emsdk_git: str
    debian_suite: str
    debian_packages: tuple[str, ...]


@dataclass(frozen=True)
class Variant:
    """One module: its name and all flags.

    Attributes:
        name: also the folder's, in build/wasm.
        title: for people.
        compile_flags: of every file, the common ones first.
        release_flags: of every file, the optimization.
        relaxed_simd: whether XNNPACK's relaxed SIMD microkernels are in it.
        packaged: whether it is one of "all", for pages.
        threads_of: the variant whose objects this one links, with threads; None for one with objects of its own.
        object_flags: further ones for every file, which its link does not get.
        runtime_compile_flags: further ones for TensorFlow Lite and Abseil.
        own_compile_flags: further ones for the delegate and the runner.
        link_flags: further ones, which win over those of wasm/runner/CMakeLists.txt.
        selection: the ops and delegates that are in it.
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
        """The variant that its objects are compiled for."""
        return self.threads_of or self.name

    @property
    def flags(self) -> dict[str, tuple[str, ...]]:
        """The flags by kind, those kinds that there are."""
        kinds = ("compile_flags", "release_flags", *FURTHER_FLAGS)
        return {kind: getattr(self, kind) for kind in kinds if getattr(self, kind)}


@dataclass(frozen=True)
class Variants:
    """The whole of variants.toml."""

    emscripten: EmscriptenPin
    variants: dict[str, Variant]

    def select(self, names: list[str] | tuple[str, ...]) -> list[Variant]:
        """Return the named variants; "all" is every one that pages load.

        Raises:
            VariantError: there is no variant of that name.
        """
        if "all" in names:
            return [variant for variant in self.variants.values() if variant.packaged]
        for name in names:
            if name not in self.variants:
                raise VariantError(f"no variant {name!r}", where=str(VARIANTS_FILE), mend=f"one of: {self._names()}")
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
