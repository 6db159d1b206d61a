"""Fixtures of the shared support's tests."""

from support.tests.conftest import cache_dir, programs, write

__all__ = ["cache_dir", "programs", "write"]
