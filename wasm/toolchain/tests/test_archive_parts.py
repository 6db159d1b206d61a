"""The command that prints the parts of the source archive: a wrong file is an error that says what to do."""

import lzma
import tarfile
from pathlib import Path

import pytest

from wasm.toolchain.sources import archive_parts


def empty_tar(directory: Path) -> Path:
    with tarfile.open(directory / "empty.tar.xz", "w:xz"):
        pass
    return directory / "empty.tar.xz"


def written(directory: Path, content: bytes) -> Path:
    path = directory / "file"
    path.write_bytes(content)
    return path


@pytest.mark.parametrize(
    ("kind", "message"),
    [
        ("none", "not a complete .tar.xz file: `xz` exited with 1"),
        ("page", "not a complete .tar.xz file: `xz` exited with 1"),
        ("cut", "not a complete .tar.xz file: `xz` exited with 1"),
        ("text", "not a complete .tar.xz file: "),
        ("tar", "the archive has no files of "),
    ],
)
def test_a_wrong_file_is_an_error(kind: str, message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = {
        "none": lambda: tmp_path / "none",
        "page": lambda: written(tmp_path, b"<!doctype html>"),
        "cut": lambda: written(tmp_path, empty_tar(tmp_path).read_bytes()[:-20]),
        "text": lambda: written(tmp_path, lzma.compress(b"text")),
        "tar": lambda: empty_tar(tmp_path),
    }[kind]()
    assert archive_parts.main([str(path)]) == 1
    error = capsys.readouterr().err
    assert error.startswith(message)
    assert f"where: {path}" in error
    assert "hint:  pass the source archive that sources.toml names" in error


def test_another_number_of_files_prints_the_usage(capsys: pytest.CaptureFixture[str]) -> None:
    assert archive_parts.main([]) == 2
    assert "archive_parts ARCHIVE" in capsys.readouterr().err
