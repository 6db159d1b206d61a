"""What variants.toml says: the pinned compiler and the flags of each module."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path

from wasm.toolchain.support.errors import BuildError
from wasm.toolchain.support.paths import PROJECT_DIR

VARIANTS_FILE = PROJECT_DIR / "wasm" / "variants.toml"


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
    """One module: its name and all compile flags, the common ones first."""

    name: str
    title: str
    compile_flags: tuple[str, ...]
    release_flags: tuple[str, ...]
    relaxed_simd: bool


@dataclass(frozen=True)
class Variants:
    """The whole of variants.toml."""

    emscripten: EmscriptenPin
    variants: dict[str, Variant]

    def select(self, names: list[str] | tuple[str, ...]) -> list[Variant]:
        """Return the named variants; "all" is every one.

        Raises:
            VariantError: there is no variant of that name.
        """
        if "all" in names:
            return list(self.variants.values())
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
            {name: _variant(name, row, common) for name, row in table["variants"].items()},
        )
    except (KeyError, TypeError) as error:
        raise VariantError(f"bad or missing key: {error}", where=str(path)) from error


def _variant(name: str, row: dict[str, object], common: dict[str, list[str]]) -> Variant:
    own_flags = row["compile_flags"]
    assert isinstance(own_flags, list)
    unknown = row.keys() - {"title", "compile_flags", "relaxed_simd"}
    if unknown:
        raise KeyError(f"variants.{name}.{min(unknown)}")
    return Variant(
        name=name,
        title=str(row["title"]),
        compile_flags=(*common["compile_flags"], *own_flags),
        release_flags=tuple(common["release_flags"]),
        relaxed_simd=bool(row["relaxed_simd"]),
    )
