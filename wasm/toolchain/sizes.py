"""Sizes of the modules, compared with sizes.toml: its limit, and the recorded sizes."""

import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from support.paths import PROJECT_DIR
from wasm.toolchain import manifest

SIZES_FILE = PROJECT_DIR / "wasm" / "sizes.toml"
WASM = "tflite_webnn.wasm"


@dataclass(frozen=True)
class Size:
    """A module's size in bytes, as it is and compressed by `gzip -9`."""

    size_bytes: int
    gzip_size_bytes: int


@dataclass(frozen=True)
class Sizes:
    """The contents of sizes.toml: the limit of all modules, and each one's recorded size."""

    gzip_limit_bytes: int
    written: dict[str, Size]


def load(path: Path = SIZES_FILE) -> Sizes:
    table = tomllib.loads(path.read_text())
    limit = table.pop("gzip_limit_bytes")
    return Sizes(limit, {name: Size(**row) for name, row in table.items()})


def measure(directory: Path) -> Size:
    """Return a module's size from its manifest."""
    row = manifest.read_manifest(directory)["files"][WASM]
    return Size(row["size_bytes"], row["gzip_size_bytes"])


def too_large(sizes: Sizes, found: dict[str, Size]) -> list[str]:
    return [name for name, size in found.items() if size.gzip_size_bytes > sizes.gzip_limit_bytes]


def table(sizes: Sizes, found: dict[str, Size]) -> str:
    """Return a line for each variant: its size, its recorded size, the growth, and what is left of the limit."""
    header = ("variant", "bytes", "was", "grown by", "gzip", "was", "grown by", "left")
    return "\n".join(_line(cells) for cells in [header, *(_row(name, size, sizes) for name, size in found.items())])


def _row(name: str, size: Size, sizes: Sizes) -> tuple[str, ...]:
    left = f"{sizes.gzip_limit_bytes - size.gzip_size_bytes:,}"
    was = sizes.written.get(name)
    uncompressed = _growth(size.size_bytes, was.size_bytes if was else None)
    compressed = _growth(size.gzip_size_bytes, was.gzip_size_bytes if was else None)
    return (name, *uncompressed, *compressed, left)


def _growth(now: int, was: int | None) -> tuple[str, str, str]:
    return (f"{now:,}", "-", "-") if was is None else (f"{now:,}", f"{was:,}", f"{now - was:,}")


def _line(cells: Iterable[str]) -> str:
    first, *others = cells
    return f"{first:<22}" + "".join(f"{cell:>12}" for cell in others)
