"""What tests need built or installed: build.py makes no more than the chosen tests declare, and tiers follow from it.

A test declares its needs by the marker `needs`, a fixture by the decorator `needing`.
"""

from collections.abc import Callable, Iterable
from itertools import chain
from pathlib import Path
from typing import Any, NewType, TypeVar, cast

import pytest

from support.paths import PACKAGE_DIR, PROJECT_DIR
from tools import options
from wasm.toolchain import programs
from wasm.toolchain.variants import built_variants, packaged_variants

Need = NewType("Need", str)
F = TypeVar("F", bound=Callable[..., Any])

PACKAGE = Need("package")  # build/package with the variant simd
VARIANTS = Need("variants")  # build/package with every variant
WHEEL = Need("wheel")  # build/pyodide
SITE = Need("site")  # build/site
RELEASE = Need("release")  # build/release, created with build/site
PROGRAMS = Need("programs")  # those of tools/programs/tested.py
UNIT_TESTS = Need("unit_tests")  # the C++ unit tests' program
BUILDS = (PACKAGE, VARIANTS, WHEEL, SITE, RELEASE, PROGRAMS, UNIT_TESTS)

WEBNN = Need("webnn")  # a browser with WebNN
ENGINES = tuple(map(Need, options.ENGINES))

# Its directory `unit` is of the tier `unit`, whose tests need nothing; that tier does not collect the others.
TESTS_DIR = PROJECT_DIR / "web_tests" / "tests"

ALL = "all"
OTHER = "other"


def needing(*needs: Need) -> Callable[[F], F]:
    """Return a decorator, below that of pytest, of a fixture whose tests need something."""

    def declare(function: F) -> F:
        function.__dict__["needs"] = needs
        return function

    return declare


def needs_of(item: pytest.Item) -> frozenset[Need]:
    """Return what a test needs.

    Raises:
        pytest.UsageError: its marker has a name that is not a need, or its directory is of another tier.
    """
    marked = [Need(name) for marker in item.iter_markers("needs") for name in marker.args]
    if unknown := set(marked) - {*BUILDS, *ENGINES}:
        raise pytest.UsageError(f"{item.nodeid} needs {', '.join(sorted(unknown))}: see tools/suite/needs.py")
    # pytest does not tell otherwise which functions the fixtures of a test are.
    fixtures = cast(Any, item)._fixtureinfo.name2fixturedefs.values()
    of_fixtures = (getattr(fixture.func, "needs", ()) for fixture in chain.from_iterable(fixtures))
    needs = frozenset([*marked, *chain.from_iterable(of_fixtures)])
    if item.path.is_relative_to(TESTS_DIR) and bool(needs) == is_unit(item.path):
        found = f"needs {', '.join(sorted(needs)) or 'nothing'}"
        raise pytest.UsageError(
            f"{item.nodeid} {found}: tests that need nothing are in {TESTS_DIR.name}/unit, and no others"
        )
    return needs


def is_unit(path: Path) -> bool:
    """Whether a path in TESTS_DIR is in the directory of the tier `unit`."""
    return path.relative_to(TESTS_DIR).parts[:1] == ("unit",)


def most_needs(tier: str, engine: str) -> frozenset[Need]:
    """Return everything that a test of a tier may need; `engine` is that of the tier `browser`."""
    bounds: dict[str, tuple[Need, ...]] = {
        "unit": (),
        "node": (PACKAGE, UNIT_TESTS),
        "browser": (PACKAGE, Need(engine)),
        OTHER: (*BUILDS, *ENGINES),
        ALL: (*BUILDS, *ENGINES),
    }
    return frozenset(bounds[tier])


def is_of_tier(needs: frozenset[Need], tier: str, engine: str) -> bool:
    """Whether a test with these needs is of a tier. Every test is of `all` and of one of the others."""
    if tier == ALL:
        return True
    if tier == OTHER:
        return not any(is_of_tier(needs, each, engine) for each in ("unit", "node", "browser"))
    if tier == "unit":
        return not needs
    required = {Need(engine)} if tier == "browser" else set[Need]()
    return bool(needs) and required <= needs <= most_needs(tier, engine)


def missing(needs: Iterable[Need]) -> list[Need]:
    """Return the builds that are missing; the fixtures of browsers and of PROGRAMS make or report them."""
    there: dict[Need, Callable[[], bool]] = {
        PACKAGE: (PACKAGE_DIR / "index.mjs").exists,
        VARIANTS: lambda: built_variants() == packaged_variants(),
        WHEEL: lambda: any((PACKAGE_DIR.parent / "pyodide").glob("*.whl")),
        SITE: (PACKAGE_DIR.parent / "site" / "index.html").exists,
        RELEASE: (PACKAGE_DIR.parent / "release" / "SHA256SUMS").exists,
        UNIT_TESTS: (programs.PROGRAMS_DIR / f"{programs.UNIT_TESTS}.wasm").exists,
    }
    return sorted(need for need in needs if need in there and not there[need]())
