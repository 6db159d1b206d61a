"""Patches of third-party sources: unified diffs, one bug each, applied in the order of their numbers."""

import os
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from support import cache, debian
from support.command import CommandError, run
from support.errors import BuildError
from support.paths import PROJECT_DIR

PATCHES_DIR = PROJECT_DIR / "wasm" / "third_party" / "patches"


class PatchError(BuildError):
    """A patch does not apply to the sources."""


class State(StrEnum):
    """How a patch relates to a source tree that has the patches before it."""

    APPLIES = "applies"
    OFFSET = "applies with offset"
    UPSTREAM = "already upstream"
    CONFLICT = "conflicts"


@dataclass(frozen=True)
class PatchResult:
    """The state of one patch, and git's reason if it conflicts."""

    patch: Path
    state: State
    reason: str = ""


def series(component: str) -> list[Path]:
    """Return the patches of a component in their order."""
    return sorted((PATCHES_DIR / component).glob("*.patch"))


def components() -> list[str]:
    """Return the names of the components that are patched."""
    return sorted(directory.name for directory in PATCHES_DIR.iterdir() if directory.is_dir())


def patched(component: str, source: Path, key: str) -> Path:
    """Return a copy of a component's sources with its patches, from the user cache; `source` itself if it has none.

    Args:
        component: the name in sources.toml.
        source: its unpacked files.
        key: identifies their content.

    Raises:
        PatchError: a patch does not apply; the message names it.
    """
    patches = series(component)
    if not patches:
        return source
    entry = f"sources/{component}-patched-{cache.content_hash(patches, extra=key)}"

    def create(directory: Path) -> None:
        shutil.copytree(source, directory, symlinks=True, ignore=shutil.ignore_patterns(".git"))
        for patch in patches:
            try:
                _git_apply(directory, patch)
            except CommandError as error:
                raise PatchError(
                    f"{patch.relative_to(PROJECT_DIR)} does not apply\n{error.tail}",
                    where=str(source),
                    hint="docs/contributing/upgrading.md says how to change it; `python3 -m tools.patches` checks each",
                ) from error

    return cache.get(entry, create, title=f"Patching {component} ({len(patches)} patches)")


def check(sources: Mapping[str, Path]) -> Iterator[PatchResult]:
    """Try each component's patches on a source tree, one after another; conflicting ones are left out.

    Args:
        sources: directories of unpatched components; those that are not patched are ignored.
    """
    for component in components():
        if component not in sources:
            continue
        with tempfile.TemporaryDirectory() as name:
            directory = Path(name)
            _copy_touched(component, sources[component], directory)
            for patch in series(component):
                yield _try(directory, patch)


def _try(directory: Path, patch: Path) -> PatchResult:
    try:
        output = _git_apply(directory, patch)
    except CommandError as error:
        try:
            _git_apply(directory, patch, "--reverse", "--check")
        except CommandError:
            return PatchResult(patch, State.CONFLICT, _first_error(error.tail))
        return PatchResult(patch, State.UPSTREAM)
    return PatchResult(patch, State.OFFSET if "offset" in output else State.APPLIES)


def _copy_touched(component: str, source: Path, directory: Path) -> None:
    for patch in series(component):
        for line in patch.read_text().splitlines():
            if line.startswith("--- a/"):
                name = line.removeprefix("--- a/")
                if (source / name).is_file():
                    (directory / name).parent.mkdir(parents=True, exist_ok=True)
                    shutil.copyfile(source / name, directory / name)


def _git_apply(directory: Path, patch: Path, *options: str) -> str:
    """Apply a patch with its exact context; a repository around the directory must not change the meaning of paths."""
    debian.ensure_program("git", "git", why="patching third-party sources")
    environment = {"GIT_CEILING_DIRECTORIES": str(directory.parent), "GIT_CONFIG_GLOBAL": os.devnull, "LC_ALL": "C"}
    command: list[str | Path] = ["git", "apply", "--verbose", "--whitespace=nowarn", *options, patch]
    lines: list[str] = []
    run(command, cwd=directory, env=environment, quiet=True, on_line=lines.append)
    return "\n".join(lines)


def _first_error(text: str) -> str:
    """Return git's first hunk that does not apply; it prints the text that it searched before that."""
    errors = [line.removeprefix("error: ") for line in text.splitlines() if line.startswith("error: ")]
    return next((line for line in errors if line.startswith("patch failed")), errors[0] if errors else text.strip())
