"""Prints the `archive_parts` of each component, for the two sources.toml: `python -m` this module, and the archive."""

import subprocess
import sys
import tarfile
from collections.abc import Iterator, Sequence
from dataclasses import astuple, dataclass
from pathlib import Path

from support.command import CommandError, run
from support.errors import BuildError
from wasm.toolchain.sources import registry, selection
from wasm.toolchain.sources.archive_origin import ArchiveError
from wasm.toolchain.sources.registry import Archive, ArchivePart, Component

HINT = "pass the source archive that sources.toml names: python -m wasm.toolchain.sources.archive_parts ARCHIVE"


@dataclass(frozen=True)
class Block:
    """A block of an .xz file: its bytes in the file, and in the tar that the file decompresses to."""

    begin: int
    end: int
    tar_begin: int
    tar_end: int


def find_parts(path: Path, archive: Archive, components: Sequence[Component]) -> dict[str, list[ArchivePart]]:
    """Return the parts of an archive that hold each component's files, by name.

    Raises:
        ArchiveError: it is no .xz file of a tar, or lacks a component.
    """
    try:
        blocks = list(_blocks(path))
        files = _files(path, archive, components)
    except (CommandError, tarfile.TarError) as error:
        raise ArchiveError(f"not a complete .tar.xz file: {error}", where=str(path), hint=HINT) from error
    missing = [name for name, members in files.items() if not members]
    if missing:
        what = f"the archive has no files of {', '.join(missing)} below {archive.root}/"
        raise ArchiveError(what, where=str(path), hint=HINT)
    return {name: list(_parts(blocks, members)) for name, members in files.items()}


def _files(path: Path, archive: Archive, components: Sequence[Component]) -> dict[str, list[tuple[int, int]]]:
    """Return where the tar has each component's files, by name."""
    files: dict[str, list[tuple[int, int]]] = {component.name: [] for component in components}
    command: list[str | Path] = ["xz", "--threads=0", "--decompress", "--stdout", "--", path]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as xz, tarfile.open(fileobj=xz.stdout, mode="r|") as tar:
        while member := tar.next():
            for component in components:
                before, _, name = member.name.partition(f"{archive.root}/{component.archive_path}/")
                if member.isfile() and not before and selection.is_needed(component, name):
                    end = member.offset_data + -(-member.size // tarfile.BLOCKSIZE) * tarfile.BLOCKSIZE
                    files[component.name].append((member.offset, end))
            tar.members = []  # type: ignore[attr-defined]  # half a million
    return files


def _blocks(path: Path) -> Iterator[Block]:
    command: list[str | Path] = ["xz", "--robot", "--list", "--verbose", "--verbose", "--", path]
    for kind, *cells in (line.split("\t") for line in run(command, capture=True, quiet=True).splitlines()):
        if kind == "block":
            begin, tar_begin, size, tar_size = map(int, cells[3:7])
            yield Block(begin, begin + size, tar_begin, tar_begin + tar_size)


def _parts(blocks: Sequence[Block], members: Sequence[tuple[int, int]]) -> Iterator[ArchivePart]:
    """Yield a part for each row of adjacent blocks that hold these members of the tar, which are in its order."""
    rows: list[tuple[list[Block], list[tuple[int, int]]]] = []
    for begin, end in members:
        touched = [block for block in blocks if block.tar_begin < end and begin < block.tar_end]
        if rows and touched[0].begin <= rows[-1][0][-1].end:
            row, inside = rows[-1]
            row.extend(touched)
            inside.append((begin, end))
        else:
            rows.append((touched, [(begin, end)]))
    for row, inside in rows:
        start = row[0].tar_begin
        yield ArchivePart(row[0].begin, row[-1].end, inside[0][0] - start, inside[-1][1] - start)


def main(arguments: Sequence[str]) -> int:
    """Print the parts, and return the exit status."""
    if len(arguments) != 1:
        print(HINT, file=sys.stderr)
        return 2
    sources = registry.load_for_programs()
    try:
        parts = find_parts(Path(arguments[0]), sources.archive, list(sources.components.values()))
    except BuildError as error:
        print(error, file=sys.stderr)
        return 1
    for name, found in parts.items():
        print(f"[components.{name}]\narchive_parts = {[list(astuple(part)) for part in found]}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
