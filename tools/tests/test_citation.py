"""Results of a busy machine, or of other code, do not get into documents."""

from pathlib import Path

import pytest

from support.command import run
from tools.citation import NotCitableError, Row, check

IDLE, BUSY = (0.9, 2.5), (1.1, 1.0)
DAY = "2026-11-27T10:00:00"


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A repository with one commit, in which wasm/ and a document can change."""
    run(["git", "init", "--quiet"], cwd=tmp_path)
    (tmp_path / "wasm").mkdir()
    (tmp_path / "wasm" / "delegate.cc").write_text("1\n")
    (tmp_path / "page.md").write_text("idle; 2026-11-27, revision 0123.\nAs since revision 4567.\n")
    commit(tmp_path)
    return tmp_path


def commit(checkout: Path) -> str:
    run(["git", "add", "."], cwd=checkout)
    identity = ["-c", "user.name=A Tester", "-c", "user.email=tester@example.org"]
    run(["git", *identity, "commit", "--quiet", "--message=one"], cwd=checkout)
    return run(["git", "rev-parse", "HEAD"], cwd=checkout, capture=True).strip()[:12]


def revision(checkout: Path) -> str:
    return run(["git", "rev-parse", "HEAD"], cwd=checkout, capture=True).strip()[:12]


def test_a_result_of_an_idle_machine_and_of_this_code_is_cited(checkout: Path) -> None:
    first = revision(checkout)
    (checkout / "page.md").write_text("another text\n")
    commit(checkout)
    check(checkout / "page.md", [Row(DAY, first, IDLE)], checkout)


def test_a_result_under_load_is_not_cited(checkout: Path) -> None:
    with pytest.raises(NotCitableError, match=r"load average of 1\.1; at most 1 is allowed") as caught:
        check(checkout / "page.md", [Row(DAY, revision(checkout), BUSY)], checkout)
    assert "idle machine" in str(caught.value)


def test_a_result_of_older_code_is_not_cited(checkout: Path) -> None:
    first = revision(checkout)
    (checkout / "wasm" / "delegate.cc").write_text("2\n")
    with pytest.raises(NotCitableError, match=r"wasm/ or js/ has changed since"):
        check(checkout / "page.md", [Row(DAY, first, IDLE)], checkout)
    commit(checkout)
    with pytest.raises(NotCitableError, match=r"wasm/ or js/ has changed since"):
        check(checkout / "page.md", [Row(DAY, first, IDLE)], checkout)


def test_a_result_of_an_unknown_revision_is_not_cited(checkout: Path) -> None:
    with pytest.raises(NotCitableError, match="git does not know the revision"):
        check(checkout / "page.md", [Row(DAY, "89ab", IDLE)], checkout)


def test_a_result_between_commits_is_not_cited(checkout: Path) -> None:
    with pytest.raises(NotCitableError, match="changes that were not committed"):
        check(checkout / "page.md", [Row(DAY, f"{revision(checkout)}+", IDLE)], checkout)


def test_a_page_can_be_written_again_from_its_own_result(checkout: Path) -> None:
    check(checkout / "page.md", [Row(DAY, "0123", BUSY)], checkout)


def test_a_page_keeps_a_result_after_the_code_has_changed(checkout: Path) -> None:
    (checkout / "page.md").write_text("2026-11-29, revision 0123.\n")
    check(checkout / "page.md", [Row("2026-11-29T10:00:00", "0123", IDLE)], checkout)


@pytest.mark.parametrize(("of", "load"), [("0123", BUSY), ("0123+", IDLE)], ids=["load", "changes"])
def test_a_page_does_not_keep_what_breaks_the_rule(checkout: Path, of: str, load: tuple[float, float]) -> None:
    (checkout / "page.md").write_text(f"2026-11-29, revision {of}.\n")
    with pytest.raises(NotCitableError, match=r"load average of 1\.1|not committed"):
        check(checkout / "page.md", [Row("2026-11-29T10:00:00", of, load)], checkout)


@pytest.mark.parametrize(("started", "of"), [(DAY, "4567"), ("2026-11-28T10:00:00", "0123")], ids=["mention", "day"])
def test_another_result_of_a_revision_that_the_page_names_is_checked(checkout: Path, started: str, of: str) -> None:
    with pytest.raises(NotCitableError, match="load average"):
        check(checkout / "page.md", [Row(started, of, BUSY)], checkout)
