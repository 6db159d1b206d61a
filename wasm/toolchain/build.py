"""The build step: builds build/wasm/<variant>/, skipping whatever is up to date."""

import itertools
import json
import shutil
import time
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from support import cache
from support.console import console, step
from support.errors import BuildError
from support.paths import BUILD_DIR, PROJECT_DIR, SELECTED_DIR, artefact_dir, cache_dir
from wasm.toolchain import glue, manifest, notices, prebuilt, variants
from wasm.toolchain.compile import compile_variant
from wasm.toolchain.emscripten.choice import choose, chosen_identity
from wasm.toolchain.emscripten.toolchain import BuildPaths, Toolchain
from wasm.toolchain.generated import make_headers
from wasm.toolchain.selection.selection import EVERYTHING, Selection
from wasm.toolchain.sources import registry
from wasm.toolchain.sources.fetch import fetch_patched
from wasm.toolchain.variants import Variant

STAMP = ".key"
WASM_DIR = PROJECT_DIR / "wasm"
# The checkout's inputs of the compiler.
INPUTS = [
    WASM_DIR / name
    for name in (
        "CMakeLists.txt",
        "cmake",
        "delegate",
        "runtime",
        "support",
        "tflite_kernels",
        "third_party",
        "variants.toml",
        "xnnpack_kernels",
    )
]
# C++ unit tests, next to the code that they test.
TEST_SUFFIX = "_test.cc"
TOOLCHAIN_DIR = WASM_DIR / "toolchain"


class ChangedInputsError(BuildError):
    """Sources were edited during the compilation, so the result matches no state of the checkout."""


def build(
    names: Sequence[str],
    *,
    source_overrides: Mapping[str, Path] | None = None,
    jobs: int | None = None,
    fresh: bool = False,
    selection: Selection = EVERYTHING,
) -> None:
    """Build variants into build/wasm/<variant>/: from the artefact cache if the same inputs were built before.

    TFLITE_WEBNN_PREBUILT names a location with modules that need no compiling (prebuilt.py). Modules for certain models
    go into build/selected/wasm/<variant>/.

    Args:
        names: variants of variants.toml, or "all".
        source_overrides: directories to use instead of fetched components.
        jobs: parallel compiler processes; None for one per core.
        fresh: compile without the artefact cache and the compiler cache.
        selection: the ops and delegates in the modules.

    Raises:
        BuildError: a step failed.
    """
    overrides = dict(source_overrides or {})
    table = variants.load()
    every = [replace(variant, selection=selection) for variant in table.variants.values()]
    compiler = chosen_identity(table.emscripten)
    keys = {variant: variant_key(variant, overrides, compiler) for variant in every}
    names = [variant.name for variant in table.select(list(names))]
    requested = [variant for variant in every if variant.name in names]
    _drop_outdated({variant: key for variant, key in keys.items() if variant not in requested})
    keys = {variant: keys[variant] for variant in requested}
    missing = [variant for variant in keys if fresh or not _is_current(variant, keys[variant])]
    missing = [variant for variant in missing if fresh or not _take_from_cache(variant, keys[variant])]
    missing = [variant for variant in missing if fresh or not _take_prebuilt(variant, keys[variant])]
    if not missing:
        return
    with ExitStack() as locks:
        for directory in sorted(set(map(_objects_dir, missing))):
            locks.enter_context(locked_objects(directory))
        # Another process may have compiled them while this one waited.
        missing = [variant for variant in missing if fresh or not _take_from_cache(variant, keys[variant])]
        if missing:
            _compile(missing, keys, overrides, jobs, fresh=fresh)


def _compile(
    missing: Sequence[Variant],
    keys: Mapping[Variant, str],
    overrides: dict[str, Path],
    jobs: int | None,
    *,
    fresh: bool,
) -> None:
    start = time.monotonic()
    pinned = registry.load()
    with ThreadPoolExecutor(max_workers=1) as executor:
        fetching = executor.submit(fetch_patched, pinned, overrides)
        toolchain = choose(variants.load().emscripten)
        sources = fetching.result()
    shared = SharedInputs(toolchain, pinned, sources, make_headers(toolchain, sources), overrides)
    if fresh:
        for directory in set(map(_objects_dir, missing)):
            cache.remove(directory)
    for variant in missing:
        with step(f"Building the wasm module, variant {variant.name}"):
            _build_variant(variant, keys[variant], shared, jobs, fresh=fresh)
    console.print(f"    the wasm module took {time.monotonic() - start:.0f} s in all")


def variant_key(variant: Variant, overrides: Mapping[str, Path], compiler: str) -> str:
    """Return the key of a variant's artefacts: a hash of all that determines their bytes.

    Args:
        variant: flags and selection.
        overrides: directories to use instead of fetched components.
        compiler: the toolchain's identity.
    """
    flags = " ".join([variant.name, *itertools.chain(*variant.flags.values())])
    extra = json.dumps([compiler, flags, variant.selection.described()])
    return cache.content_hash([*inputs(), *code(), *overrides.values()], extra=extra)


def inputs() -> list[Path]:
    """Return the checkout's files that the compiler reads for a module: INPUTS without C++ tests."""
    files = (file for path in INPUTS for file in (path.rglob("*") if path.is_dir() else [path]))
    return [file for file in files if file.is_file() and not file.name.endswith(TEST_SUFFIX)]


def code() -> list[Path]:
    """Return the Python that makes artefacts: it calls the compiler, and edits and describes the result."""
    files = TOOLCHAIN_DIR.rglob("*.py")
    return [file for file in files if "tests" not in file.relative_to(TOOLCHAIN_DIR).parts]


@dataclass(frozen=True)
class SharedInputs:
    """The inputs shared by the variants of one build."""

    toolchain: Toolchain
    pinned: registry.Sources
    sources: dict[str, Path]
    generated: Path
    overrides: dict[str, Path]


def _build_variant(variant: Variant, key: str, shared: SharedInputs, jobs: int | None, *, fresh: bool) -> None:
    paths = _paths(variant, shared, fresh=fresh)
    commit = shared.pinned.components["xnnpack"].revision
    log = _artefact_dir(variant) / "build.log"
    compiled = compile_variant(shared.toolchain, paths, variant, xnnpack_commit=commit, jobs=jobs, log=log)
    if variant_key(variant, shared.overrides, shared.toolchain.identity) != key:
        raise ChangedInputsError(
            f"files of variant {variant.name} were changed while it was compiled", hint="run the same command again"
        )

    def create(directory: Path) -> None:
        directory.mkdir(parents=True)
        for name in manifest.ARTEFACTS:
            shutil.copyfile(compiled / name, directory / name)
        script = directory / manifest.SCRIPT
        script.write_text(glue.for_bundlers(script.read_text()))
        manifest.write_manifest(
            directory,
            variant=variant,
            toolchain=shared.toolchain,
            sources=shared.pinned,
            overrides=list(shared.overrides),
            key=key,
        )
        notices.write_notices(directory, shared.pinned, shared.sources, shared.toolchain)

    if fresh:
        cache.remove(cache_dir() / _entry(variant, key))
    cache.get(_entry(variant, key), create, title=f"Storing variant {variant.name}")
    _take_from_cache(variant, key)


def _paths(variant: Variant, shared: SharedInputs, *, fresh: bool) -> BuildPaths:
    objects = _objects_dir(variant)
    compiler_cache = objects / "empty_ccache" if fresh else cache_dir() / "ccache"
    paths = BuildPaths(PROJECT_DIR, shared.sources, shared.generated, objects, compiler_cache)
    prepare_objects(shared.toolchain, paths, shared.pinned, shared.overrides)
    compiler_cache.mkdir(parents=True, exist_ok=True)
    return paths


@contextmanager
def locked_objects(directory: Path) -> Iterator[None]:
    """Hold the lock of a directory of objects, in which only one process may compile."""
    with cache.lock_file(directory.with_name(f"{directory.name}.lock"), title=f"compiling in {directory}"):
        yield


def prepare_objects(
    toolchain: Toolchain, paths: BuildPaths, pinned: registry.Sources, overrides: Mapping[str, Path]
) -> None:
    """Make the directory of objects; delete those of another compiler or of other third-party sources.

    CMake would keep the compiler's paths. Ninja compares times, and all sources are mounted at the same paths: it would
    keep the objects of newer files.
    """
    inputs = {
        "toolchain": toolchain.identity,
        "generated": paths.generated.name,
        # The names of directories in the cache have the hashes of their content and patches.
        **{name: paths.sources[name].name for name in pinned.components},
        **{name: cache.content_hash([paths.sources[name]]) for name in overrides},
    }
    stamp = paths.build / ".inputs.json"
    known = json.loads(stamp.read_text()) if stamp.exists() else None
    if known is None or any(known.get(name, identity) != identity for name, identity in inputs.items()):
        cache.remove(paths.build)
        paths.build.mkdir(parents=True)
        known = {}
    stamp.write_text(json.dumps({**known, **inputs}, indent=1))  # programs have further components


def _artefact_dir(variant: Variant) -> Path:
    return artefact_dir(variant.name, None if variant.selection == EVERYTHING else SELECTED_DIR)


def _objects_dir(variant: Variant) -> Path:
    return BUILD_DIR / "cmake" / variant.objects


def _entry(variant: Variant, key: str) -> str:
    return f"artefacts/{variant.name}-{key}"


def _is_current(variant: Variant, key: str) -> bool:
    stamp = _artefact_dir(variant) / STAMP
    return stamp.exists() and stamp.read_text() == key


def _drop_outdated(keys: Mapping[Variant, str]) -> None:
    """Delete variants built from other inputs: the package would mix them with the new ones."""
    for variant, key in keys.items():
        directory = _artefact_dir(variant)
        if directory.exists() and not _is_current(variant, key) and not _take_from_cache(variant, key):
            console.print(f"    variant {variant.name} is outdated and leaves the package")
            cache.remove(directory)


def _take_from_cache(variant: Variant, key: str) -> bool:
    """Copy the key's artefacts to build/wasm/<variant>/; False if the cache lacks them."""
    entry = cache_dir() / _entry(variant, key)
    if not entry.is_dir():
        return False
    directory = _artefact_dir(variant)
    directory.mkdir(parents=True, exist_ok=True)
    for name in prebuilt.FILES:
        shutil.copyfile(entry / name, directory / name)
    (directory / STAMP).write_text(key)
    return True


def _take_prebuilt(variant: Variant, key: str) -> bool:
    """Put the key's artefacts from TFLITE_WEBNN_PREBUILT into the cache and use them; False if it lacks them."""
    modules = prebuilt.chosen()
    files = modules.files_of(variant.name, key) if modules and variant.selection == EVERYTHING else None
    if files is None:
        return False

    def create(directory: Path) -> None:
        directory.mkdir(parents=True)
        for name, content in files.items():
            (directory / name).write_bytes(content)

    cache.get(_entry(variant, key), create, title=f"Storing variant {variant.name}")
    return _take_from_cache(variant, key)
