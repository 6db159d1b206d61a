"""wasm/tests/kernels/*expectations.toml: which of TFLite's tests run, and known failures of their cases."""

import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from support.errors import BuildError
from support.paths import PROJECT_DIR

DIRECTORY = PROJECT_DIR / "wasm" / "tests" / "kernels"
# For the tests of the kernels, and for those of XNNPACK's delegate.
REGISTRY_FILES = (DIRECTORY / "expectations.toml", DIRECTORY / "xnnpack_expectations.toml")
# Prefix of the latter's programs.
XNNPACK_PREFIX = "xnnpack_"
CASE_KEYS = {"files", "cases", "reason"}


class RegistryError(BuildError):
    """A file of expectations has a bad or missing key."""


@dataclass(frozen=True)
class CaseRule:
    """A remark on cases of some test files. Names are patterns with `*`."""

    files: tuple[str, ...]
    cases: tuple[str, ...]
    reason: str

    def is_about(self, file: str) -> bool:
        """Return whether the rule applies to a test file."""
        return any(fnmatchcase(file, pattern) for pattern in self.files)

    def matches(self, file: str, case: str) -> bool:
        """Return whether the rule applies to a case."""
        return self.is_about(file) and any(fnmatchcase(case, pattern) for pattern in self.cases)


@dataclass(frozen=True)
class Registry:
    """All files of expectations.

    Attributes:
        files: the test files that run.
        left_out: reasons by omitted test file.
        skipped: rules of skipped cases.
        failing: rules of cases whose failure is not this project's.
    """

    files: tuple[str, ...]
    left_out: dict[str, str]
    skipped: tuple[CaseRule, ...]
    failing: tuple[CaseRule, ...]

    def select(self, patterns: Sequence[str]) -> list[str]:
        """Return the files that match one of the patterns; without patterns, all.

        Raises:
            RegistryError: a pattern matches nothing.
        """
        for pattern in patterns:
            if not any(_is_meant(file, pattern) for file in self.files):
                raise RegistryError(f"no kernel test is called {pattern!r}", where=str(DIRECTORY))
        return [file for file in self.files if not patterns or any(_is_meant(file, pattern) for pattern in patterns)]

    def skipped_cases(self, file: str) -> list[CaseRule]:
        return [rule for rule in self.skipped if rule.is_about(file)]

    def why_failing(self, file: str, case: str) -> str | None:
        """Return the reason of a known failure; None for other cases."""
        return next((rule.reason for rule in self.failing if rule.matches(file, case)), None)


def load(paths: Sequence[Path] = REGISTRY_FILES) -> Registry:
    """Read the registry.

    Raises:
        RegistryError: a key is missing or unknown; the message names it.
    """
    parts = [_load(path) for path in paths]
    return Registry(
        tuple(file for part in parts for file in part.files),
        {file: reason for part in parts for file, reason in part.left_out.items()},
        tuple(rule for part in parts for rule in part.skipped),
        tuple(rule for part in parts for rule in part.failing),
    )


def _load(path: Path) -> Registry:
    table = tomllib.loads(path.read_text())
    try:
        left_out = {file: row["reason"] for row in table["left_out"] for file in row["files"]}
        registry = Registry(
            tuple(table["files"]), left_out, _rules(table, "skipped", path), _rules(table, "failing", path)
        )
    except (KeyError, TypeError) as error:
        raise RegistryError(f"bad or missing key: {error}", where=str(path)) from error
    both = set(registry.files) & registry.left_out.keys()
    if both:
        raise RegistryError(f"{min(both)} is both run and left out", where=str(path))
    return registry


def _rules(table: dict[str, Any], name: str, path: Path) -> tuple[CaseRule, ...]:
    rows: list[dict[str, Any]] = table.get(name, [])
    for row in rows:
        if row.keys() != CASE_KEYS:
            raise RegistryError(f"a row of {name} has not just {', '.join(sorted(CASE_KEYS))}", where=str(path))
    return tuple(CaseRule(tuple(row["files"]), tuple(row["cases"]), row["reason"]) for row in rows)


def _is_meant(file: str, pattern: str) -> bool:
    return fnmatchcase(file, pattern) or fnmatchcase(file, f"{pattern}_test")
