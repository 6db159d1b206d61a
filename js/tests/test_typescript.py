"""The TypeScript tests: one pytest test per file, one line per vitest test."""

import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

import filelock
import pytest

from js import vitest
from js.node import JS_DIR, MODULES_DIR
from js.vitest import TestResult
from tools.support.paths import PROJECT_DIR


@pytest.fixture(scope="session")
def results(tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest) -> dict[Path, list[TestResult]]:
    """What vitest reports of the chosen files; the first of pytest's workers runs it once for all of them.

    As with other tests, what has passed with the same files is repeated if somebody asks for it.
    """
    base = tmp_path_factory.getbasetemp()
    shared = base.parent if hasattr(request.config, "workerinput") else base
    report = shared / "vitest.json"
    with filelock.FileLock(shared / "vitest.lock"):
        if not report.exists():
            run = vitest.run_once if request.config.getoption("not_again") else vitest.run
            run(chosen_files(request.session), report, seed=request.config.getoption("randomly_seed"))
    return vitest.read(report)


def chosen_files(session: pytest.Session) -> list[Path]:
    """Return the files that this run of pytest asks for."""
    functions = [item for item in session.items if isinstance(item, pytest.Function)]
    return [Path(str(item.callspec.params["file"])) for item in functions if item.originalname == test_file.__name__]


def parameter(file: Path) -> Any:
    marks = pytest.mark.needs("package") if vitest.needs_module(file) else ()
    return pytest.param(file, id=str(file.relative_to(PROJECT_DIR)), marks=marks)


@pytest.mark.parametrize("file", [parameter(file) for file in vitest.files()])
def test_file(file: Path, results: dict[Path, list[TestResult]], subtests: pytest.Subtests) -> None:
    for result in results[file]:
        with subtests.test(result.name):
            if result.failure:
                pytest.fail(result.failure, pytrace=False)


def test_no_file_replaces_modules() -> None:
    """Files share the modules of their worker: one file's replacement would be in the others."""
    replacing = [file.name for file in vitest.files() if "vi.mock(" in file.read_text()]
    assert replacing == []


def test_what_did_not_pass_has_a_name_and_a_reason(tmp_path: Path) -> None:
    rows = [
        {"fullName": "adds", "status": "passed", "failureMessages": []},
        {"fullName": "divides", "status": "failed", "failureMessages": ["expected 2 to be 3"]},
        {"fullName": "waits", "status": "skipped", "failureMessages": []},
    ]
    files = [
        {"name": "/a.test.ts", "message": "", "assertionResults": rows},
        {"name": "/b.test.ts", "message": "no such module", "assertionResults": []},
    ]
    report = tmp_path / "vitest.json"
    report.write_text(json.dumps({"testResults": files}))
    assert vitest.read(report) == {
        Path("/a.test.ts"): [
            TestResult("adds", ""),
            TestResult("divides", "failed\nexpected 2 to be 3"),
            TestResult("waits", "skipped"),
        ],
        Path("/b.test.ts"): [TestResult("the file", "no such module")],
    }


@pytest.mark.parametrize(("ci", "outcome"), [("", "1 passed | 1 skipped"), ("true", "1 failed | 1 passed")])
def test_what_needs_the_module_is_skipped_without_it_and_fails_in_ci(tmp_path: Path, ci: str, outcome: str) -> None:
    js = tmp_path / "js"
    js.mkdir()
    shutil.copy(JS_DIR / "built_module.ts", js)
    (js / "node_modules").symlink_to(MODULES_DIR)
    (js / "package.json").write_text('{"type": "module"}')
    (js / "a.test.ts").write_text(
        "import { it } from 'vitest';\nimport { describeOnModule } from './built_module.js';\n"
        "it('needs nothing', () => {});\ndescribeOnModule('the module', () => it('runs', () => {}));\n"
    )
    environment = {**os.environ, "CI": ci, "NO_COLOR": "1"}
    command = [str(MODULES_DIR / ".bin" / "vitest"), "run"]
    done = subprocess.run(
        command, cwd=js, env=environment, capture_output=True, text=True, timeout=vitest.TIMEOUT_SECONDS, check=False
    )
    assert done.returncode == bool(ci)
    shown = done.stdout + done.stderr
    assert outcome in shown
    assert f"there is no {tmp_path}/build/wasm/simd/tflite_webnn.mjs: run python3 build.py build" in shown


@pytest.fixture
def report(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where a program in vitest's place, `tmp_path`/.bin/vitest, writes its report."""
    (tmp_path / ".bin").mkdir()
    (tmp_path / ".bin" / "vitest").touch(0o755)
    monkeypatch.setattr(vitest, "MODULES_DIR", tmp_path)
    return tmp_path / "vitest.json"


def test_an_error_outside_of_the_tests_fails_the_run(report: Path) -> None:
    """All tests passed, and vitest's exit status is not 0."""
    program = f"#!/bin/sh\necho '{{\"testResults\": []}}' > {report}\necho Unhandled Rejection\nexit 1\n"
    (report.parent / ".bin" / "vitest").write_text(program)
    with pytest.raises(vitest.VitestError, match="Unhandled Rejection"):
        vitest.run([], report, seed=1)


@pytest.mark.parametrize(("status", "runs"), [("passed", 2), ("failed", 4)])
def test_what_has_passed_is_not_repeated_until_a_file_changes(
    report: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, status: str, runs: int
) -> None:
    row = {"fullName": "adds", "status": status, "failureMessages": ["expected 2 to be 3"]}
    answer = json.dumps({"testResults": [{"name": "/a.test.ts", "assertionResults": [row]}]})
    ran = tmp_path / "ran"
    program = f"#!/bin/sh\necho once >> {ran}\necho '{answer}' > {report}\n[ {status} = passed ]\n"
    (tmp_path / ".bin" / "vitest").write_text(program)
    monkeypatch.setenv("TFLITE_WEBNN_CACHE", str(tmp_path / "cache"))
    source = tmp_path / "sources" / "a.ts"
    source.parent.mkdir()
    monkeypatch.setattr(vitest, "READ", [source.parent])
    for text in ("one", "one", "two", "two"):
        source.write_text(text)
        report.unlink(missing_ok=True)
        vitest.run_once([], report, seed=1)
        assert bool(vitest.read(report)[Path("/a.test.ts")][0].failure) == (status == "failed")
    assert len(ran.read_text().split()) == runs
