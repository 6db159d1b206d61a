"""The user cache: entries are made once, atomically."""

import threading
import time
from pathlib import Path

import pytest

from tools.support import cache


def test_an_entry_is_made_once(cache_dir: Path) -> None:
    made: list[Path] = []

    def create(path: Path) -> None:
        made.append(path)
        path.write_text("content")

    first = cache.get("kind/entry", create, title="an entry")
    second = cache.get("kind/entry", create, title="an entry")
    assert first == second == cache_dir / "kind" / "entry"
    assert first.read_text() == "content"
    assert len(made) == 1


def test_a_failed_entry_leaves_nothing(cache_dir: Path) -> None:
    def create(path: Path) -> None:
        path.mkdir()
        (path / "half").touch()
        raise ValueError("no")

    with pytest.raises(ValueError, match="no"):
        cache.get("kind/entry", create, title="an entry")
    assert list((cache_dir / "kind").iterdir()) == []


def test_what_a_killed_process_left_is_replaced(cache_dir: Path) -> None:
    leftover = cache_dir / "kind" / ".entry.partial"
    leftover.mkdir(parents=True)
    (leftover / "half").touch()
    entry = cache.get("kind/entry", Path.mkdir, title="an entry")
    assert list(entry.iterdir()) == []


@pytest.mark.usefixtures("cache_dir")
def test_only_one_of_many_makes_the_entry() -> None:
    made: list[Path] = []

    def create(path: Path) -> None:
        made.append(path)
        time.sleep(0.2)
        path.touch()

    threads = [threading.Thread(target=cache.get, args=("e", create), kwargs={"title": "e"}) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(made) == 1


def test_content_hash_follows_names_bytes_and_extra(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("1")
    first = cache.content_hash([tmp_path])
    assert cache.content_hash([tmp_path]) == first
    assert cache.content_hash([tmp_path], extra="flag") != first
    (tmp_path / "a").write_text("2")
    assert cache.content_hash([tmp_path]) != first
    (tmp_path / "a").write_text("1")
    (tmp_path / "a").rename(tmp_path / "b")
    assert cache.content_hash([tmp_path]) != first
