"""The setup step: the toolchain and the sources, without compiling anything."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from wasm.toolchain import variants
from wasm.toolchain.emscripten.choice import choose
from wasm.toolchain.sources import registry
from wasm.toolchain.sources.fetch import fetch


def prepare(source_overrides: Mapping[str, Path], *, keep_archive: bool) -> None:
    """Make or find the toolchain, and fetch the sources into the user cache.

    Raises:
        BuildError: one of its kinds, saying what failed, where, and how to mend it.
    """
    choose(variants.load().emscripten)
    fetch(registry.load(), source_overrides, keep_archive=keep_archive)
