"""vitest's tests as pytest's, and its failures."""

import json
import shutil
from contextlib import nullcontext
from pathlib import Path

import pytest

from support import npm
from support.command import CommandError, run
from support.npm import JS_DIR, MODULES_DIR
from support.paths import PROJECT_DIR
from tools.suite import running, typescript
from tools.suite.needs import PACKAGE, VARIANTS, WEBNN
from tools.suite.typescript import TestResult


def test_no_file_replaces_modules() -> None:
    """Files share the modules of their worker: one file's replacement would be in the others."""
    directories = ("js/apps", "js/packages", "js/scripts", "js/tests", "site/scripts/tests")
    files = [file for directory in directories for file in (PROJECT_DIR / directory).rglob(f"*{typescript.SUFFIX}")]
    assert files
    assert [file.name for file in files if "vi.mock(" in file.read_text()] == []


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
    assert typescript.read(report, "a hook failed") == {
        Path("/a.test.ts"): [
            TestResult("adds", ""),
            TestResult("divides", "failed\nexpected 2 to be 3"),
            TestResult("waits", "skipped\na hook failed"),
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
    lines: list[str] = []
    with pytest.raises(CommandError, match="exited with 1") if ci else nullcontext():
        run(
            [MODULES_DIR / ".bin" / "vitest", "run"],
            cwd=js,
            env={"CI": ci, "NO_COLOR": "1"},
            quiet=True,
            timeout_seconds=typescript.TIMEOUT_SECONDS,
            on_line=lines.append,
        )
    shown = "\n".join(lines)
    assert outcome in shown
    assert f"there is no {tmp_path}/build/wasm/simd/tflite_webnn.mjs: run python3 build.py build" in shown


def test_browser_tests_need_the_package_the_browser_and_what_they_name() -> None:
    assert running.needs(["js/browser_tests/custom_ops_on_threads.test.ts"]) == {PACKAGE, WEBNN, VARIANTS}


@pytest.fixture
def report(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where a program that replaces npm, `tmp_path`/npm, writes vitest's report."""
    (tmp_path / "npm").touch(0o755)
    monkeypatch.setattr(npm, "_find_npm", lambda: str(tmp_path / "npm"))
    return tmp_path / "vitest.json"


def test_an_error_outside_of_the_tests_fails_the_run(report: Path) -> None:
    """All tests passed, and vitest's exit status is not 0."""
    program = f"#!/bin/sh\necho '{{\"testResults\": []}}' > {report}\necho Unhandled Rejection\nexit 1\n"
    (report.parent / "npm").write_text(program)
    with pytest.raises(typescript.VitestError, match="Unhandled Rejection"):
        typescript.run_vitest([], report, seed=1)
