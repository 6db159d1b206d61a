"""The locks of Python packages are current, and an outdated one is reported."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from tools import bootstrap
from tools.locks import lock_files
from tools.locks.lock_files import OutdatedLockError


def test_the_locks_are_those_of_pyproject() -> None:
    lock_files.check()


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"ruff==', '"ruff==9'),
        ('    "ruff', '    "added==1.0",\n    "ruff'),
        ("lock = [", 'fresh = ["a==1"]\nlock = ['),
    ],
    ids=["changed", "added", "new_group"],
)
def test_an_outdated_lock_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, old: str, new: str) -> None:
    text = bootstrap.PROJECT_FILE.read_text()
    assert old in text
    (tmp_path / "pyproject.toml").write_text(text.replace(old, new))
    monkeypatch.setattr(bootstrap, "PROJECT_FILE", tmp_path / "pyproject.toml")
    with pytest.raises(
        OutdatedLockError, match=r"pyproject\.toml has other packages in the group (lint|fresh)"
    ) as error:
        lock_files.check()
    assert error.value.hint == "run `python3 -m tools.locks` and commit the result"


def test_writing_keeps_comments_of_lists_and_drops_the_locks_of_former_groups(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    commands: list[list[str]] = []

    def compile_lock(command: Sequence[str | Path], **_: object) -> None:
        commands.append([str(word) for word in command])
        Path(command[-1]).write_text("a==1 \\\n    --hash=sha256:00\n")

    (tmp_path / "pyproject.toml").write_text('[dependency-groups]\none = ["a==1"]\n')
    (tmp_path / "locks").mkdir()
    (tmp_path / "locks" / "former.txt").touch()
    (tmp_path / "lists").mkdir()
    (tmp_path / "lists" / "tools.txt").write_text("# why\na==1\n")
    monkeypatch.setattr(bootstrap, "PROJECT_FILE", tmp_path / "pyproject.toml")
    monkeypatch.setattr(bootstrap, "LOCKS_DIR", tmp_path / "locks")
    monkeypatch.setattr(lock_files, "COMPLETE_LISTS", [tmp_path / "lists"])
    monkeypatch.setattr(lock_files, "run", compile_lock)
    lock_files.write(upgrade=False)
    assert [file.name for file in (tmp_path / "locks").iterdir()] == ["one.txt"]
    assert (tmp_path / "lists" / "tools.txt").read_text() == "# why\na==1 \\\n    --hash=sha256:00\n"
    assert all("--generate-hashes" in command for command in commands)
    assert "--no-deps" in commands[-1]
    lock_files.check()
