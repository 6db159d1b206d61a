"""The tests that have passed before with all that they read as it is now: with `--not-again` they are not repeated.

This holds for tests of web_tests/tests that need a build. Those marked `always` run again: their results also depend
on time, memory or chance.
"""

import os
import platform
import re
import shutil
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, partial
from pathlib import Path

import pytest

from js.bundle import own_files
from tools.suite.needs import ALWAYS, PACKAGE, PROGRAMS, RELEASE, SITE, VARIANTS, WHEEL, Need, needs_of
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

IMPORT = re.compile(r"^[ \t]*(?:from ([\w.]+) import (\([^)]*\)|.*)|import ([\w., ]+))", re.MULTILINE)
# A module that imports others whose names are not in it: any beside or below it.
IMPORT_BY_NAME = re.compile(r"\b(?:import_module|iter_modules)\(")
DOCUMENT = re.compile(r"\.md[\"']")  # a file's name, not a remark's
# It copies documents into the package, for no test of FOLDER.
COPIES_DOCUMENTS = PROJECT_DIR / "js" / "bundle.py"


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

    def key(self, test_file: Path, needs: frozenset[Need]) -> str:
        """Return a short text that differs if something is different that the tests of a file read."""
        python = self.imported(test_file)
        read = {PINS, *READ, *SCRIPTS, *python, *(path for need in needs for path in BUILT.get(need, []))}
        hashes = [machine(), *map(self._hash_of, sorted(read))]
        if any(DOCUMENT.search(self._text(file)) for file in python - {COPIES_DOCUMENTS}):
            hashes.append(self._hash_of(PROJECT_DIR))
        return user_cache.content_hash([], " ".join(hashes))

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
                else {*plain.split(", ")}
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
        *(engine.executable() for engine in ALL_ENGINES),
        *(program.executable for program in installed.discover()),
        Path(shutil.which("node") or ""),
    }
    about = [(str(file), file.stat().st_size, file.stat().st_mtime_ns) for file in programs if file and file.is_file()]
    variables = {name: text for name, text in os.environ.items() if name.startswith("TFLITE_WEBNN_")}
    read = sorted(variables.keys() - NOT_READ_VARIABLES)
    facts = [platform.platform(), platform.python_version(), sorted(about), [(name, variables[name]) for name in read]]
    return f"{facts} {sorted({line for line in lines if line.startswith(('model name', 'flags'))})}"


class NotAgain:
    """pytest's hooks: leave out what has passed, and keep what passes."""

    def __init__(self) -> None:
        self._tests: dict[str, tuple[Path, frozenset[Need]]] = {}
        self._entries: dict[tuple[Path, frozenset[Need]], Path] = {}
        self._failed: set[str] = set()
        self._passed: set[str] = set()
        self._has_error = False

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        inputs = Inputs(session.config.getini("pythonpath"))
        kept = {item: needs_of(item) for item in session.items if _is_kept(item)}
        self._tests = {item.nodeid: (item.path, needs) for item, needs in kept.items()}
        self._entries = {test: _entry(inputs, *test) for test in set(self._tests.values())}
        known = {line for entry in self._entries.values() if entry.exists() for line in entry.read_text().splitlines()}
        for item in kept:
            if item.nodeid in known:
                title = f"Tests of {item.path.parent.relative_to(session.config.rootpath)}"
                item.setup = lambda: None  # type: ignore[method-assign]
                item.runtest = partial(user_cache.taken.append, title)  # type: ignore[method-assign]
                del self._tests[item.nodeid]

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Note the outcome. What is found at the end of a fixture that tests share may be any test's fault."""
        if not report.passed:
            self._failed.add(report.nodeid)
            self._has_error |= report.failed and report.when != "call"
        elif report.when == "teardown" and report.nodeid in self._tests:
            self._passed.add(report.nodeid)

    def pytest_sessionfinish(self, session: pytest.Session, exitstatus: int) -> None:
        """Keep what has passed, unless what it reads has changed meanwhile."""
        if self._has_error or exitstatus not in (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED):
            return
        names = defaultdict(list)
        for name in sorted(self._passed - self._failed):
            names[self._tests[name]].append(name)
        inputs = Inputs(session.config.getini("pythonpath"))
        for test, passed in names.items():
            if _entry(inputs, *test) == self._entries[test]:
                self._entries[test].parent.mkdir(parents=True, exist_ok=True)
                with self._entries[test].open("a", encoding="utf-8") as file:
                    file.write("".join(f"{name}\n" for name in passed))


def _is_kept(item: pytest.Item) -> bool:
    is_there = item.path.is_relative_to(item.config.rootpath / FOLDER)
    return is_there and bool(needs_of(item)) and not item.get_closest_marker(ALWAYS)


def _entry(inputs: Inputs, test_file: Path, needs: frozenset[Need]) -> Path:
    return cache_dir() / "passed" / f"{test_file.stem}-{inputs.key(test_file, needs)}"
