"""The process that loads models one after the other; replaced when it hangs or dies."""

import json
import os
import selectors
import shutil
import signal
import struct
import subprocess
import tempfile
import time
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace
from types import TracebackType
from typing import IO, Any, Self

from js.limits import CHROMIUM_147, limits_file
from support.paths import BUILD_DIR, PROJECT_DIR
from tools.fuzz import outcome
from tools.fuzz.outcome import Outcome

SCRIPT = PROJECT_DIR / "wasm" / "tools" / "fuzz_worker.mjs"
TIMEOUT_SECONDS = 20.0
# A huge shape must be refused, not end the process. Allocation stacks are expensive in WebAssembly: only recorded when
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
        self._files = ExitStack()
        self._process: subprocess.Popen[bytes] | None = None
        self._received = b""
        self._log: IO[bytes] | None = None

    def __enter__(self) -> Self:
        """Return the worker; its process starts with the first model."""
        self._log = self._files.enter_context(tempfile.TemporaryFile())
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._end()
        self._files.close()

    def run(self, model: bytes, runs: Sequence[Mapping[str, Any]] | None = None) -> Outcome:
        """Return the outcome of a model, and of `runs` in other shapes, in the form that the script describes.

        A process that hangs or dies is replaced for the next one.
        """
        process = self._process or self._start()
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
            self._end()
            return outcome.crashed(phase, "hang", f"no answer within {self._timeout_seconds:g} s")
        except (BrokenPipeError, EOFError):
            self._end()
            return outcome.crashed(phase, "died", self._last_output())

    def _start(self) -> subprocess.Popen[bytes]:
        self._received = b""
        assert self._log, "a worker is used in a with block"
        self._log.truncate(0)
        pipe = subprocess.PIPE
        # A separate process group, to end as a whole: the `node` of the Python package is a script that starts another.
        self._process = subprocess.Popen(
            self._command, stdin=pipe, stdout=pipe, stderr=self._log, start_new_session=True
        )
        return self._process

    def _end(self) -> None:
        if self._process:
            os.killpg(self._process.pid, signal.SIGKILL)
            for stream in (self._process.stdin, self._process.stdout):
                if stream:
                    _close(stream)
            self._process.wait()
            self._process = None

    def _reply(self, process: subprocess.Popen[bytes]) -> dict[str, Any]:
        """Return the next line of the process.

        Raises:
            TimeoutError: no reply in time.
            EOFError: the process has ended.
        """
        assert process.stdout
        end = time.monotonic() + self._timeout_seconds
        with selectors.DefaultSelector() as selector:
            selector.register(process.stdout, selectors.EVENT_READ)
            while b"\n" not in self._received:
                if not selector.select(max(end - time.monotonic(), 0)):
                    raise TimeoutError
                received = os.read(process.stdout.fileno(), 1 << 16)
                if not received:
                    raise EOFError
                self._received += received
        line, _, self._received = self._received.partition(b"\n")
        reply: dict[str, Any] = json.loads(line)
        return reply

    def _last_output(self) -> str:
        assert self._log
        self._log.seek(0)
        return self._log.read()[-LAST_OUTPUT_BYTES:].decode(errors="replace")


def _close(stream: Any) -> None:
    try:
        stream.close()
    except BrokenPipeError:
        return  # unwritten data has no reader
