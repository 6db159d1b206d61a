"""Programs with a main(): TFLite's tools and tests, and the examples, compiled for Node and for pages' workers."""

from collections.abc import Sequence
from pathlib import Path

from support import cache
from support.console import step
from support.paths import BUILD_DIR, PROJECT_DIR, cache_dir
from wasm.toolchain import build, variants
from wasm.toolchain.compile import compile_targets, configure_arguments
from wasm.toolchain.emscripten.choice import choose, chosen_identity
from wasm.toolchain.emscripten.toolchain import BuildPaths
from wasm.toolchain.generated import make_headers
from wasm.toolchain.sources import registry
from wasm.toolchain.sources.fetch import fetch_patched

# Programs link the objects of this variant.
VARIANT = "simd"
OBJECTS_DIR = BUILD_DIR / "cmake" / VARIANT
PROGRAMS_DIR = OBJECTS_DIR / "bin"
KEYS_DIR = OBJECTS_DIR / "bin_keys"
LOG = BUILD_DIR / "wasm" / "programs.log"
# The checkout's inputs of the compiler, besides the module's.
INPUTS = [PROJECT_DIR / "wasm" / name for name in ("programs", "tests/kernels", "tests/unit", "examples")]
# The program of wasm/tests/unit.
UNIT_TESTS = "unit_tests"


def build_programs(names: Sequence[str], *, jobs: int | None = None) -> Path:
    """Build programs unless they are current, and return the directory with <name>.mjs and <name>.wasm of each.

    Args:
        names: targets of wasm/programs/CMakeLists.txt.
        jobs: parallel compiler processes; None for one per core.

    Raises:
        BuildError: a step failed.
    """
    compiler = chosen_identity(variants.load().emscripten)
    key = cache.content_hash([*build.INPUTS, *build.code(), *INPUTS], extra=f"{VARIANT} {compiler}")
    with build.locked_objects(OBJECTS_DIR):
        missing = [name for name in names if not _is_current(name, key)]
        if missing:
            with step(f"Building {_title(missing)}"):
                ProgramCompiler(jobs=jobs).compile(missing)
        KEYS_DIR.mkdir(parents=True, exist_ok=True)
        for name in missing:
            (KEYS_DIR / name).write_text(key)
    return PROGRAMS_DIR


def _is_current(name: str, key: str) -> bool:
    stamp = KEYS_DIR / name
    return (PROGRAMS_DIR / f"{name}.wasm").exists() and stamp.exists() and stamp.read_text() == key


class ProgramCompiler:
    """Compiles programs of a checkout or a copy of it, as far as its files have changed, to `objects`/bin.

    Args:
        project: the checkout or the copy.
        objects: directory for objects and results.
        log: receives the output of CMake and Ninja.
        jobs: parallel compiler processes; None for one per core.
    """

    def __init__(
        self, project: Path = PROJECT_DIR, objects: Path = OBJECTS_DIR, log: Path = LOG, jobs: int | None = None
    ) -> None:
        table = variants.load()
        self._toolchain = choose(table.emscripten)
        self._log, self._jobs = log, jobs
        pinned = registry.load_for_programs()
        sources = fetch_patched(pinned, {})
        compiler_cache = cache_dir() / "ccache"
        compiler_cache.mkdir(parents=True, exist_ok=True)
        headers = make_headers(self._toolchain, sources)
        self._paths = BuildPaths(project, sources, headers, objects, compiler_cache)
        build.prepare_objects(self._toolchain, self._paths, pinned, {})
        commit = pinned.components["xnnpack"].revision
        variant = table.variants[VARIANT]
        self._configure = configure_arguments(self._toolchain, self._paths, variant, commit, with_programs=True)

    def compile(self, names: Sequence[str]) -> None:
        """Compile these programs; only the first call configures.

        Raises:
            CompileError: a file does not compile.
        """
        title = _title(names)
        compile_targets(
            self._toolchain, self._paths, self._configure, names, title=title, jobs=self._jobs, log=self._log
        )
        self._configure = []


def _title(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{len(names)} programs"
