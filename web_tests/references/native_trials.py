"""Models that may crash native LiteRT: each runs in its own process, forked from one that has loaded LiteRT.

Not one runner with properties.native and graph_outputs: there few of many models crash, so they share a process, which
a crash replaces; here most may, each needs its own process, and the reason of a crash is compared.
"""

import os
import pickle
import signal
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass

from support.paths import PROJECT_DIR
from web_tests.models.recipes import Array
from web_tests.references import native_litert
from web_tests.references.native_litert import Kernels

TIMEOUT_SECONDS = 60
_ONE_TRIAL_SECONDS = 20


@dataclass(frozen=True)
class Trial:
    """A run of a model, whose inputs are resized to those provided if `resize`."""

    model: bytes
    inputs: Sequence[Array]
    kernels: Kernels = "default"
    resize: bool = False


@dataclass(frozen=True)
class Outcome:
    """The result of a trial: outputs, or the error or the signal."""

    outputs: list[Array] | None
    problem: str = ""


def outcomes(trials: Sequence[Trial], *, memory_byte: int = 0) -> list[Outcome]:
    """Run models in native LiteRT, and return the outcome of each, in order.

    With `memory_byte`, glibc fills what it allocates with one value: outputs show what no kernel has written.
    """
    command = [sys.executable, "-c", f"from {__name__} import run_trials; run_trials()"]
    result = subprocess.run(  # noqa: TID251  # bytes
        command,
        input=pickle.dumps(list(trials)),
        capture_output=True,
        timeout=TIMEOUT_SECONDS,
        check=True,
        cwd=PROJECT_DIR,
        env={**os.environ, "MALLOC_PERTURB_": str(memory_byte)},
    )
    found: list[Outcome] = pickle.loads(result.stdout)
    return found


def run_trials() -> None:
    """Write the outcomes to standard output, in the process that `outcomes` starts."""
    found = [_tried(trial) for trial in pickle.load(sys.stdin.buffer)]
    pickle.dump(found, sys.stdout.buffer)


def _tried(trial: Trial) -> Outcome:
    """Run a model in a fork of this process."""
    receiver, sender = os.pipe()
    child = os.fork()
    if child == 0:
        signal.alarm(_ONE_TRIAL_SECONDS)
        with os.fdopen(sender, "wb") as pipe:
            pickle.dump(_run(trial), pipe)
        os._exit(0)
    os.close(sender)
    with os.fdopen(receiver, "rb") as pipe:
        content = pipe.read()
    _, status = os.waitpid(child, 0)
    if os.WIFSIGNALED(status):
        return Outcome(None, f"crashed with {signal.Signals(os.WTERMSIG(status)).name}")
    outcome: Outcome = pickle.loads(content)
    return outcome


def _run(trial: Trial) -> Outcome:
    try:
        return Outcome(native_litert.run_native(trial.model, trial.inputs, kernels=trial.kernels, resize=trial.resize))
    except native_litert.ReferenceError as error:
        return Outcome(None, str(error))
