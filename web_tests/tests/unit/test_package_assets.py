"""Pinned members: found in any kind of archive, and checked before they are stored."""

import hashlib
import io
import tarfile
import zipfile
from pathlib import Path

import pytest

from support import paths
from web_tests.models import package_assets
from web_tests.models.package_assets import HashMismatchError, Member, MemberMissingError, Package

CONTENT = b"\x1c\0\0\0TFL3 stands for a model"
PACKAGE = Package("example", "1.0", "pypi")


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv(paths.CACHE_VARIABLE, str(tmp_path / "cache"))
    return tmp_path / "cache"


def wheel(path: Path, members: dict[str, bytes]) -> Path:
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return path


def member(path: str, content: bytes = CONTENT) -> Member:
    return Member(PACKAGE, path, hashlib.sha256(content).hexdigest())


def test_a_right_member_is_kept(tmp_path: Path) -> None:
    archive = wheel(tmp_path / "example.whl", {"example/models/a.tflite": CONTENT})
    expected = member("example/models/a.tflite")
    package_assets.store(expected, archive)
    assert package_assets.cache_path(expected).read_bytes() == CONTENT


def test_a_wrong_hash_leaves_nothing_behind(tmp_path: Path, cache: Path) -> None:
    archive = wheel(tmp_path / "example.whl", {"example/models/a.tflite": CONTENT + b"!"})
    with pytest.raises(HashMismatchError, match=r"a\.tflite of example 1\.0 is not the pinned file"):
        package_assets.store(member("example/models/a.tflite"), archive)
    assert not list(cache.rglob("*.tflite"))


def test_fetch_downloads_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    downloads = []

    def fetch(name: str, version: str, directory: Path) -> Path:
        downloads.append((name, version))
        return wheel(directory / "example.whl", {"example/a.tflite": CONTENT})

    monkeypatch.setitem(package_assets.FETCHERS, "pypi", fetch)
    expected = member("example/a.tflite")
    assert package_assets.fetch(expected) == package_assets.fetch(expected)
    assert downloads == [("example", "1.0")]


def test_members_of_tar_files_are_found_by_the_end_of_their_path(tmp_path: Path) -> None:
    with tarfile.open(tmp_path / "example.tgz", "w:gz") as archive:
        entry = tarfile.TarInfo("example-1.0/package/a.tflite")
        entry.size = len(CONTENT)
        archive.addfile(entry, io.BytesIO(CONTENT))
    assert package_assets.read_member(tmp_path / "example.tgz", "package/a.tflite") == CONTENT


def test_members_of_zip_files_inside_are_read(tmp_path: Path) -> None:
    inner = wheel(tmp_path / "inner.zip", {"b.tflite": CONTENT}).read_bytes()
    archive = wheel(tmp_path / "example.whl", {"example/inner.zip": inner})
    assert package_assets.read_member(archive, "example/inner.zip|b.tflite") == CONTENT
    with pytest.raises(MemberMissingError, match=r"has no member c\.tflite"):
        package_assets.read_member(archive, "example/inner.zip|c.tflite")


def test_members_of_what_emscripten_packed_are_read(tmp_path: Path) -> None:
    table = 'loadPackage({"files": [{"filename": "/x/a.txt", "start": 0, "end": 2}, '
    table += f'{{"filename": "/x/b.tflite", "start": 2, "end": {2 + len(CONTENT)}}}]}})'
    members = {"example/assets.data": b"a\n" + CONTENT + b"!", "example/assets_loader.js": table.encode()}
    archive = wheel(tmp_path / "example.whl", members)
    assert package_assets.read_member(archive, "example/assets.data|b.tflite") == CONTENT
    with pytest.raises(MemberMissingError, match=r"assets\.data has no member c\.tflite"):
        package_assets.read_member(archive, "example/assets.data|c.tflite")


@pytest.mark.parametrize("members", [{}, {"a/m.tflite": b"", "b/m.tflite": b""}], ids=["none", "two"])
def test_a_member_must_be_there_exactly_once(tmp_path: Path, members: dict[str, bytes]) -> None:
    archive = wheel(tmp_path / "example.whl", members)
    with pytest.raises(MemberMissingError, match=r"members end with m\.tflite"):
        package_assets.read_member(archive, "m.tflite")
