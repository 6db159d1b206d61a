"""Deleting what was generated."""

from __future__ import annotations

import shutil

from tools.support.console import console
from tools.support.paths import BUILD_DIR, PROJECT_DIR, cache_dir
from wasm.toolchain.emscripten import debian_root


def clean(*, everything: bool) -> None:
    """Delete build/ and the npm packages; with `everything`, the user cache too."""
    js = PROJECT_DIR / "js"
    for folder in (BUILD_DIR, js / "node_modules", *js.glob("*/node_modules")):
        if folder.exists():
            console.print(f"    deleting {folder}")
            shutil.rmtree(folder)
    if everything and cache_dir().exists():
        console.print(f"    deleting {cache_dir()}")
        for root in (cache_dir() / "toolchain").glob("*debian-*"):
            debian_root.delete(root)
        # The packages that this process runs on are among what is deleted: nothing may be imported after this.
        shutil.rmtree(cache_dir())
