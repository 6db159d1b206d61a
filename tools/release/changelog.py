"""The notes of a version: its section of CHANGELOG.md, in the format of https://keepachangelog.com."""

import re
from pathlib import Path

from support.errors import BuildError
from support.paths import PROJECT_DIR

CHANGELOG = PROJECT_DIR / "CHANGELOG.md"
UNRELEASED = "Unreleased"
# "## [1.2.0] - 2026-11-22", up to the next one.
SECTION = re.compile(
    r"^## \[(?P<name>[^\]]+)\][^\n]*\n(?P<text>.*?)(?=^## \[|^\[[^\]]+\]: |\Z)", re.MULTILINE | re.DOTALL
)


class ChangelogError(BuildError):
    """CHANGELOG.md says nothing about the version."""


def notes(version: str, path: Path = CHANGELOG) -> str:
    """Return what CHANGELOG.md says about a version, or about the next one if it has no section yet.

    Raises:
        ChangelogError: the file has neither section, or it is empty.
    """
    sections = {match["name"]: match["text"].strip() for match in SECTION.finditer(path.read_text())}
    text = sections.get(version) or sections.get(UNRELEASED)
    if not text:
        raise ChangelogError(
            f"there are no notes for version {version}",
            where=str(path),
            hint=f"write them below `## [{version}]` or `## [{UNRELEASED}]`",
        )
    return text


def has_section(version: str, path: Path = CHANGELOG) -> bool:
    """Whether the version has its own section, as a published one must."""
    return any(match["name"] == version for match in SECTION.finditer(path.read_text()))
