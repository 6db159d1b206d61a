"""Runs pytest: over what was requested, to find what that needs, or to rewrite golden files."""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from support import command as commands
from support.command import CommandError
from support.errors import BuildError, UsageError
from support.paths import PROJECT_DIR
from tools.suite.needs import ALL, WEBNN, Need, most_needs
from web_tests.references import golden

# Set in the environment: pytest-xdist's workers and the processes that tests start inherit it.
ALLOW_MISSING_VARIABLE = "TFLITE_WEBNN_ALLOW_MISSING"

# Each worker drives a browser, which is busy while the worker waits: more workers do not help.
MAX_WORKERS = 4
HELP = "python3 build.py test --help"
# Where tests are marked `golden`; they start no browser.
GOLDEN_DIRECTORIES = ("web_tests/tests/explain", "web_tests/tests/graphs", "web_tests/tests/malformed/graph")


class CollectionError(BuildError):
    """pytest does not find the tests that are meant."""


def may_be_missing(engine: str) -> bool:
    """Whether the tests of a missing engine are skipped instead of failed.

    `--allow-missing` names it; except WebNN's, engines may be missing anywhere but in CI.
    """
    allowed = os.environ.get(ALLOW_MISSING_VARIABLE, "").split(",")
    return engine in allowed or (engine != WEBNN and os.environ.get("CI") != "true")


def needs(pytest_args: Sequence[str], *, tier: str = ALL, engine: str = WEBNN) -> frozenset[Need]:
    """Return what a run needs built or installed: with pytest's arguments, no more than the tests that they choose.

    Raises:
        CollectionError: pytest cannot collect them; the message has the end of its output.
        UsageError: pytest does not accept the arguments, or they choose no test.
    """
    most = most_needs(tier, engine)
    if not pytest_args or not most:
        return most
    with tempfile.TemporaryDirectory(prefix="tflite-webnn-") as directory:
        file = Path(directory) / "needs.json"
        quiet = ["--collect-only", "-qq", "-n0", f"--needs-file={file}"]
        command = [sys.executable, "-m", "pytest", *_tier_arguments(tier, engine), *pytest_args, *quiet]
        try:
            commands.run(command, cwd=PROJECT_DIR, capture=True, quiet=True)
        except CommandError as error:
            arguments = " ".join(pytest_args)
            match error.status:
                case pytest.ExitCode.NO_TESTS_COLLECTED:
                    raise UsageError(f"no test of the tier {tier} is chosen by: {arguments}", hint=HELP) from error
                case pytest.ExitCode.USAGE_ERROR:
                    raise UsageError(f"pytest does not start with: {arguments}\n{error.tail}", hint=HELP) from error
            raise CollectionError(f"pytest cannot collect the tests:\n{error.tail}") from error
        return frozenset(map(Need, json.loads(file.read_text())))


def run(pytest_args: Sequence[str], *, tier: str = ALL, engine: str = WEBNN, allow_missing: Sequence[str] = ()) -> int:
    """Run pytest and return 0, 1 or 2 (a mistake in its arguments); pytest's closing line is the last thing printed.

    Args:
        pytest_args: passed to pytest, for example ["-k", "sin", "-x"].
        tier: one of options.TIERS.
        engine: that of the tier `browser`, one of options.ENGINES.
        allow_missing: skip, instead of fail, the tests of these engines if they are missing.
    """
    # Unless it steals work, a worker has entire files, whose fixtures are then created once.
    workers = min(os.cpu_count() or 1, MAX_WORKERS)
    parallel = (
        [] if any(argument.startswith("-n") for argument in pytest_args) else ["-n", str(workers), "--dist=worksteal"]
    )
    environment = {**os.environ, ALLOW_MISSING_VARIABLE: ",".join(allow_missing)}
    return _run_pytest([*_tier_arguments(tier, engine), *parallel, *pytest_args], environment)


def update_goldens(pytest_args: Sequence[str]) -> int:
    """Rewrite the golden files of the chosen Python tests, or of all, and return the exit status, as run() does."""
    chosen = pytest_args or GOLDEN_DIRECTORIES
    return _run_pytest(["-m", "golden", *chosen], {**os.environ, golden.UPDATE_VARIABLE: "1"})


def _tier_arguments(tier: str, engine: str) -> list[str]:
    return [f"--tier={tier}", f"--engine={engine}"]


def _run_pytest(arguments: Sequence[str], environment: Mapping[str, str]) -> int:
    sys.stdout.flush()
    # A separate process: pytest's import mode and plugins stay away from build.py's modules.
    command = [sys.executable, "-m", "pytest", *arguments]
    # It owns the terminal: its colors, its progress and Ctrl-C.
    status = subprocess.run(command, cwd=PROJECT_DIR, env=environment, check=False).returncode  # noqa: TID251
    mistakes = (pytest.ExitCode.USAGE_ERROR, pytest.ExitCode.NO_TESTS_COLLECTED)
    return 2 if status in mistakes else int(status != pytest.ExitCode.OK)
