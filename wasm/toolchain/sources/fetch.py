"""The fetch step: verifies every component in the user cache, from whichever origin responds first."""

import tempfile
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path

from support.cache import content_hash, locked
from support.command import CommandError
from support.console import console, step
from support.paths import cache_dir
from wasm.toolchain.sources import archive_origin, git_origin, patches, selection
from wasm.toolchain.sources.registry import Component, Sources

SOURCES_DIRECTORY = "sources"
LOCK_NAME = "sources/fetch"
HASH_LENGTH = 16


def fetch(sources: Sources, overrides: Mapping[str, Path]) -> dict[str, Path]:
    """Return the directory of each component: overridden, cached, or fetched now.

    A fetched component appears in the cache only if its content hash matches the pinned one.

    Raises:
        SourcesFileError: an override is wrong.
        SourceHashError: an origin served other bytes.
        ArchiveError: neither origin can serve a component.
    """
    sources.check_overrides(overrides)
    requested = [component for name, component in sources.components.items() if name not in overrides]
    if _missing(requested):
        with locked(LOCK_NAME, title="fetching third-party sources"):
            _fetch_missing(sources, _missing(requested))
    return {name: overrides.get(name) or entry(component) for name, component in sources.components.items()}


def fetch_patched(sources: Sources, overrides: Mapping[str, Path]) -> dict[str, Path]:
    """Return what `fetch` does, with the patches of wasm/third_party/patches.

    Raises:
        PatchError: a patch does not apply, to an override for instance.
    """
    keys = {name: component.sha256 for name, component in sources.components.items()}
    keys |= {name: content_hash([directory]) for name, directory in overrides.items()}
    return {name: patches.patched(name, directory, keys[name]) for name, directory in fetch(sources, overrides).items()}


def entry(component: Component) -> Path:
    """Return a component's path in the cache; another hash is another directory."""
    return cache_dir() / SOURCES_DIRECTORY / f"{component.name}-{component.sha256[:HASH_LENGTH]}"


def _missing(components: Sequence[Component]) -> list[Component]:
    return [component for component in components if not entry(component).exists()]


def _fetch_missing(sources: Sources, missing: Sequence[Component]) -> None:
    with tempfile.TemporaryDirectory(dir=cache_dir() / SOURCES_DIRECTORY, prefix=".partial-") as name:
        directory = Path(name)
        others = [component for component in missing if not _from_git(component, directory / "git" / component.name)]
        if not others:
            return
        origin = Path(sources.archive.pool_path).name
        with step(f"fetching {', '.join(component.name for component in others)} from Debian's {origin}"):
            archive_origin.fetch(sources.archive, others, directory / "archive", partial(_admit, origin=origin))


def _from_git(component: Component, directory: Path) -> bool:
    """Fetch a component from upstream; False if that fails."""
    if not git_origin.is_reachable(component):
        return False
    try:
        with step(f"fetching {component.name} from {component.git}"):
            git_origin.fetch(component, directory)
    except CommandError as error:
        console.print(f"    upstream git of {component.name} failed, trying the archive: {error.what}", markup=False)
        return False
    _admit(component, directory, origin=component.git)
    return True


def _admit(component: Component, root: Path, *, origin: str) -> None:
    """Move a component's kept files into the cache if they match the pinned hash."""
    selection.verify(component, root, origin=origin)
    selected = root.with_name(f"{root.name}.selected")
    selection.select(component, root, selected)
    selected.replace(entry(component))
