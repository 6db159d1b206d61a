"""Models in .task bundles, which are zip archives of models and of further bundles."""

import io
import tempfile
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from support.errors import BuildError


class BundleError(BuildError):
    """A bundle lacks the part, or is none."""


def is_bundle(path: Path) -> bool:
    """Whether a file begins as zip archives do. MediaPipe's bundles have up to three zeros before, for alignment."""
    if not path.is_file():
        return False
    with path.open("rb") as stream:
        return stream.read(7).lstrip(b"\0").startswith(b"PK\3\4")


@contextmanager
def opened(path: Path, part: str | None) -> Iterator[Path]:
    """Yield the file itself, or a temporary copy of a part of it.

    Args:
        path: a model, or a bundle.
        part: the name of a file in the bundle; for a bundle inside, its name, a slash, and the name in it.

    Raises:
        BundleError: the file is not a bundle, or lacks the part.
    """
    if part is None:
        yield path
        return
    if not is_bundle(path):
        raise BundleError("only a .task bundle has parts", where=str(path), hint="run explain again without --part")
    with tempfile.TemporaryDirectory(prefix="tflite-webnn-") as directory:
        file = Path(directory) / part.rsplit("/", 1)[-1]
        file.write_bytes(_read(path.read_bytes(), part, str(path)))
        yield file


def _read(bundle: bytes, part: str, where: str) -> bytes:
    try:
        with zipfile.ZipFile(io.BytesIO(bundle)) as archive:
            for name in archive.namelist():
                if part == name:
                    return archive.read(name)
                if part.startswith(f"{name}/") and name.endswith(".task"):
                    return _read(archive.read(name), part.removeprefix(f"{name}/"), f"{where}, {name}")
            names = ", ".join(map(ascii, archive.namelist()))  # they may have control characters
    except zipfile.BadZipFile as error:
        raise BundleError(f"the zip archive is damaged: {error}", where=where) from error
    raise BundleError(f"the bundle has no part {part}; it has {names}", where=where)
