"""Versions and notes of a release."""

from pathlib import Path

import pytest

from support.npm import package_version
from tools.release import changelog, release
from tools.release.changelog import ChangelogError
from tools.release.release import VersionError

TEXT = """# Changelog

## [Unreleased]

### Added
- next

## [0.2.0] - 2026-11-22

### Fixed
- second

## [0.1.0] - 2026-01-01
- first

[0.2.0]: https://example.org/0.2.0
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "CHANGELOG.md"
    path.write_text(TEXT)
    return path


def test_notes_are_the_section_of_the_version(file: Path) -> None:
    assert changelog.notes("0.2.0", file) == "### Fixed\n- second"
    assert changelog.notes("0.1.0", file) == "- first"


def test_a_version_without_a_section_has_the_unreleased_notes(file: Path) -> None:
    assert changelog.notes("0.3.0", file) == "### Added\n- next"
    assert not changelog.has_section("0.3.0", file)


def test_the_notes_name_the_compiler(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(changelog, "notes", lambda version: f"- the changes of {version}")
    variants = {name: {"toolchain": "Emscripten 3.1.69 of Debian trixie"} for name in ("simd", "simd-threads")}
    expected = "# tflite-webnn 0.2.0\n\n- the changes of 0.2.0\n\nCompiled by Emscripten 3.1.69 of Debian trixie.\n"
    assert release.notes("0.2.0", {"variants": variants}) == expected


def test_no_notes_are_an_error(file: Path) -> None:
    file.write_text("# Changelog\n\n## [Unreleased]\n")
    with pytest.raises(ChangelogError, match="write them below"):
        changelog.notes("0.3.0", file)


def test_another_version_than_the_checkouts_is_an_error() -> None:
    with pytest.raises(VersionError, match=f"this checkout is version {package_version()}, not 99.0.0"):
        release.make("99.0.0")


def test_a_version_to_publish_needs_its_section(monkeypatch: pytest.MonkeyPatch, file: Path) -> None:
    monkeypatch.setattr(release, "package_version", lambda: "0.3.0")
    monkeypatch.setattr(changelog.has_section, "__defaults__", (file,))
    monkeypatch.setattr(release, "PACKAGE_FILE", file.parent / "package.json")
    (file.parent / "package.json").write_text('{ "repository": "github:owner/name" }')
    with pytest.raises(VersionError, match=r"no section for 0\.3\.0"):
        release.make("0.3.0")


def test_nothing_is_published_without_a_public_repository(monkeypatch: pytest.MonkeyPatch, file: Path) -> None:
    monkeypatch.setattr(release, "package_version", lambda: "0.2.0")
    monkeypatch.setattr(release, "PACKAGE_FILE", file.parent / "package.json")
    (file.parent / "package.json").write_text('{ "version": "0.2.0" }')
    with pytest.raises(VersionError, match="the address of the public repository is not set"):
        release.make("0.2.0")


def test_hidden_files_are_not_released(tmp_path: Path) -> None:
    (tmp_path / ".stamp").write_text("1")
    (tmp_path / "a.mjs").write_text("")
    (tmp_path / "a.txt").write_text("")
    assert list(release.integrity(tmp_path)) == ["a.mjs"]
