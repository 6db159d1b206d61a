"""Fetching: both origins give the same bytes, wrong bytes leave nothing; overrides; keeping the archive."""

import dataclasses
import shutil
from collections.abc import Sequence
from pathlib import Path

import pytest

from tools.support import command as command_module
from wasm.toolchain.sources import archive_origin, fetch, git_origin, selection
from wasm.toolchain.sources.archive_origin import ArchiveError
from wasm.toolchain.sources.registry import Component, Sources
from wasm.toolchain.sources.selection import SourceFileMissingError, SourceHashError
from wasm.toolchain.tests import fake_sources


@pytest.fixture
def served(tmp_path: Path, cache_dir: Path, monkeypatch: pytest.MonkeyPatch) -> Sources:
    """Two components; the archive is in the user cache, and git answers unless a test overrides that."""
    sources, archive = fake_sources.make(tmp_path / "served")
    (cache_dir / "downloads").mkdir(parents=True)
    shutil.copyfile(archive, cache_dir / "downloads" / "x.tar.xz")
    monkeypatch.setattr(git_origin, "_asked", {})
    return sources


def silence_git(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(git_origin, "answers", lambda component: False)


def names(folder: Path) -> list[str]:
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())


def test_both_origins_give_the_same_files(
    served: Sources, cache_dir: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    by_git = fetch.fetch(served, {}, keep_archive=True)
    assert names(by_git["plain"]) == ["LICENSE", "src/plain.c", "src/windows.h"]
    assert (by_git["plain"] / "src/windows.h").read_bytes() == fake_sources.PLAIN_FILES["src/windows.h"]
    shutil.move(cache_dir / "sources", tmp_path / "by_git")

    silence_git(monkeypatch)
    by_archive = fetch.fetch(served, {}, keep_archive=True)
    assert (by_archive["patched"] / "src/patched.c").read_bytes() == b"int upstream;\n"
    for name, folder in by_archive.items():
        other = tmp_path / "by_git" / folder.name
        component = served.components[name]
        assert selection.content_hash(component, folder) == selection.content_hash(component, other)


def test_a_second_fetch_does_nothing(served: Sources, monkeypatch: pytest.MonkeyPatch) -> None:
    first = fetch.fetch(served, {}, keep_archive=True)
    monkeypatch.setattr(fetch, "_fetch_missing", lambda *_, **__: pytest.fail("fetched again"))
    assert fetch.fetch(served, {}, keep_archive=True) == first


@pytest.mark.parametrize("keep", [True, False])
def test_the_archive_is_kept_only_when_asked(
    served: Sources, cache_dir: Path, monkeypatch: pytest.MonkeyPatch, keep: bool
) -> None:
    silence_git(monkeypatch)
    fetch.fetch(served, {}, keep_archive=keep)
    assert (cache_dir / "downloads" / "x.tar.xz").exists() == keep


@pytest.mark.parametrize("origin", ["git", "archive"])
def test_wrong_bytes_are_refused_and_leave_nothing(
    served: Sources, cache_dir: Path, monkeypatch: pytest.MonkeyPatch, origin: str
) -> None:
    if origin == "archive":
        silence_git(monkeypatch)
    wrong = dataclasses.replace(served.components["plain"], sha256="0" * 64)
    actual = served.components["plain"].sha256
    with pytest.raises(SourceHashError, match=f"component plain: the files have sha256 {actual}, pinned is 0+"):
        fetch.fetch(dataclasses.replace(served, components={"plain": wrong}), {}, keep_archive=False)
    assert list((cache_dir / "sources").iterdir()) == []


def test_an_overridden_component_is_not_fetched(served: Sources, tmp_path: Path, cache_dir: Path) -> None:
    own = tmp_path / "own"
    own.mkdir()
    folders = fetch.fetch(served, {"plain": own}, keep_archive=True)
    assert folders["plain"] == own
    assert [path.name.split("-")[0] for path in (cache_dir / "sources").iterdir()] == ["patched"]


def test_git_that_fails_half_way_is_followed_by_the_archive(
    served: Sources, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    broken = dataclasses.replace(served.components["plain"], revision="0" * 40)
    folders = fetch.fetch(dataclasses.replace(served, components={"plain": broken}), {}, keep_archive=True)
    assert names(folders["plain"]) == ["LICENSE", "src/plain.c", "src/windows.h"]
    assert "upstream git of plain failed" in capsys.readouterr().err


def test_a_host_that_refuses_is_asked_once(served: Sources, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Sequence[str]] = []

    def count(command: Sequence[str], **options: object) -> str:
        asked.append(command)
        return command_module.run(command, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(git_origin, "run", count)
    gone = [fake_sources.component(name, git=f"file://{tmp_path}/gone/{name}", revision="0" * 40) for name in "ab"]
    assert [git_origin.answers(component) for component in gone] == [False, False]
    assert len(asked) == 1


def test_a_missing_folder_is_named(served: Sources, tmp_path: Path) -> None:
    (tmp_path / "LICENSE").touch()
    with pytest.raises(SourceFileMissingError, match="component plain has no src/"):
        selection.kept_files(served.components["plain"], tmp_path)


def test_a_damaged_archive_is_reported(served: Sources, tmp_path: Path) -> None:
    damaged = tmp_path / "damaged.tar.xz"
    damaged.write_bytes(b"not an archive")
    components: list[Component] = list(served.components.values())
    with pytest.raises(ArchiveError, match="cannot unpack the source archive"):
        archive_origin.unpack(served.archive, damaged, components, tmp_path / "out")


def test_the_answer_of_each_mirror_is_reported(
    served: Sources, cache_dir: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (cache_dir / "downloads" / "x.tar.xz").unlink()
    helper = tmp_path / "apt-helper"
    helper.write_text('#!/bin/sh\necho "E: 404 Not Found" >&2\nexit 100\n')
    helper.chmod(0o755)
    monkeypatch.setattr(archive_origin, "APT_HELPER", helper)
    monkeypatch.setattr(archive_origin, "debian_mirrors", lambda: ["http://one.test/debian", "http://two.test/debian"])
    with pytest.raises(ArchiveError) as caught:
        archive_origin.download(served.archive)
    text = str(caught.value)
    assert "http://one.test/debian: E: 404 Not Found" in text
    assert "http://two.test/debian: E: 404 Not Found" in text
    assert "--source NAME=DIR" in text


def test_a_mirrors_file_is_taken(
    served: Sources, cache_dir: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = cache_dir / "downloads" / "x.tar.xz"
    original = path.rename(tmp_path / "served.tar.xz")
    helper = tmp_path / "apt-helper"
    helper.write_text(f'#!/bin/sh\nfor last; do :; done\necho "$@" >> {tmp_path}/log\ncp {original} {path}\n')
    helper.chmod(0o755)
    monkeypatch.setattr(archive_origin, "APT_HELPER", helper)
    monkeypatch.setattr(archive_origin, "debian_mirrors", lambda: ["http://one.test/debian"])
    assert archive_origin.download(served.archive) == path
    call = (tmp_path / "log").read_text()
    assert f"download-file http://one.test/debian/pool/x.tar.xz {path} SHA256:{served.archive.sha256}" in call
