"""Modules that are compiled already: TFLITE_WEBNN_PREBUILT names a directory or an address with a release's files.

A variant is `wasm-<variant>-<key>.zip`; SHA256SUMS next to it has its hash, as sha256sum writes it. The key is a hash
of all that determines its bytes (build.variant_key), so an archive either fits the checkout or has another name.
Whoever writes there is trusted: SHA256SUMS comes from the same location, and finds damage only.
"""

import hashlib
import io
import json
import os
import urllib.parse
import urllib.request
import zipfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from support.archive import write_zip
from support.console import console
from support.errors import BuildError
from wasm.toolchain import manifest, notices

VARIABLE = "TFLITE_WEBNN_PREBUILT"
SUMS = "SHA256SUMS"
# The files of a directory of artefacts, and of an archive.
FILES = (*manifest.ARTEFACTS, manifest.FILE_NAME, notices.FILE_NAME)
TIMEOUT_SECONDS = 300
LOOPBACK = ("localhost", "127.0.0.1", "::1")
PLAIN = "the modules would come over plain http or ftp, which anyone on the way can change: use https"


class PrebuiltError(BuildError):
    """TFLITE_WEBNN_PREBUILT cannot be read, or an archive there does not have the promised content."""


def is_authentic(address: str) -> bool:
    """Return whether nobody between this machine and a directory or an address can change its files."""
    parts = urllib.parse.urlsplit(address)
    return parts.scheme not in ("http", "ftp") or parts.hostname in LOOPBACK


class _AuthenticRedirects(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *args: Any) -> urllib.request.Request | None:
        """Follow a redirect, whose address is the last argument, unless it leaves https."""
        if not is_authentic(args[-1]):
            raise ValueError(f"it is at {args[-1]} now; {PLAIN}")
        return super().redirect_request(*args)


@dataclass(frozen=True)
class Prebuilt:
    """A directory, or an http(s) address, with archives of modules."""

    location: str

    def files_of(self, variant: str, key: str) -> dict[str, bytes] | None:
        """Return the artefacts of a variant by file name; None if this location has none with this key.

        Raises:
            PrebuiltError: the location has no SHA256SUMS, or the archive differs from its hash or from its name.
        """
        name = archive_name(variant, key)
        expected = self._sums().get(name)
        if expected is None:
            console.print(f"    {self.location} has no {name}: variant {variant} is compiled")
            return None
        content = self._read(name)
        found = hashlib.sha256(content).hexdigest()
        if found != expected:
            raise self._error(f"{name} is damaged: its SHA-256 is {found}; {SUMS} has {expected}")
        try:
            with zipfile.ZipFile(io.BytesIO(content)) as archive:
                files = {file: archive.read(file) for file in FILES}
            if json.loads(files[manifest.FILE_NAME])["key"] != key:
                raise self._error(f"the manifest in {name} has another key")
        except (zipfile.BadZipFile, KeyError, TypeError, ValueError) as error:
            raise self._error(f"{name} is not an archive of a module: {error}") from error
        console.print(f"    variant {variant} comes from {self.location}")
        return files

    def _sums(self) -> dict[str, str]:
        rows = [line.split() for line in self._read(SUMS).decode(errors="replace").splitlines()]
        return {row[1].removeprefix("*"): row[0] for row in rows if len(row) == 2}

    def _read(self, name: str) -> bytes:
        if not is_authentic(self.location):
            raise self._error(PLAIN)
        try:
            if "://" not in self.location:
                return (Path(self.location).expanduser() / name).read_bytes()
            opener = urllib.request.build_opener(_AuthenticRedirects)
            with opener.open(f"{self.location.rstrip('/')}/{name}", timeout=TIMEOUT_SECONDS) as response:
                return bytes(response.read())
        except (OSError, ValueError) as error:
            raise self._error(f"cannot read {name}: {error}") from error

    def _error(self, what: str) -> PrebuiltError:
        return PrebuiltError(
            what, where=self.location, hint=f"set {VARIABLE} to the files of a release, or unset it to compile"
        )


def chosen() -> Prebuilt | None:
    """Return the location that the environment names, if any."""
    location = os.environ.get(VARIABLE)
    return Prebuilt(location) if location else None


def archive_name(variant: str, key: str) -> str:
    """Return the file name of a variant's archive."""
    return f"wasm-{variant}-{key}.zip"


def pack(artefacts: Path, directory: Path) -> Path:
    """Write the archive of a directory of artefacts (build/wasm/<variant>) into `directory`, and return it."""
    described = manifest.read_manifest(artefacts)
    path = directory / archive_name(described["variant"], described["key"])
    write_zip(path, {name: artefacts / name for name in FILES})
    return path
