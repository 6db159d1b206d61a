"""The locks of Python packages are current, and an outdated one is reported."""

from pathlib import Path

import pytest

from tools import bootstrap, lock_files
from tools.lock_files import OutdatedLockError


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
    assert error.value.mend == "run `python3 build.py lock` and commit the result"
