"""The TypeScript tests, as one pytest test."""

from __future__ import annotations

from js import bundle


def test_vitest() -> None:
    bundle.unit_tests()
