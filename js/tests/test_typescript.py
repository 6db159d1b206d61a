"""The TypeScript tests, as one test of pytest's."""

from __future__ import annotations

from js import bundle


def test_vitest() -> None:
    bundle.unit_tests()
