"""The tests that have passed before with all that they read as it is now: with `--not-again` they are not repeated.

This holds for tests of web_tests/tests that need a build. Those marked `always` run again: their results also depend
on time, memory or chance. What a test in a browser reads of the builds is what it was seen to read (reads.py), with
what pages that tests share may have loaded for others; where another program may read files, all of it counts.
"""

import hashlib
import os
import platform
import re
import shutil
import tempfile
from collections import defaultdict
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from typing import Any

import pytest

from js.bundle import own_files
from tools.suite.needs import ALWAYS, ENGINES, PACKAGE, PROGRAMS, RELEASE, SITE, VARIANTS, WHEEL, Need, needs_of
from tools.suite.reads import LIBRARIES_DIR, POLYFILL, READS, ROOTS, SHARED
from tools.support import cache as user_cache
from tools.support.paths import BUILD_DIR, PACKAGE_DIR, PROJECT_DIR, cache_dir
from wasm.toolchain.programs import PROGRAMS_DIR
from web_tests.browsers import installed
from web_tests.browsers.setup import ALL_ENGINES
from web_tests.server.server import PAGES_DIR

FOLDER = Path("web_tests", "tests")

# What a test with this need reads besides READ.
BUILT: Mapping[str, Sequence[Path]] = {
    PACKAGE: [PACKAGE_DIR],
    VARIANTS: [PACKAGE_DIR],
    WHEEL: [BUILD_DIR / "pyodide"],
    SITE: [BUILD_DIR / "site", PROJECT_DIR / "site"],
    RELEASE: [BUILD_DIR / "release"],
    PROGRAMS: [PROGRAMS_DIR],
}
# What any of the tests may read besides Python, documents, and the sources of BUILT that no test reads.
READ = tuple(PROJECT_DIR / name for name in ("js", "pyodide_pkg", "tools", "wasm", "web_tests"))
# Python that is not imported here: it runs in Pyodide.
SCRIPTS = (PROJECT_DIR / "pyodide_pkg" / "examples", PAGES_DIR, PROJECT_DIR / FOLDER / "pyodide" / "scripts")
NOT_READ = re.compile(r"\.py$|\.md$|\.test\.ts$|/wasm/(examples|kernel_tests|programs)/.*\.(cc|h|cmake)$")
PINS = PROJECT_DIR / "pyproject.toml"
# Variables that change no test: where the cache is; and which tests there are, which their names say.
NOT_READ_VARIABLES = {"TFLITE_WEBNN_CACHE", "TFLITE_WEBNN_SAMPLE_SEED", "TFLITE_WEBNN_ALLOW_MISSING"}

# Tests of these folders, with no other needs, share no process but browsers: all that they read of ROOTS is seen.
SEEN_FOLDERS = ("browser", "engines", "site")
SEEN_NEEDS = frozenset([PACKAGE, VARIANTS, SITE, *ENGINES])

READ_FOLDER = "read"  # of the cache
SEPARATOR = "\t"  # between a test's name and that of the file that says what it has read

IMPORT = re.compile(r"^[ \t]*(?:from ([\w.]+) import (\([^)]*\)|.*)|import ([\w., ]+))", re.MULTILINE)
# A module that imports others whose names are not in it: any beside or below it.
IMPORT_BY_NAME = re.compile(r"\b(?:import_module|iter_modules)\(")
DOCUMENT = re.compile(r"\.md[\"']")  # a file's name, not a remark's
# It copies documents into the package, for no test of FOLDER.
COPIES_DOCUMENTS = PROJECT_DIR / "js" / "bundle.py"


@dataclass(frozen=True)
class Tests:
    """Those of a file with the same needs. `are_seen`: `READS` sees all that they read of ROOTS, but for programs."""

    file: Path
    needs: frozenset[Need]
    are_seen: bool

    @staticmethod
    def of(item: pytest.Item) -> "Tests":
        """Return those that a test is of."""
        needs, folder = needs_of(item), item.path.parent.name
        # A browser of Selenium keeps the site's service worker, which answers in place of the server.
        keeps_files = folder == SITE and "engine_browser" in getattr(item, "fixturenames", ())
        return Tests(item.path, needs, folder in SEEN_FOLDERS and needs <= SEEN_NEEDS and not keeps_files)

    def group(self, test: str) -> str:
        """Return which tests' reads count for a test: those of the file, with which it may share a page."""
        return test if self.file.parent.name == SITE else str(self.file)

    def entry(self, key: str) -> Path:
        """Return the file of the names of those that have passed."""
        return cache_dir() / "passed" / f"{self.file.stem}-{key}"


class Inputs:
    """Hashes of what tests read. Each is computed once, when first needed.

    Args:
        search_path: where Python finds the project's modules.
    """

    def __init__(self, search_path: Sequence[Path]) -> None:
        self._search_path = search_path
        self._hash_of = cache(self._hash)
        self._text = cache(partial(Path.read_text, encoding="utf-8"))
        self._imports = cache(self._find_imports)
        self._state = cache(_state)
        self.are_as_before = cache(self._find_are_as_before)

    def key(self, test: Tests) -> str:
        """Return a short text that differs if something is different that the tests may read."""
        return self._key(test, {*READ, *(path for need in test.needs for path in BUILT.get(need, []))})

    def key_besides_seen(self, test: Tests) -> str:
        """Return the same without what `READS` sees, but with what an earlier test may have loaded into their page."""
        shared = [LIBRARIES_DIR, *SHARED, *(POLYFILL if test.file.parent.name == "engines" else [])]
        modules = PACKAGE_DIR.glob("*/tflite_webnn.*")
        return self._key(test, {*READ, *shared, *modules} - {*ROOTS})

    def _key(self, test: Tests, read: set[Path]) -> str:
        python = self.imported(test.file)
        hashes = [machine(), *map(self._hash_of, sorted({PINS, *SCRIPTS, *python, *read}))]
        if any(DOCUMENT.search(self._text(file)) for file in python - {COPIES_DOCUMENTS}):
            hashes.append(self._hash_of(PROJECT_DIR))
        return user_cache.content_hash([], " ".join(hashes))

    def states(self, paths: Iterable[Path]) -> str:
        """Return a line for each path: its hash, and its name in the project."""
        read = (path for path in paths if not NOT_READ.search(path.as_posix()))
        return "".join(f"{self._state(path)} {path.relative_to(PROJECT_DIR)}\n" for path in sorted(read))

    def _find_are_as_before(self, name: str) -> bool:
        """Whether what is in a file of `_keep` has the same states as then."""
        states = (cache_dir() / READ_FOLDER / name).read_text(encoding="utf-8")
        return self.states(PROJECT_DIR / line.partition(" ")[2] for line in states.splitlines()) == states

    def imported(self, test_file: Path) -> frozenset[Path]:
        """Return the project's Python that a test file imports, itself, and the files whose fixtures it sees."""
        found: set[Path] = set()
        rest = [test_file, *(file for folder in test_file.parents if (file := folder / "conftest.py").is_file())]
        while rest:
            file = rest.pop()
            if file not in found:
                found.add(file)
                rest += self._imports(file)
        return frozenset(found)

    def _find_imports(self, file: Path) -> frozenset[Path]:
        text = self._text(file)
        names = set[str]()
        for base, members, plain in IMPORT.findall(text):
            names |= (
                {base, *(f"{base}.{member}" for member in re.findall(r"\w+", members))}
                if base
                else {name.split()[0] for name in plain.split(",") if name.strip()}
            )
        found = {path for name in names for path in self._modules(name.split("."))}
        return frozenset(found | set(file.parent.rglob("*.py"))) if IMPORT_BY_NAME.search(text) else frozenset(found)

    def _modules(self, parts: list[str]) -> Iterator[Path]:
        """Yield the files of a module and of the packages that it is in."""
        for count in range(1, len(parts) + 1):
            for folder in self._search_path:
                place = folder.joinpath(*parts[:count])
                yield from (file for file in (place.with_suffix(".py"), place / "__init__.py") if file.is_file())

    @staticmethod
    def _hash(path: Path) -> str:
        """Return the hash of a file, of what is read of a folder, or of the documents for the project's folder."""
        if path == PROJECT_DIR:
            folders = [PROJECT_DIR / "docs", PROJECT_DIR / "site", *READ]
            files = [*PROJECT_DIR.glob("*.md"), *(file for folder in folders for file in own_files(folder))]
            return user_cache.content_hash(file for file in files if file.suffix == ".md")
        if path in READ:
            return user_cache.content_hash(file for file in own_files(path) if not NOT_READ.search(file.as_posix()))
        return user_cache.content_hash([path] if path.exists() else [])


@cache
def machine() -> str:
    """Return the processor, the programs that tests start, and the variables that they may read."""
    processor = Path("/proc/cpuinfo")
    lines = processor.read_text().splitlines() if processor.exists() else [platform.processor()]
    programs = {
        *(Path(need.find() or "") for engine in ALL_ENGINES for need in engine.requirements),
        *(program.executable for program in installed.discover()),
        Path(shutil.which("node") or ""),
    }
    about = [(str(file), file.stat().st_size, file.stat().st_mtime_ns) for file in programs if file and file.is_file()]
    variables = {name for name in os.environ if name.startswith("TFLITE_WEBNN_")} - NOT_READ_VARIABLES
    given = [(name, os.environ[name]) for name in sorted(variables)]
    facts = [platform.platform(), platform.python_version(), os.cpu_count(), sorted(about), given]
    return f"{facts} {sorted({line for line in lines if line.startswith(('model name', 'flags'))})}"


class NotAgain:
    """pytest's hooks: leave out what has passed, and keep what passes."""

    def __init__(self) -> None:
        self._tests: dict[str, Tests] = {}
        self._keys: dict[Tests, str] = {}
        self._failed: set[str] = set()
        self._passed: set[str] = set()
        self._has_error = False
        READS.watch()

    @pytest.hookimpl(wrapper=True)
    def pytest_collection_finish(self, session: pytest.Session) -> Generator[None, object, object]:
        READS.begin()
        with READS.by(__name__):
            self._leave_out(session)
        return (yield)

    def _leave_out(self, session: pytest.Session) -> None:
        inputs = Inputs(session.config.getini("pythonpath"))
        kept = {item: Tests.of(item) for item in session.items if _is_kept(item)}
        self._tests = {item.nodeid: tests for item, tests in kept.items()}
        self._keys = {tests: inputs.key(tests) for tests in set(kept.values())}
        known = set[str]().union(*(_known(tests, key, inputs) for tests, key in self._keys.items()))
        for item in kept:
            if item.nodeid in known:
                title = f"Tests of {item.path.parent.relative_to(session.config.rootpath)}"
                item.setup = lambda: None  # type: ignore[method-assign]
                item.runtest = partial(user_cache.taken.append, title)  # type: ignore[method-assign]
                del self._tests[item.nodeid]

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, object, object]:
        with READS.by(Tests.of(item).group(item.nodeid)):
            return (yield)

    @pytest.hookimpl(wrapper=True)
    def pytest_fixture_setup(self, fixturedef: pytest.FixtureDef[Any]) -> Generator[None, object, object]:
        with READS.by("") if fixturedef.scope in ("session", "package") else nullcontext():
            return (yield)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Note the outcome. What is found at the end of a fixture that tests share may be any test's fault."""
        if not report.passed:
            self._failed.add(report.nodeid)
            self._has_error |= report.failed and report.when != "call"
        elif report.when == "teardown" and report.nodeid in self._tests:
            self._passed.add(report.nodeid)

    def pytest_sessionfinish(self, session: pytest.Session, exitstatus: int) -> None:
        """Keep what has passed, unless what it may read has changed meanwhile."""
        if self._has_error or exitstatus not in (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED):
            return
        with READS.by(__name__):
            self._keep(session)

    def _keep(self, session: pytest.Session) -> None:
        inputs = Inputs(session.config.getini("pythonpath"))
        lines = defaultdict(list)
        for name in sorted(self._passed - self._failed):
            tests = self._tests[name]
            if inputs.key(tests) != self._keys[tests]:
                continue
            seen = READS.known(tests.group(name)) if tests.are_seen else None
            if seen is None:
                lines[tests.entry(self._keys[tests])].append(name)
            else:
                states = _keep(inputs.states(seen))
                lines[tests.entry(inputs.key_besides_seen(tests))].append(f"{name}{SEPARATOR}{states}")
        for entry, texts in lines.items():
            entry.parent.mkdir(parents=True, exist_ok=True)
            with entry.open("a", encoding="utf-8") as file:
                file.write("".join(f"{text}\n" for text in texts))


def _known(tests: Tests, key: str, inputs: Inputs) -> Iterator[str]:
    """Yield the names of those that have passed with what they read as it is now."""
    keys = [key, *([inputs.key_besides_seen(tests)] if tests.are_seen else [])]
    for entry in (tests.entry(key) for key in keys):
        for line in entry.read_text(encoding="utf-8").splitlines() if entry.exists() else []:
            name, _, states = line.partition(SEPARATOR)
            if not states or inputs.are_as_before(states):
                yield name


def _keep(states: str) -> str:
    """Keep what tests have read, and return the name of that file."""
    name = hashlib.sha256(states.encode()).hexdigest()[: user_cache.HASH_LENGTH]
    file = cache_dir() / READ_FOLDER / name
    if not file.exists():
        file.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile("w", dir=file.parent, delete=False, encoding="utf-8") as temporary:
            temporary.write(states)
        Path(temporary.name).replace(file)
    return name


def _state(path: Path) -> str:
    if path.is_dir():
        return hashlib.sha256("\n".join(sorted(entry.name for entry in path.iterdir())).encode()).hexdigest()
    return user_cache.file_sha256(path) if path.exists() else "missing"


def _is_kept(item: pytest.Item) -> bool:
    is_there = item.path.is_relative_to(item.config.rootpath / FOLDER)
    return is_there and bool(needs_of(item)) and not item.get_closest_marker(ALWAYS)
