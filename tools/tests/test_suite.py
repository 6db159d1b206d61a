"""Tiers and needs of tests, and which engines may be missing."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any, ClassVar, cast

import pytest

from support import paths
from support.errors import UsageError
from support.sample_seed import SEED_VARIABLE
from tools.options import TIERS
from tools.suite import needs, running
from tools.suite.needs import (
    ALL,
    BUILDS,
    ENGINES,
    PACKAGE,
    SITE,
    UNIT_TESTS,
    VARIANTS,
    WEBNN,
    WHEEL,
    Need,
    is_of_tier,
    most_needs,
)
from web_tests.browsers.engines import CHROMIUM_SELENIUM
from web_tests.browsers.engines import ENGINES as BROWSERS
from web_tests.references.golden import UPDATE_VARIABLE

NOTHING = frozenset[Need]()
# The exit status after a mistake on the command line.
MISTAKE = 2


@pytest.mark.parametrize(
    ("engine", "environment", "may_be_missing"),
    [
        ("firefox", {}, True),
        ("firefox", {"CI": "true"}, False),
        ("firefox", {"CI": "true", running.ALLOW_MISSING_VARIABLE: "webkitgtk,firefox"}, True),
        ("webnn", {}, False),
        ("webnn", {running.ALLOW_MISSING_VARIABLE: "webnn"}, True),
    ],
)
def test_an_engine_may_be_missing(
    engine: str, environment: dict[str, str], may_be_missing: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("CI", running.ALLOW_MISSING_VARIABLE):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert running.may_be_missing(engine) == may_be_missing


def test_the_names_are_those_of_the_engines() -> None:
    assert sorted(needs.ENGINES[1:]) == sorted(engine.name for engine in (*BROWSERS, CHROMIUM_SELENIUM))


@pytest.mark.parametrize(
    ("needed", "tiers"),
    [
        ([], ["unit"]),
        ([PACKAGE], ["node"]),
        ([UNIT_TESTS], ["node"]),
        ([PACKAGE, WEBNN], ["browser"]),
        ([WEBNN], ["browser"]),
        ([PACKAGE, "firefox"], ["other"]),
        ([UNIT_TESTS, "firefox"], ["other"]),
        ([VARIANTS], ["other"]),
        ([WHEEL, WEBNN], ["other"]),
        ([WEBNN, "firefox"], ["other"]),
    ],
)
def test_the_tier_follows_from_what_a_test_needs(needed: list[Need], tiers: list[str]) -> None:
    assert [tier for tier in TIERS if is_of_tier(frozenset(needed), tier, WEBNN)] == [*tiers, ALL]


def test_the_engine_of_the_browser_tier_is_chosen() -> None:
    firefox = frozenset([PACKAGE, Need("firefox")])
    assert is_of_tier(firefox, "browser", "firefox")
    assert not is_of_tier(firefox | {WEBNN}, "browser", "firefox")
    assert most_needs("browser", "firefox") == firefox


PROJECT = {
    "conftest.py": """
import pytest
from tools.suite.needs import PACKAGE, needing
pytest_plugins = ["tools.suite.plugin"]

@pytest.fixture
@needing(PACKAGE)
def server(): pass

@pytest.fixture(params=[pytest.param(name, marks=pytest.mark.needs(name)) for name in ("chromium", "firefox")])
def engine(request): pass
""",
    "pytest.ini": "[pytest]\naddopts = --strict-markers -p xdist.plugin\n",
    "test_it.py": """
import pytest

def test_alone(): pass
def test_served(server): pass
def test_in_engines(server, engine): pass
@pytest.mark.needs("wheel")
def test_wheel(): pass
""",
}


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project with tests that need different things."""
    for name, text in PROJECT.items():
        (tmp_path / name).write_text(text)
    monkeypatch.setenv("PYTHONPATH", str(paths.PROJECT_DIR))
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")  # loading the others takes most of pytest's start
    monkeypatch.setattr(running, "PROJECT_DIR", tmp_path)
    monkeypatch.delenv(SEED_VARIABLE, raising=False)
    return tmp_path


@pytest.mark.usefixtures("project")
def test_no_more_is_needed_than_what_is_chosen() -> None:
    assert running.needs([]) == {*BUILDS, *ENGINES}
    assert running.needs(["-k", "alone"], tier="unit") == NOTHING
    assert running.needs(["-k", "alone or wheel"]) == {WHEEL}
    assert running.needs(["test_it.py::test_in_engines[firefox]"]) == {PACKAGE, "firefox"}
    assert running.needs(["test_it.py"], tier="browser", engine="chromium") == {PACKAGE, "chromium"}


def test_fixtures_declare_what_they_need() -> None:
    """These files have no marks: each of the needs comes from one fixture of one of them."""
    files = ["site/test_theme.py", "browser/test_variables.py"]
    tests = [f"web_tests/tests/{file}" for file in files] + ["pyodide_pkg/tests/test_webnn.py"]
    assert not any("mark.needs" in (paths.PROJECT_DIR / test).read_text() for test in tests)
    assert running.needs(tests) == {SITE, PACKAGE, WEBNN, VARIANTS}


def test_what_cannot_be_collected_is_reported(project: Path) -> None:
    for arguments in (["no_such_file.py"], ["--no-such-option"], ["-k", "no_such_test"]):
        with pytest.raises(UsageError, match=arguments[-1]):
            running.needs(arguments)
    (project / "test_it.py").write_text("import pytest\n@pytest.mark.needs('whel')\ndef test_wheel(): pass\n")
    with pytest.raises(UsageError, match="test_wheel needs whel"):
        running.needs(["-k", "wheel"])


def test_a_tier_runs_its_tests_and_shows_the_seed_of_all_workers(
    project: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (project / "test_it.py").write_text(f"import os\ndef test_seed(): assert os.environ[{SEED_VARIABLE!r}] == ''\n")
    (project / "test_other.py").write_text("def test_served(server): pass\n")
    assert running.run(["-n1", "-p", "no:cacheprovider"], tier="unit") == pytest.ExitCode.TESTS_FAILED
    assert running.run(["-n0", "-p", "no:cacheprovider", "-k", "nothing"], tier="unit") == MISTAKE
    printed = capfd.readouterr().out
    seed = printed.partition(f"{SEED_VARIABLE}=")[2].split()[0]
    assert seed.isdecimal()
    assert f"assert '{seed}' == ''" in printed
    assert "1 failed in" in printed


GOLDEN_TEST = f"""
import os, pytest
@pytest.mark.golden
def test_it(): os.mkdir(__file__ + os.environ[{UPDATE_VARIABLE!r}])
"""


def test_golden_files_of_the_chosen_tests_are_rewritten(project: Path) -> None:
    (project / "pytest.ini").write_text("[pytest]\nmarkers = golden\n")
    for name in ("test_one.py", "test_two.py"):
        (project / name).write_text(GOLDEN_TEST)
    assert running.update_goldens(["-p", "no:cacheprovider", "test_two.py"]) == pytest.ExitCode.OK
    assert [directory.name for directory in project.glob("*.py1")] == ["test_two.py1"]


def test_a_build_that_is_missing_fails_its_tests(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(needs, "PACKAGE_DIR", tmp_path / "build" / "package")
    monkeypatch.setattr(needs, "built_variants", lambda: ["simd"])
    assert needs.missing([PACKAGE, VARIANTS, WHEEL, SITE, WEBNN]) == [PACKAGE, SITE, VARIANTS, WHEEL]


ONCE = """
from pathlib import Path
FILE = Path(__file__).with_name("created.txt")
def make(directory):
    (directory / "file").touch()
    with FILE.open("a") as created: created.write("once ")
    return [directory / "file"]
def test_once(once_per_run):
    (file,) = once_per_run("files", make)
    assert file.exists()
"""


def test_what_tests_share_is_created_once_for_all_workers(project: Path) -> None:
    for number in range(4):
        (project / f"test_once_{number}.py").write_text(ONCE)
    for runs, workers in ((1, "-n2"), (2, "-n0")):
        assert running.run([workers, "-p", "no:cacheprovider", "-k", "once"]) == pytest.ExitCode.OK
        assert (project / "created.txt").read_text() == "once " * runs


# In place of npm with vitest: notes the files, and fails a test of b.test.ts.
NPM_TEST = """#!/usr/bin/env python3
import json, sys
from pathlib import Path
files = [file for file in sys.argv if file.endswith(".test.ts")]
with Path(__file__).with_name("ran.txt").open("a") as ran:
    print(*(Path(file).name for file in files), file=ran)
def rows(file):
    failed = {"fullName": "divides", "status": "failed", "failureMessages": ["expected 2 to be 3"]}
    passed = {"fullName": "adds", "status": "passed", "failureMessages": []}
    return [passed, failed] if file.endswith("b.test.ts") else [passed]
report = [{"name": file, "message": "", "assertionResults": rows(file)} for file in files]
output = next(word for word in sys.argv if word.startswith("--outputFile.json="))
Path(output.partition("=")[2]).write_text(json.dumps({"testResults": report}))
"""
TYPESCRIPT_CONFTEST = """
from pathlib import Path
from support import npm
pytest_plugins = ["tools.suite.plugin", "tools.suite.typescript"]
npm._find_npm, npm.install = lambda: str(Path(__file__).parent / ".bin" / "npm"), lambda: None
def pytest_addoption(parser): parser.addoption("--randomly-seed", default=1)
"""


def test_typescript_files_are_chosen_as_others_and_the_failed_ones_again(
    project: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (project / "conftest.py").write_text(TYPESCRIPT_CONFTEST)
    (project / ".bin").mkdir()
    (project / ".bin" / "npm").touch(0o755)
    (project / ".bin" / "npm").write_text(NPM_TEST)
    for name in ("js/one/a.test.ts", "js/one/b.test.ts", "js/two/c.test.ts"):
        (project / name).parent.mkdir(parents=True, exist_ok=True)
        (project / name).write_text("describeOnModule(true)" if "c." in name else "")
    assert running.needs(["js"]) == {PACKAGE}
    assert running.run(["-n1", "js/one"]) == pytest.ExitCode.TESTS_FAILED
    printed = capfd.readouterr().out
    assert "SUBFAILED[divides] js/one/b.test.ts::test_every_vitest_test_of_the_file_passes" in printed
    assert "expected 2 to be 3" in printed
    assert running.run(["-n0", "--lf"]) == pytest.ExitCode.TESTS_FAILED
    assert (project / ".bin" / "ran.txt").read_text().splitlines() == ["a.test.ts b.test.ts", "b.test.ts"]


@dataclass(frozen=True)
class FakeTest:
    path: Path
    needs: list[str]
    nodeid: str = "a test"
    _fixtureinfo: ClassVar[Any] = SimpleNamespace(name2fixturedefs={})

    def iter_markers(self, _name: str) -> Iterator[pytest.Mark]:
        yield pytest.mark.needs(*self.needs).mark


def test_a_test_in_the_directory_of_another_tier_is_rejected() -> None:
    for directory, found in (("unit", "wheel"), ("browser", "nothing")):
        right, wrong = ([], ["wheel"]) if directory == "unit" else (["wheel"], [])
        path = needs.TESTS_DIR / directory / "test_it.py"
        assert needs.needs_of(cast(pytest.Item, FakeTest(path, right))) == set(right)
        with pytest.raises(pytest.UsageError, match=f"a test needs {found}: tests that need nothing are in tests/unit"):
            needs.needs_of(cast(pytest.Item, FakeTest(path, wrong)))
