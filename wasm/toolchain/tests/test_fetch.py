"""Fetching: both origins return the same bytes, wrong bytes leave nothing; overrides; mirrors that fail."""

import dataclasses
import shutil
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from rich.progress import Progress

from support import command as command_module
from wasm.toolchain.sources import archive_origin, fetch, git_origin, selection
from wasm.toolchain.sources.archive_origin import ArchiveError
from wasm.toolchain.sources.registry import Component, Sources
from wasm.toolchain.sources.selection import SourceFileMissingError, SourceHashError
from wasm.toolchain.tests import fake_sources
from wasm.toolchain.tests.fake_sources import Mirror


@pytest.fixture(scope="module")
def generated(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Sources]:
    """A directory with an archive, and its two components."""
    directory = tmp_path_factory.mktemp("sources")
    return directory, fake_sources.make(directory)


@pytest.fixture
def archive(generated: tuple[Path, Sources], tmp_path: Path) -> Path:
    """The archive in the directory that a mirror serves."""
    (tmp_path / "served").mkdir()
    return Path(shutil.copy(generated[0] / "x.tar.xz", tmp_path / "served"))


@pytest.fixture
def mirror(archive: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Mirror]:
    """The one Debian mirror."""
    with fake_sources.serving(archive.parent) as server:
        monkeypatch.setattr(archive_origin, "debian_mirrors", lambda: [server.url])
        monkeypatch.setattr(archive_origin, "SECONDS_BETWEEN_TRIES", 0)
        yield server


@pytest.fixture
def served(
    generated: tuple[Path, Sources], cache_dir: Path, mirror: Mirror, monkeypatch: pytest.MonkeyPatch
) -> Sources:
    """Two components; a mirror has the archive, and git responds unless a test overrides that."""
    del cache_dir, mirror
    monkeypatch.setattr(git_origin, "_reachable", {})
    return generated[1]


def silence_git(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(git_origin, "is_reachable", lambda component: False)


def names(directory: Path) -> list[str]:
    return sorted(path.relative_to(directory).as_posix() for path in directory.rglob("*") if path.is_file())


def test_both_origins_return_the_same_files(
    served: Sources, cache_dir: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    by_git = fetch.fetch(served, {})
    assert names(by_git["plain"]) == ["LICENSE", "src/plain.c", "src/windows.h"]
    assert (by_git["plain"] / "src/windows.h").read_bytes() == fake_sources.PLAIN_FILES["src/windows.h"]
    shutil.move(cache_dir / "sources", tmp_path / "by_git")

    silence_git(monkeypatch)
    by_archive = fetch.fetch(served, {})
    assert (by_archive["patched"] / "src/patched.c").read_bytes() == b"int upstream;\n"
    for name, directory in by_archive.items():
        other = tmp_path / "by_git" / directory.name
        component = served.components[name]
        assert selection.content_hash(component, directory) == selection.content_hash(component, other)


def test_a_second_fetch_does_nothing(served: Sources, monkeypatch: pytest.MonkeyPatch) -> None:
    first = fetch.fetch(served, {})
    monkeypatch.setattr(fetch, "_fetch_missing", lambda *_: pytest.fail("fetched again"))
    assert fetch.fetch(served, {}) == first


def test_only_the_parts_with_the_components_are_downloaded(
    served: Sources, mirror: Mirror, archive: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    silence_git(monkeypatch)
    fetch.fetch(served, {})
    parts = [part for component in served.components.values() for part in component.archive_parts]
    assert mirror.ranges == [(part.begin, part.end) for part in parts]
    read = sum(part.end - part.begin for part in parts)
    assert read < archive.stat().st_size / 10
    assert "source archive: 0 of 0 MB" in capsys.readouterr().err


def test_a_dropped_connection_continues_where_it_stopped(
    served: Sources, mirror: Mirror, monkeypatch: pytest.MonkeyPatch
) -> None:
    silence_git(monkeypatch)
    mirror.drops = archive_origin.TRIES - 1
    directories = fetch.fetch(served, {})
    assert names(directories["plain"]) == ["LICENSE", "src/plain.c", "src/windows.h"]
    begin, end = mirror.ranges[0]
    assert mirror.ranges[1] == (begin + (end - begin) // 2, end)


def test_an_interruption_leaves_only_complete_components(
    served: Sources, cache_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    silence_git(monkeypatch)

    def interrupt(component: Component, root: Path) -> None:
        if component.name == "patched":
            raise KeyboardInterrupt

    monkeypatch.setattr(archive_origin, "_revert_patches", interrupt)
    with pytest.raises(KeyboardInterrupt):
        fetch.fetch(served, {})
    assert list((cache_dir / "sources").iterdir()) == [fetch.entry(served.components["plain"])]


@pytest.mark.parametrize("origin", ["git", "archive"])
def test_wrong_bytes_are_rejected_and_leave_nothing(
    served: Sources, cache_dir: Path, monkeypatch: pytest.MonkeyPatch, origin: str
) -> None:
    if origin == "archive":
        silence_git(monkeypatch)
    wrong = dataclasses.replace(served.components["plain"], sha256="0" * 64)
    actual = served.components["plain"].sha256
    with pytest.raises(SourceHashError, match=f"component plain: the files have sha256 {actual}, pinned is 0+"):
        fetch.fetch(dataclasses.replace(served, components={"plain": wrong}), {})
    assert list((cache_dir / "sources").iterdir()) == []


def test_an_overridden_component_is_not_fetched(served: Sources, tmp_path: Path, cache_dir: Path) -> None:
    own = tmp_path / "own"
    own.mkdir()
    directories = fetch.fetch(served, {"plain": own})
    assert directories["plain"] == own
    assert [path.name.split("-")[0] for path in (cache_dir / "sources").iterdir()] == ["patched"]


def test_git_that_fails_half_way_is_followed_by_the_archive(
    served: Sources, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    broken = dataclasses.replace(served.components["plain"], revision="0" * 40)
    directories = fetch.fetch(dataclasses.replace(served, components={"plain": broken}), {})
    assert names(directories["plain"]) == ["LICENSE", "src/plain.c", "src/windows.h"]
    assert "upstream git of plain failed" in capsys.readouterr().err


def test_a_rejecting_host_is_contacted_once(served: Sources, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    requested: list[Sequence[str]] = []

    def count(command: Sequence[str], **options: object) -> str:
        requested.append(command)
        return command_module.run(command, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(git_origin, "run", count)
    gone = [fake_sources.component(name, git=f"file://{tmp_path}/gone/{name}", revision="0" * 40) for name in "ab"]
    assert [git_origin.is_reachable(component) for component in gone] == [False, False]
    assert len(requested) == 1


def test_a_missing_directory_is_named(served: Sources, tmp_path: Path) -> None:
    (tmp_path / "LICENSE").touch()
    with pytest.raises(SourceFileMissingError, match="component plain has no src/"):
        selection.kept_files(served.components["plain"], tmp_path)


def test_a_damaged_archive_is_reported(served: Sources, archive: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    silence_git(monkeypatch)
    archive.write_bytes(bytes(byte ^ 1 for byte in archive.read_bytes()))
    with pytest.raises(ArchiveError, match=r"127\.0\.0\.1:\d+: bytes \d+ to \d+ are damaged"):
        fetch.fetch(served, {})


def test_too_short_a_part_is_reported(served: Sources, monkeypatch: pytest.MonkeyPatch) -> None:
    silence_git(monkeypatch)
    plain = served.components["plain"]
    long = tuple(dataclasses.replace(part, tar_end=1 << 30) for part in plain.archive_parts)
    components = {"plain": dataclasses.replace(plain, archive_parts=long)}
    with pytest.raises(ArchiveError, match=r"bytes \d+ to \d+ hold \d+ bytes of tar, not 1073741824"):
        fetch.fetch(dataclasses.replace(served, components=components), {})


def test_a_python_without_lzma_is_reported(served: Sources, monkeypatch: pytest.MonkeyPatch) -> None:
    silence_git(monkeypatch)
    monkeypatch.setitem(sys.modules, "lzma", None)
    with pytest.raises(ArchiveError, match="this Python has no module lzma") as error:
        fetch.fetch(served, {})
    assert "install liblzma-dev" in error.value.hint


def test_the_response_of_each_mirror_is_reported(
    served: Sources, mirror: Mirror, cache_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    silence_git(monkeypatch)
    mirror.serves_parts = False
    monkeypatch.setattr(archive_origin, "debian_mirrors", lambda: [mirror.url, "http://127.0.0.1:9/debian"])
    with pytest.raises(ArchiveError) as caught:
        fetch.fetch(served, {})
    text = str(caught.value)
    assert f"{mirror.url}: the server does not serve parts of files" in text
    assert "http://127.0.0.1:9/debian: <urlopen error [Errno 111] Connection refused>" in text
    assert "--source NAME=DIR" in text
    assert list((cache_dir / "sources").iterdir()) == []


def test_another_mirror_continues_with_the_missing_components(
    served: Sources, mirror: Mirror, monkeypatch: pytest.MonkeyPatch
) -> None:
    silence_git(monkeypatch)
    mirrors = ["http://127.0.0.1:9/debian", mirror.url]
    monkeypatch.setattr(archive_origin, "debian_mirrors", lambda: mirrors)
    directories = fetch.fetch(served, {})
    assert (directories["patched"] / "src/patched.c").read_bytes() == b"int upstream;\n"


@pytest.mark.parametrize(
    ("name", "file", "content"),
    [("plain", "src/plain.c", b"other"), ("plain", "LICENSE", None), ("patched", "src/patched.c", b"other")],
    ids=["another hash", "a missing file", "patches that cannot be reverted"],
)
def test_a_mirror_with_other_files_is_followed_by_the_next(
    served: Sources,
    mirror: Mirror,
    name: str,
    file: str,
    content: bytes | None,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    silence_git(monkeypatch)
    shown: list[int] = []
    changed: list[Path] = []
    revert_patches = archive_origin._revert_patches

    def change_once(component: Component, root: Path) -> None:
        if component.name == name and not changed:
            changed.append(root / file)
            (root / file).unlink()
            if content is not None:
                (root / file).write_bytes(content)
        revert_patches(component, root)

    monkeypatch.setattr(Progress, "update", lambda *_, completed: shown.append(completed))
    monkeypatch.setattr(archive_origin, "_revert_patches", change_once)
    monkeypatch.setattr(archive_origin, "debian_mirrors", lambda: [mirror.url, f"{mirror.url}/"])
    directories = fetch.fetch(served, {})
    assert selection.content_hash(served.components[name], directories[name]) == served.components[name].sha256
    assert f"mirror failed: {mirror.url}: " in capsys.readouterr().err
    parts = [part for component in served.components.values() for part in component.archive_parts]
    assert max(shown) == shown[-1] == sum(part.end - part.begin for part in parts)


def test_no_mirror_is_an_error(served: Sources, monkeypatch: pytest.MonkeyPatch) -> None:
    silence_git(monkeypatch)
    monkeypatch.setattr(archive_origin, "debian_mirrors", list)
    with pytest.raises(ArchiveError, match="no mirror is configured") as error:
        fetch.fetch(served, {})
    assert "TFLITE_WEBNN_DEBIAN_MIRROR" in error.value.hint
