"""Paths of the checkout, of generated files, and of the shared cache."""

import os
from pathlib import Path

import platformdirs

PROJECT_DIR = Path(__file__).resolve().parents[1]
BUILD_DIR = PROJECT_DIR / "build"
PACKAGE_DIR = BUILD_DIR / "package"
# Modules for certain models, and their package.
SELECTED_DIR = BUILD_DIR / "selected"

CACHE_VARIABLE = "TFLITE_WEBNN_CACHE"


def cache_dir() -> Path:
    """Return the user's cache directory for downloads, toolchains and compiled artefacts (not created here)."""
    chosen = os.environ.get(CACHE_VARIABLE)
    return Path(chosen).expanduser().resolve() if chosen else Path(platformdirs.user_cache_dir("tflite-webnn"))


def artefact_dir(variant: str, root: Path | None = None) -> Path:
    """Return the directory of one variant's module, e.g. build/wasm/simd; `root` replaces build."""
    return (root or BUILD_DIR) / "wasm" / variant
