"""Brotli-compressed copies of the site's files, for hosts that send `FILE.br` in place of FILE."""

from pathlib import Path

import brotli

from site_generator.output_directory import OutputDirectory
from support import cache

# What visitors download first; other directories have other libraries, and images.
DIRECTORIES = ("models", "package", "scripts", "styles")
SUFFIXES = {".css", ".html", ".js", ".mjs", ".task", ".tflite", ".wasm"}
MIN_BYTES = 1000
# The largest window that every browser accepts.
WINDOW_BITS = 24
# The best quality takes two seconds a megabyte, and makes models 4 % smaller than the other one.
LARGE_MODEL_BYTES = 1_000_000
BEST, FAST = 11, 9


def add(output: OutputDirectory) -> None:
    """Write `FILE.br` next to each file of the pages and of DIRECTORIES; each content is compressed once."""
    files = [*output.path.glob("*.html"), *(file for name in DIRECTORIES for file in (output.path / name).rglob("*"))]
    for file in files:
        if file.suffix in SUFFIXES and file.stat().st_size >= MIN_BYTES:
            output.copy(_compressed(file), f"{file.relative_to(output.path).as_posix()}.br")


def _compressed(file: Path) -> Path:
    is_large_model = file.parent.name == "models" and file.stat().st_size > LARGE_MODEL_BYTES

    def compress(target: Path) -> None:
        quality = FAST if is_large_model else BEST
        target.write_bytes(brotli.compress(file.read_bytes(), quality=quality, lgwin=WINDOW_BITS))

    key = cache.file_sha256(file)[: cache.HASH_LENGTH]
    return cache.get(f"generated/brotli-{key}.br", compress, title=f"Compressing {file.name}")
