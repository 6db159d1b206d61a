"""`build.py test`: runs pytest over the Python tests of the toolchain and of the browsers."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping, Sequence

from tools.support.paths import PROJECT_DIR
from web_tests.references import golden

# pytest's own options cannot be used: they would be unknown when only other folders' tests are run.
ALLOW_NO_WEBNN_VARIABLE = "TFLITE_WEBNN_ALLOW_NO_WEBNN"

# Each worker drives a browser, which is busy while the worker waits: more workers than this do not help.
MAX_WORKERS = 4
# Where tests are marked `golden`; they start no browser.
GOLDEN_FOLDERS = ("web_tests/tests/explain", "web_tests/tests/graphs")


def run(pytest_args: Sequence[str], *, allow_no_webnn: bool) -> int:
    """Run pytest and return its exit status; pytest's closing line is the last thing printed.

    Args:
        pytest_args: passed to pytest, for example ["-k", "sin", "-x"].
        allow_no_webnn: skip, instead of fail, the tests that need a browser with WebNN when there is none.
    """
    workers = min(os.cpu_count() or 1, MAX_WORKERS)
    parallel = [] if any(argument.startswith("-n") for argument in pytest_args) else ["-n", str(workers)]
    environment = {**os.environ, ALLOW_NO_WEBNN_VARIABLE: "1" if allow_no_webnn else ""}
    return _run_pytest([*parallel, *pytest_args], environment)


def update_goldens() -> int:
    """Rewrite the golden files of the Python tests and return pytest's exit status."""
    return _run_pytest(["-m", "golden", *GOLDEN_FOLDERS], {**os.environ, golden.UPDATE_VARIABLE: "1"})


def _run_pytest(arguments: Sequence[str], environment: Mapping[str, str]) -> int:
    sys.stdout.flush()
    # A process of its own: pytest's import mode and plugins stay away from build.py's modules.
    command = [sys.executable, "-m", "pytest", *arguments]
    return subprocess.run(command, cwd=PROJECT_DIR, env=environment, check=False).returncode
