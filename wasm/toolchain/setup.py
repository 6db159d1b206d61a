"""The setup step: the toolchain and the sources, without compiling."""

from collections.abc import Mapping
from pathlib import Path

from wasm.toolchain import variants
from wasm.toolchain.emscripten.choice import choose
from wasm.toolchain.sources import registry
from wasm.toolchain.sources.fetch import fetch_patched


def prepare(source_overrides: Mapping[str, Path]) -> None:
    """Find or install the toolchain, and fetch the sources into the user cache.

    Raises:
        BuildError: a step failed.
    """
    choose(variants.load().emscripten)
    fetch_patched(registry.load_for_programs(), source_overrides)
