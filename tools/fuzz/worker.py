"""The process that loads models one after the other; replaced when it hangs or exits."""

import json
import os
import shutil
import signal
import struct
import subprocess
import tempfile
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Self

from support.paths import BUILD_DIR, PROJECT_DIR
from tools.fuzz import outcome
from tools.fuzz.outcome import Outcome
from web_tests.limits.saved import CHROMIUM_147, limits_file

SCRIPT = PROJECT_DIR / "wasm" / "tools" / "fuzz_worker.mjs"
TIMEOUT_SECONDS = 20.0
# A huge shape must be rejected, not end the process. Allocation stacks are expensive in WebAssembly: only recorded when
# repeating a single model.
SANITIZER_OPTIONS = "allocator_may_return_null=1:detect_leaks=0:quarantine_size_mb=8"
FAST_OPTIONS = f"{SANITIZER_OPTIONS}:malloc_context_size=0"
LAST_OUTPUT_BYTES = 4000


def node_command(variant: str, *, invoke: bool, allocation_stacks: bool = False) -> list[str]:
    """Return the command of a worker for a compiled variant."""
    module = BUILD_DIR / "wasm" / variant / "tflite_webnn.mjs"
    options = SANITIZER_OPTIONS if allocation_stacks else FAST_OPTIONS
    # V8's heap limit is far above the replies' need; its stack must hold the module's deepest recursion.
    node = [shutil.which("node") or "node", "--stack-trace-limit=30"]
    return [*node, str(SCRIPT), str(module), str(limits_file(CHROMIUM_147)), options, *(["--invoke"] if invoke else [])]


class Worker:
    """One long-lived process, for a `with` block."""

    def __init__(self, command: Sequence[str], timeout_seconds: float = TIMEOUT_SECONDS) -> None:
        self._command = list(command)
        self._timeout_seconds = timeout_seconds
        self._process: subprocess.Popen[bytes] | None = None
        self._log = tempfile.TemporaryFile()  # noqa: SIM115  (closed by __exit__)

    def __enter__(self) -> Self:
        """Return the worker; its process starts with the first model."""
        return self

    def __exit__(self, *_: object) -> None:
        self._end()
        self._log.close()

    def run(self, model: bytes, runs: Sequence[Mapping[str, Any]] | None = None) -> Outcome:
        """Return the outcome of a model, and of `runs` in other shapes, in the form that the script describes.

        A process that hangs or exits is replaced for the next one.
        """
        process = self._process = self._process or self._start()
        phase, entered, load_seconds = "start", time.monotonic(), 0.0
        try:
            assert process.stdin
            for part in (model, json.dumps(runs).encode()):
                process.stdin.write(struct.pack("<I", len(part)) + part)
            process.stdin.flush()
            while True:
                reply = self._reply(process)
                now = time.monotonic()
                load_seconds += now - entered if phase in ("load", "describe") else 0
                if "outcome" in reply:
                    return replace(outcome.parse(reply), load_seconds=load_seconds)
                phase, entered = reply["phase"], now
        except TimeoutError:
            crash = outcome.crashed(phase, "hang", f"no response within {self._timeout_seconds:g} s")
        except (BrokenPipeError, EOFError):
            self._log.seek(0)
            last = self._log.read()[-LAST_OUTPUT_BYTES:]
            crash = outcome.crashed(phase, "exit", last.decode(errors="replace"))
        self._end()
        return crash

    def _start(self) -> subprocess.Popen[bytes]:
        self._log.truncate(0)
        pipe = subprocess.PIPE
        # A separate process group, to end with its children: the Python package's `node` starts another process.
        return subprocess.Popen(self._command, stdin=pipe, stdout=pipe, stderr=self._log, start_new_session=True)

    def _end(self) -> None:
        if self._process:
            os.killpg(self._process.pid, signal.SIGKILL)
            self._process.communicate()
            self._process = None

    def _reply(self, process: subprocess.Popen[bytes]) -> dict[str, Any]:
        """Return the next line of the process.

        Raises:
            TimeoutError: no reply in time; the process has been killed.
            EOFError: the process has ended.
        """
        assert process.stdout
        expired = threading.Event()

        def end() -> None:
            expired.set()
            os.killpg(process.pid, signal.SIGKILL)

        timer = threading.Timer(self._timeout_seconds, end)
        timer.start()
        line = process.stdout.readline()
        timer.cancel()
        if expired.is_set():
            raise TimeoutError
        if not line.endswith(b"\n"):
            raise EOFError
        reply: dict[str, Any] = json.loads(line)
        return reply
