"""Debian mirrors read from apt's configuration."""

from collections.abc import Callable
from pathlib import Path

import pytest

from support.apt_mirrors import MIRROR_VARIABLE, debian_mirrors

Write = Callable[[str, str], Path]


@pytest.fixture(autouse=True)
def _no_chosen_mirror(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(MIRROR_VARIABLE, raising=False)


def mirrors(tmp_path: Path) -> list[str]:
    return debian_mirrors(tmp_path / "apt", tmp_path / "scripts")


def test_mirrors_are_read_from_deb822_sources(tmp_path: Path, write: Write) -> None:
    write(
        "apt/sources.list.d/debian.sources",
        "Types: deb\n# a comment\nURIs: http://one.test/debian\n  http://two.test/debian/\n"
        "Suites: bookworm bookworm-updates\nComponents: main\n\n"
        "Types: deb\nURIs: http://security.test/debian-security\nSuites: bookworm-security\n\n"
        "Enabled: no\nTypes: deb\nURIs: http://off.test/debian\nSuites: bookworm\n",
    )
    assert mirrors(tmp_path) == ["http://one.test/debian", "http://two.test/debian"]


def test_mirrors_come_from_a_one_line_list(tmp_path: Path, write: Write) -> None:
    write(
        "apt/sources.list",
        "# deb http://off.test/debian bookworm main\n"
        "deb [arch=amd64 signed-by=/k.gpg] https://one.test/debian trixie main contrib\n"
        "deb-src https://one.test/debian trixie main\n"
        "deb http://archive.derivative.test/ubuntu noble main\n",
    )
    assert mirrors(tmp_path) == ["https://one.test/debian"]


def test_file_of_mirrors_that_cloud_images_use(tmp_path: Path, write: Write) -> None:
    listed = write("mirrors.list", "https://one.test/debian\npriority:2\n")
    write("apt/sources.list.d/x.sources", f"Types: deb\nURIs: mirror+file:{listed}\nSuites: trixie\n")
    assert mirrors(tmp_path) == ["https://one.test/debian"]


def test_chosen_mirror_comes_first_and_debootstraps_own_last(
    tmp_path: Path, write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(MIRROR_VARIABLE, "http://chosen.test/debian/")
    write("apt/sources.list", "deb http://apt.test/debian sid main\n")
    write("scripts/sid", "mirror_style release\ndefault_mirror http://default.test/debian\n")
    assert mirrors(tmp_path) == ["http://chosen.test/debian", "http://apt.test/debian", "http://default.test/debian"]


def test_without_sources_there_are_no_mirrors(tmp_path: Path) -> None:
    assert mirrors(tmp_path) == []
