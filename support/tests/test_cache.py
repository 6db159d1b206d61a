"""The user cache: entries are created once, atomically."""

import hashlib
import os
import threading
import time
from pathlib import Path

import filelock
import pytest

from support import cache
from support.console import console

WAIT_SECONDS = 20.0


def test_an_entry_is_created_once(cache_dir: Path) -> None:
    created: list[Path] = []

    def create(path: Path) -> None:
        created.append(path)
        path.write_text("content")

    first = cache.get("kind/entry", create, title="an entry")
    second = cache.get("kind/entry", create, title="an entry")
    assert first == second == cache_dir / "kind" / "entry"
    assert first.read_text() == "content"
    assert len(created) == 1


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
    created: list[Path] = []

    def create(path: Path) -> None:
        created.append(path)
        time.sleep(0.2)
        path.touch()

    threads = [threading.Thread(target=cache.get, args=("e", create), kwargs={"title": "e"}) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(created) == 1


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


def test_integrity_is_the_sha_384_in_base64(tmp_path: Path) -> None:
    """The example of FIPS 180."""
    (tmp_path / "a").write_bytes(b"abc")
    known = "ywB1P0WjXou1oD1pmsZQBycsMqsO3tFjGotgWkP/W+2AhgcroefMI1i67KE0yCWn"
    assert cache.subresource_integrity(tmp_path / "a") == f"sha384-{known}"


def test_only_bytes_and_names_matter_outside_of_the_checkout(tmp_path: Path) -> None:
    for directory in ("one", "two"):
        (tmp_path / directory / "sub").mkdir(parents=True)
        (tmp_path / directory / "sub" / "a").write_text("1")
    assert cache.content_hash([tmp_path / "one"]) == cache.content_hash([tmp_path / "two"])
    assert cache.content_hash([tmp_path / "one", tmp_path / "one" / "sub"]) == cache.content_hash([tmp_path / "one"])


def test_paths_matter_within_the_checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "PROJECT_DIR", tmp_path)
    files = [tmp_path / directory / "a" for directory in ("two", "one")]
    for file in files:
        file.parent.mkdir()
        file.write_bytes(b"1")
    assert cache.content_hash(files[:1]) != cache.content_hash(files[1:])
    of_one = hashlib.sha256(b"1").hexdigest()
    text = f"extra one/a\0{of_one}\ntwo/a\0{of_one}\n"
    assert cache.content_hash(files, extra="extra ") == hashlib.sha256(text.encode()).hexdigest()[:16]


def test_compiled_python_is_not_hashed(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("1")
    before = cache.content_hash([tmp_path])
    (tmp_path / "__pycache__").mkdir()
    (tmp_path / "__pycache__" / "a.pyc").write_text("2")
    assert cache.content_hash([tmp_path]) == before


def test_files_are_hashed_with_sha256(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"abc\r\n")
    assert cache.file_sha256(tmp_path / "a") == hashlib.sha256(b"abc\r\n").hexdigest()


def test_directories_files_and_links_are_removed_but_not_what_a_link_names(tmp_path: Path) -> None:
    directory = tmp_path / "directory"
    directory.mkdir()
    (directory / "file").touch()
    link = tmp_path / "link"
    link.symlink_to(directory)
    cache.remove(link)
    assert not os.path.lexists(link)
    assert (directory / "file").exists()
    cache.remove(directory / "file")
    assert list(directory.iterdir()) == []
    (directory / "file").touch()
    cache.remove(directory)
    assert not directory.exists()
    cache.remove(directory)


def test_a_locked_entry_is_waited_for_with_a_message(cache_dir: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another thread holds the lock, as another process would, until the message is there."""
    (cache_dir / "locks").mkdir(parents=True)
    held, printed, released = threading.Event(), threading.Event(), threading.Event()
    lines: list[str] = []

    def note(line: str) -> None:
        lines.append(line.strip())
        printed.set()

    def hold() -> None:
        with filelock.FileLock(cache_dir / "locks" / "kind__entry.lock"):
            held.set()
            printed.wait(WAIT_SECONDS)
            released.set()

    def create(entry: Path) -> None:
        assert released.is_set()
        entry.touch()

    monkeypatch.setattr(console, "print", note)
    threading.Thread(target=hold).start()
    held.wait(WAIT_SECONDS)
    cache.get("kind/entry", create, title="an entry")
    assert lines[0] == "waiting for another process: an entry"
    lines.clear()
    with cache.locked("kind/entry", title="an entry"):
        assert lines == []


def test_making_an_entry_is_printed(cache_dir: Path, capsys: pytest.CaptureFixture[str]) -> None:
    cache.get("kind/entry", Path.mkdir, title="Making an entry")
    assert "Making an entry" in capsys.readouterr().err
    assert cache.get("kind/entry", Path.mkdir, title="Making an entry") == cache_dir / "kind" / "entry"
    assert capsys.readouterr().err == ""
