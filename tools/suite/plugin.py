"""pytest's half of `build.py test`: tiers, needs, the seed of the sampled op cases, and what its workers share."""

import json
import pickle
from collections.abc import Callable
from datetime import UTC, datetime
from functools import cache
from os import environ
from pathlib import Path
from typing import Protocol, TypeVar

import filelock
import pytest

from support.cache import remove
from support.sample_seed import SEED_VARIABLE
from tools.options import TIERS
from tools.suite.needs import ALL, ENGINES, TESTS_DIR, WEBNN, is_of_tier, is_unit, missing, needs_of

T = TypeVar("T")


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("tflite-webnn")
    group.addoption("--tier", choices=TIERS, default=ALL, help="run only the tests of this tier")
    group.addoption("--engine", choices=ENGINES, default=WEBNN, help="the engine of the tier `browser`")
    group.addoption("--needs-file", type=Path, help="write what the collected tests need into this file, as JSON")


@pytest.hookimpl(tryfirst=True)  # before Hypothesis's plugin, which loads the profile
def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "needs(name, ...): what must be built or installed (tools/suite/needs.py)")
    # pytest-xdist's workers inherit it: a day that ends meanwhile does not divide them.
    environ.setdefault(SEED_VARIABLE, datetime.now(UTC).strftime("%Y%m%d"))
    if config.getoption("--hypothesis-profile", None):
        # Registers the profile. Here, because it imports native LiteRT, which every run of pytest would wait for.
        import web_tests.properties.search  # noqa: F401


def pytest_report_header() -> str:
    return f"op cases: sampled by {SEED_VARIABLE}={environ[SEED_VARIABLE]}"


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    is_other = collection_path.parent == TESTS_DIR and collection_path.is_dir() and not is_unit(collection_path)
    return True if is_other and config.getoption("--tier") == "unit" else None


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    tier, engine = config.getoption("--tier"), config.getoption("--engine")
    of_tier = {item: is_of_tier(needs_of(item), tier, engine) for item in items}
    config.hook.pytest_deselected(items=[item for item in items if not of_tier[item]])
    items[:] = [item for item in items if of_tier[item]]


def pytest_collection_finish(session: pytest.Session) -> None:
    file: Path | None = session.config.getoption("--needs-file")
    if file:
        needs = frozenset[str]().union(*map(needs_of, session.items))
        file.write_text(json.dumps(sorted(needs)))


def pytest_runtest_setup(item: pytest.Item) -> None:
    if lacking := _missing_builds(needs_of(item)):
        tests = item.nodeid.partition("::")[0]
        pytest.fail(f"not built: {', '.join(lacking)} (python3 build.py test {tests} builds it)", pytrace=False)


_missing_builds = cache(missing)


class OncePerRun(Protocol):
    """Returns what `make` returns: the first of pytest's workers that needs a name calls it, for all of them.

    `make` gets a directory, which remains until the next runs.
    """

    def __call__(self, name: str, make: Callable[[Path], T]) -> T: ...


@pytest.fixture(scope="session")
def once_per_run(tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest) -> OncePerRun:
    base = tmp_path_factory.getbasetemp()
    shared = base.parent if hasattr(request.config, "workerinput") else base

    def once(name: str, make: Callable[[Path], T]) -> T:
        directory, file = shared / name, shared / f"{name}.pickle"
        with filelock.FileLock(shared / f"{name}.lock"):
            if not file.exists():
                remove(directory)
                directory.mkdir()
                file.write_bytes(pickle.dumps(make(directory)))
        value: T = pickle.loads(file.read_bytes())
        return value

    return once
