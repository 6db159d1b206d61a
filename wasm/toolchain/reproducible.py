"""Checks that two compilations of the same inputs produce the same bytes."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from support.cache import file_sha256
from support.console import console
from support.errors import BuildError
from support.paths import artefact_dir
from wasm.toolchain import variants
from wasm.toolchain.build import build
from wasm.toolchain.manifest import ARTEFACTS


class NotReproducibleError(BuildError):
    """Two compilations of the same inputs differ."""


def check(names: Sequence[str], *, source_overrides: Mapping[str, Path], jobs: int | None) -> None:
    """Compile the variants again, with empty caches, and compare with build/wasm.

    Raises:
        NotReproducibleError: a file differs; the message has both hashes.
    """
    directories = [artefact_dir(variant.name) for variant in variants.load().select(list(names))]
    files = [directory / name for directory in directories for name in ARTEFACTS]
    first = {file: file_sha256(file) for file in files}
    build(names, source_overrides=source_overrides, jobs=jobs, fresh=True)
    differing = [file for file in files if file_sha256(file) != first[file]]
    if differing:
        lines = [f"  {file}: {first[file]}, then {file_sha256(file)}" for file in differing]
        raise NotReproducibleError(
            "two compilations of the same inputs differ\n" + "\n".join(lines),
            hint="look for dates, random names and absolute paths in the compiled files",
        )
    console.print(f"    {len(files)} files are byte for byte the same when compiled again")
