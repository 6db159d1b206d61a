"""Fixtures, shared with the toolchain's tests: an empty user cache, and programs on PATH that log their arguments."""

from wasm.toolchain.tests.conftest import cache_dir, programs, write

__all__ = ["cache_dir", "programs", "write"]
