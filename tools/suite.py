"""`build.py test`: runs pytest over the Python tests of the toolchain and of the browsers."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping, Sequence

from tools.support.paths import PROJECT_DIR
from web_tests.references import golden

# pytest's own options cannot be used: they would be unknown when only other folders' tests are run.
ALLOW_MISSING_VARIABLE = "TFLITE_WEBNN_ALLOW_MISSING"
# The browser with WebNN; the other names are those of web_tests.browsers.engines.
WEBNN = "webnn"
ENGINE_NAMES = (WEBNN, "chromium", "chromium-selenium", "firefox", "webkitgtk")

# Each worker drives a browser, which is busy while the worker waits: more workers than this do not help.
MAX_WORKERS = 4
# Where tests are marked `golden`; they start no browser.
GOLDEN_FOLDERS = ("web_tests/tests/explain", "web_tests/tests/graphs")


def may_be_missing(engine: str) -> bool:
    """Whether tests of an engine that is not there are skipped instead of failed.

    `--allow-missing` names it; apart from WebNN's, engines may be missing anywhere but in CI.
    """
    allowed = os.environ.get(ALLOW_MISSING_VARIABLE, "").split(",")
    return engine in allowed or (engine != WEBNN and os.environ.get("CI") != "true")


def run(pytest_args: Sequence[str], *, allow_missing: Sequence[str] = ()) -> int:
    """Run pytest and return its exit status; pytest's closing line is the last thing printed.

    Args:
        pytest_args: passed to pytest, for example ["-k", "sin", "-x"].
        allow_missing: skip, instead of fail, the tests of these engines (ENGINE_NAMES) if they are missing.
    """
    workers = min(os.cpu_count() or 1, MAX_WORKERS)
    parallel = [] if any(argument.startswith("-n") for argument in pytest_args) else ["-n", str(workers)]
    environment = {**os.environ, ALLOW_MISSING_VARIABLE: ",".join(allow_missing)}
    return _run_pytest([*parallel, *pytest_args], environment)


def update_goldens() -> int:
    """Rewrite the golden files of the Python tests and return pytest's exit status."""
    return _run_pytest(["-m", "golden", *GOLDEN_FOLDERS], {**os.environ, golden.UPDATE_VARIABLE: "1"})


def _run_pytest(arguments: Sequence[str], environment: Mapping[str, str]) -> int:
    sys.stdout.flush()
    # A process of its own: pytest's import mode and plugins stay away from build.py's modules.
    command = [sys.executable, "-m", "pytest", *arguments]
    return subprocess.run(command, cwd=PROJECT_DIR, env=environment, check=False).returncode
