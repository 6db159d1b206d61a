"""The outcome of one mutated model, and who is responsible for a crash."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

OWN_NAMESPACE = "tflite::webnn::"
# Phases before a model runs, and runs of models that are well-formed: nothing may crash there, in code of any project.
LOADING_PHASES = ("start", "load", "describe", "shapes", "delete")
# A frame of the sanitizer's report, of V8's stack of a trap, or of Emscripten's stack of an abort.
_FRAMES = (
    re.compile(r"^\s*#\d+ 0x[0-9a-f]+ in (?P<name>.+?)(\+0x[0-9a-f]+)? \("),
    re.compile(r"^\s*at (async )?(?P<module>\S+\.wasm)\.(?P<name>.+) \(wasm://"),
)
# Frames that do not identify the faulty code.
_RUNTIME = re.compile(
    r"^(__|_?abort|emscripten_|dlmalloc|malloc|free|realloc|calloc|mem(cpy|move|set|cmp)|str(len|cmp|ncmp)|posix_mem"
    r"|operator (new|delete)|std::|asan|wasm-function|raise|\(anonymous namespace\)::ScopedReport|handle[A-Z]"
    r"|(void |bool |int )?(std::__2::|__sanitizer|__asan|__ubsan|__interceptor)|flatbuffers::(?!Verif))"
)
SIGNATURE_FRAMES = 3
# TensorFlow Lite has a namespace for each kernel's file.
_KERNEL = re.compile(r"\btflite::ops::(?:builtin|custom)::(?P<name>\w+)::")


@dataclass(frozen=True)
class Crash:
    """A sanitizer's report, a trap, an abort, a hang, or the end of the process.

    Attributes:
        phase: load, describe, invoke or delete.
        kind: sanitizer, abort, hang, exit, or a JavaScript error's class.
        report: the output, with the stack.
    """

    phase: str
    kind: str
    report: str

    @property
    def frames(self) -> list[str]:
        """The functions of the first stack in the report, innermost first, without the runtime's own."""
        return list(_own_part(_frame_names(self.report)))

    @property
    def is_own(self) -> bool:
        """Whether this project is responsible: the crash is in a load or in its own function, or has no stack."""
        frames = self.frames
        return self.phase in LOADING_PHASES or not frames or OWN_NAMESPACE in frames[0]

    @property
    def kernel(self) -> str:
        """The kernel of TensorFlow Lite that crashed, by its file's name; empty if the stack has none."""
        found = next((match for frame in self.frames if (match := _KERNEL.search(frame))), None)
        return found["name"] if found else ""

    @property
    def signature(self) -> str:
        """A key that is mostly the same for crashes with the same cause."""
        where = " < ".join(_short(frame) for frame in self.frames[:SIGNATURE_FRAMES])
        return f"{self.phase}: {_what(self)} in {where or 'an unnamed function'}"


@dataclass(frozen=True)
class Outcome:
    """The outcome of a model.

    Attributes:
        kind: "rejected", "loaded", "ran" or "crashed".
        code: the runner's error code for a rejected model.
        delegated: number of a loaded model's nodes on WebNN.
        invoked: whether a loaded model ran on the CPU; None if that was not tried.
        results: of each run in other shapes, the outputs or the error's text.
        crash: of a crashed model.
        load_seconds: until it was loaded and described, or rejected; runs do not count.
    """

    kind: str
    code: str = ""
    delegated: int = 0
    invoked: bool | None = None
    results: tuple[Any, ...] = ()
    crash: Crash | None = None
    load_seconds: float = 0

    @property
    def label(self) -> str:
        """The outcome's row in the summary."""
        if self.crash:
            return f"crashed, {'this project' if self.crash.is_own else 'third-party kernels'}"
        if self.kind == "rejected":
            return f"rejected: {self.code}"
        run = {None: "", True: ", ran on the CPU", False: ", rejected the run"}[self.invoked]
        return f"loaded, {'partly on WebNN' if self.delegated else 'all on the CPU'}{run}"


def parse(reply: dict[str, Any]) -> Outcome:
    """Parse an outcome printed by wasm/tools/fuzz_worker.mjs."""
    if reply["outcome"] == "crashed":
        return crashed(reply["phase"], reply["kind"], reply["report"])
    code, delegated, invoked = reply.get("code", ""), reply.get("delegated", 0), reply.get("invoked")
    return Outcome(reply["outcome"], code, delegated, invoked, tuple(reply.get("results", ())))


def crashed(phase: str, kind: str, report: str) -> Outcome:
    return Outcome("crashed", crash=Crash(phase, kind, report))


def _frame_names(report: str) -> Iterator[str]:
    """Yield the functions of the first stack in the report; the allocation's stack comes second."""
    found = False
    for line in report.splitlines():
        match = next((match for pattern in _FRAMES if (match := pattern.match(line))), None)
        if match:
            found = True
            yield match["name"]
        elif found and not line.strip():
            return


def _own_part(names: Iterator[str]) -> Iterator[str]:
    inside_runtime = True
    for name in names:
        inside_runtime = inside_runtime and bool(_RUNTIME.match(name))
        if not inside_runtime:
            yield name


def _short(name: str) -> str:
    """Strip parameters and template arguments from a function's name."""
    name = name.replace("(anonymous namespace)::", "").replace("tflite::webnn::", "webnn::")
    depth, short = 0, []
    for character in name:
        depth += (character in "<(") - (character in ">)")
        if depth == 0 and character not in ">)":
            short.append(character)
        elif character == "(" and depth == 1:
            break
    return "".join(short).strip()[-100:]


def _what(crash: Crash) -> str:
    """Return the sanitizer's name of the error, else the kind."""
    for pattern in (r"AddressSanitizer: ([\w-]+)", r"runtime error: (.{0,60}?)( -?\d|,|$)", r"^\w*Error: (.{0,60})"):
        if match := re.search(pattern, crash.report, re.MULTILINE):
            return match[1]
    return crash.kind
