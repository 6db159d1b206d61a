"""What tests are seen to read, and that only a change of that repeats them."""

from pathlib import Path

import pytest

from tools.suite import running
from tools.suite.reads import GLUE, LIBRARIES_DIR, POLYFILL, SHARED, Reads
from tools.support.paths import PACKAGE_DIR, PROJECT_DIR
from web_tests.server.server import EXAMPLES_DIR

CONFTEST = """
from pathlib import Path
import pytest
from tools.suite import passed, reads
pytest_plugins = ["tools.suite.plugin"]
ROOT = Path(__file__).parent
reads.ROOT_PREFIXES = (f"{ROOT}/build/",)
passed.PROJECT_DIR, passed.ROOTS, passed.READ, passed.SCRIPTS = ROOT, (ROOT / "build",), (ROOT / "build",), ()

@pytest.fixture(autouse=True)
def note(request):
    with open("ran.txt", "a") as file: file.write(f"{request.node.name}\\n")
"""
HEAD = "import subprocess\nfrom pathlib import Path\nimport pytest\npytestmark = pytest.mark.needs('webnn')\n"
TESTS = {
    "read": "def test_read(): Path('build/page.mjs').read_text()",
    "shared": """
@pytest.fixture(scope="module")
def page(): Path('build/page.mjs').read_text()
def test_shared_1(page): pass
def test_shared_2(page): pass
""",
    "session": """
@pytest.fixture(scope="session")
def common(): Path('build/common.mjs').read_text()
def test_session(common): pass
""",
    "absent": "def test_absent():\n    try: Path('build/new.mjs').read_text()\n    except OSError: pass",
    "listed": "def test_listed(): list(Path('build/folder').iterdir())",
    "program": "def test_program(): subprocess.run(['true'])",
    "browser": "def test_browser(): subprocess.run(['chromium'])",
}
ALL = {"read", "shared_1", "shared_2", "session", "absent", "listed", "program", "browser"}


def test_only_a_change_of_what_tests_have_read_repeats_them(
    cache_dir: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A program may have read anything, but for browsers; what a session's fixture reads may be kept for any test."""
    folder, built, ran = tmp_path / "web_tests" / "tests" / "browser", tmp_path / "build", tmp_path / "ran.txt"
    files = {
        tmp_path / "conftest.py": CONFTEST,
        tmp_path / "pytest.ini": "[pytest]\naddopts = --strict-markers -p xdist.plugin\npythonpath = .\n",
        tmp_path / "bin" / "chromium": "#!/bin/sh\n",
        **{built / name: "" for name in ("page.mjs", "common.mjs", "folder/one")},
        **{folder / f"test_{name}.py": HEAD + text for name, text in TESTS.items()},
    }
    for file, text in files.items():
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    (tmp_path / "bin" / "chromium").chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:/usr/bin:/bin")
    monkeypatch.setenv("PYTHONPATH", str(PROJECT_DIR))
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")
    monkeypatch.setattr(running, "PROJECT_DIR", tmp_path)

    def repeated_after(*changed: str) -> set[str]:
        for name in changed:
            (built / name).write_text("changed")
        ran.write_text("")
        assert running.run(["-n0", "--not-again", "-p", "no:cacheprovider", str(folder)]) == pytest.ExitCode.OK
        return {name.removeprefix("test_") for name in ran.read_text().split()}

    assert repeated_after() == ALL
    assert repeated_after("common.mjs") == ALL
    assert repeated_after("page.mjs") == {"read", "shared_1", "shared_2", "program"}
    assert repeated_after("new.mjs", "folder/two") == {"absent", "listed", "program"}


def test_a_shared_page_has_more_after_tests_that_loaded_more() -> None:
    reads = Reads()

    def load(group: str, *names: str, folder: Path = PACKAGE_DIR) -> None:
        with reads.by(group):
            for name in names:
                reads.note("open", (str(folder / name), "rb", 0))

    load("a", "index.mjs", f"simd/{GLUE}", "simd/tflite_webnn.wasm")
    load("b", "polyfill.mjs")
    since = reads.mark()
    assert not reads.has_more_than(SHARED, since=0)  # tests of "b" go on in the page that they have
    load("c", "vision.mjs")
    assert reads.has_more_than(SHARED, since=0)
    assert not reads.has_more_than((*SHARED, *POLYFILL), since=0)
    load("a", "index.mjs")
    assert reads.has_more_than((*SHARED, *POLYFILL), since=since)
    assert not reads.has_more_than(SHARED, since=reads.mark())
    since = reads.mark()
    load("d", "npy.mjs", folder=LIBRARIES_DIR)
    load("e", "page.html", folder=EXAMPLES_DIR)
    load("f")
    assert not reads.has_more_than(SHARED, since=since)
    load("g", "chained_inference.mjs", folder=EXAMPLES_DIR)
    load("h")
    assert reads.has_more_than(SHARED, since=since)
