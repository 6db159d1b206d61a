"""The test of each file of TypeScript tests (see vitest_plugin.py)."""

from pathlib import Path

import pytest

from js.vitest import TestResult


def test_every_vitest_test_of_the_file_passes(
    request: pytest.FixtureRequest, vitest_results: dict[Path, list[TestResult]], subtests: pytest.Subtests
) -> None:
    for result in vitest_results[request.path]:
        with subtests.test(result.name):
            if result.failure:
                pytest.fail(result.failure, pytrace=False)
