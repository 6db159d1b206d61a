"""Golden files: compared, and rewritten only by `build.py goldens`."""

from __future__ import annotations

from pathlib import Path

import pytest

from web_tests.references import golden


@pytest.fixture(autouse=True)
def comparing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(golden.UPDATE_VARIABLE, raising=False)


def test_the_same_text_passes(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("text\n")
    golden.check(tmp_path / "a.txt", "text\n")


def test_another_text_fails_and_the_file_stays(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("text\n")
    with pytest.raises(AssertionError, match=r"a\.txt differs.*build\.py goldens"):
        golden.check(tmp_path / "a.txt", "another\n")
    assert (tmp_path / "a.txt").read_text() == "text\n"


def test_a_missing_file_fails(tmp_path: Path) -> None:
    with pytest.raises(AssertionError, match=r"a\.txt is missing.*build\.py goldens"):
        golden.check(tmp_path / "a.txt", "text\n")


def test_the_command_rewrites_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(golden.UPDATE_VARIABLE, "1")
    golden.check(tmp_path / "ops" / "a.txt", "text\n")
    assert (tmp_path / "ops" / "a.txt").read_text() == "text\n"
