"""Prints the `archive_parts` of each component, for the two sources.toml: `python -m` this module, and the archive."""

import subprocess
import sys
import tarfile
from collections.abc import Iterator, Sequence
from dataclasses import astuple, dataclass
from pathlib import Path

from wasm.toolchain.sources import registry, selection
from wasm.toolchain.sources.registry import Archive, ArchivePart, Component


@dataclass(frozen=True)
class Block:
    """A block of an .xz file: its bytes in the file, and in the tar that the file decompresses to."""

    begin: int
    end: int
    tar_begin: int
    tar_end: int


def find_parts(path: Path, archive: Archive, components: Sequence[Component]) -> dict[str, list[ArchivePart]]:
    """Return the parts of an archive that hold each component's files, by name."""
    files: dict[str, list[tuple[int, int]]] = {component.name: [] for component in components}
    command: list[str | Path] = ["xz", "--threads=0", "--decompress", "--stdout", path]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as xz, tarfile.open(fileobj=xz.stdout, mode="r|") as tar:
        while member := tar.next():
            for component in components:
                before, _, name = member.name.partition(f"{archive.root}/{component.archive_path}/")
                if member.isfile() and not before and selection.is_needed(component, name):
                    end = member.offset_data + -(-member.size // tarfile.BLOCKSIZE) * tarfile.BLOCKSIZE
                    files[component.name].append((member.offset, end))
            tar.members = []  # type: ignore[attr-defined]  # half a million
    blocks = list(_blocks(path))
    return {name: list(_parts(blocks, members)) for name, members in files.items()}


def _blocks(path: Path) -> Iterator[Block]:
    command: list[str | Path] = ["xz", "--robot", "--list", "--verbose", "--verbose", path]
    lines = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()
    for kind, *cells in (line.split("\t") for line in lines):
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


def main() -> None:
    sources = registry.load_for_programs()
    parts = find_parts(Path(sys.argv[1]), sources.archive, list(sources.components.values()))
    for name, found in parts.items():
        print(f"[components.{name}]\narchive_parts = {[list(astuple(part)) for part in found]}")


if __name__ == "__main__":
    main()
