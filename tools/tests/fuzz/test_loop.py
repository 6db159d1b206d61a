"""The fuzz step with a fake worker: outcomes, hangs and crashes, responsibility for crashes, saved files."""

import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest

from tools.fuzz import corpus, loop, mutator
from tools.fuzz.corpus import BaseModel, Corpus, MutatedModel, mutated
from tools.fuzz.mutator import Step
from tools.fuzz.outcome import Crash
from tools.fuzz.worker import Worker
from tools.tests.fuzz import fake_worker
from web_tests.models.handmade import tiny_network
from web_tests.models.model_writer import ModelWriter

FAKE = [sys.executable, fake_worker.__file__]
# Starts the program in its later arguments, writes its process id to the file in its first one, and waits.
WRAPPER = """
import pathlib, subprocess, sys
process = subprocess.Popen(sys.argv[2:])
pathlib.Path(sys.argv[1]).write_text(str(process.pid))
process.wait()
"""


def trap(*frames: str, phase: str = "invoke") -> Crash:
    stack = [f"    at tflite_webnn.wasm.{frame} (wasm://wasm/1:wasm-function[1]:0x2)" for frame in frames]
    return Crash(phase, "RuntimeError", "\n".join(["RuntimeError: memory access out of bounds", *stack]))


def test_a_worker_goes_on_after_every_kind_of_end() -> None:
    with Worker(FAKE, timeout_seconds=2) as worker:
        labels = [worker.run(model).label for model in (b"reject", b"exit", b"load", b"hang", b"crash", b"load")]
    assert labels == [
        "rejected: MALFORMED_MODEL",
        "crashed, this project",
        "loaded, partly on WebNN",
        "crashed, this project",
        "crashed, this project",
        "loaded, partly on WebNN",
    ]


def test_what_a_crashing_worker_printed_is_the_report() -> None:
    with Worker(FAKE) as worker:
        crash = worker.run(b"exit").crash
    assert crash
    assert (crash.phase, crash.kind, crash.report.strip()) == ("load", "exit", "out of memory")


def test_a_program_that_was_started_through_another_ends_with_it(tmp_path: Path) -> None:
    pid_file = tmp_path / "pid"
    with Worker([sys.executable, "-c", WRAPPER, str(pid_file), *FAKE], timeout_seconds=2) as worker:
        crash = worker.run(b"hang").crash
    assert crash
    assert crash.kind == "hang"
    pid = int(pid_file.read_text())
    deadline = time.monotonic() + 10
    while _is_running(pid) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not _is_running(pid)


def _is_running(pid: int) -> bool:
    """Return whether a process is more than a zombie."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().split()[2] != "Z"
    except OSError:
        return False


def test_a_hang_names_its_phase() -> None:
    with Worker(FAKE, timeout_seconds=1) as worker:
        crash = worker.run(b"hang").crash
    assert crash == Crash("load", "hang", "no response within 1 s")


def test_runs_do_not_count_as_time_to_load() -> None:
    with Worker(FAKE) as worker:
        outcome = worker.run(b"slow run")
    assert outcome.load_seconds < fake_worker.RUN_SECONDS


def test_a_report_is_known_by_its_innermost_own_function() -> None:
    crash = Crash("load", "sanitizer", fake_worker.REPORT)
    assert crash.signature == "load: heap-buffer-overflow in webnn::ReadPaddings"


def test_a_crash_belongs_to_the_innermost_function() -> None:
    kernel = "tflite::ops::builtin::pad::Eval(TfLiteContext*, TfLiteNode*)"
    own = "tflite::webnn::TFLiteWebModelRunner::Invoke()"
    assert not trap("memcpy", kernel, own).is_own
    assert trap("memcpy", own, kernel).is_own
    assert trap("handleShiftOutOfBoundsImpl(__ubsan::ShiftOutOfBoundsData*)", own, kernel).is_own
    assert trap(kernel, phase="load").is_own, "nothing may crash while loading"
    assert Crash("invoke", "RuntimeError", "unreachable").is_own, "a stack without names may be this project's"


def test_a_crash_names_its_kernel() -> None:
    broadcast = trap(
        "void tflite::reference_ops::BroadcastImpl<8>(int)", "tflite::ops::builtin::broadcast_to::Eval(int)"
    )
    assert broadcast.kernel == "broadcast_to"
    assert trap("ruy::Kernel<float>::Run(int)", "ruy::TrMul(int)").kernel == ""


def test_a_signature_has_no_arguments() -> None:
    frame = "bool tflite::(anonymous namespace)::Check<std::pair<int, int>>(int (*)(int), Foo<(A)1>)"
    assert trap(frame).signature == "invoke: memory access out of bounds in bool tflite::Check"


def run(
    content: bytes, indices: range, directory: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> tuple[int, str]:
    """Return the status, and what it prints, of a run of seed 5 with the fake worker."""
    monkeypatch.setattr(loop, "FUZZ_DIR", directory)
    detailed = [*FAKE, "stacks"]
    monkeypatch.setattr(
        loop, "node_command", lambda *_, allocation_stacks=False, **__: detailed if allocation_stacks else FAKE
    )
    monkeypatch.setattr(corpus, "collect", lambda _: Corpus((BaseModel("base", content),)))
    status = loop.run([5], indices, [], "simd", jobs=2)
    return status, " ".join(capsys.readouterr().out.split())


def test_a_run_counts_outcomes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    status, printed = run(tiny_network(), range(300), tmp_path, monkeypatch, capsys)
    assert status == 0
    assert "rejected: MALFORMED_MODEL 300 all 300 in" in printed
    assert "s to load or fail: python3 -m tools.fuzz --variant simd --seed 5 --first " in printed
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("name", "whose", "status"), [("crash", "this project", 1), ("kernel", "third-party kernels", 0)]
)
def test_of_each_kind_of_crash_one_model_is_saved(
    name: str,
    whose: str,
    status: int,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """The tensor's name, which the fake worker looks for, is in most of the mutated models."""
    writer = ModelWriter()
    x, y = writer.tensor(name, (4,)), writer.tensor("y", (4,))
    writer.node("NEG", [x], [y])
    content = writer.finish([x], [y])
    found, printed = run(content, range(40, 60), tmp_path, monkeypatch, capsys)
    models = [mutated(Corpus((BaseModel("base", content),)), 5, index) for index in range(40, 60)]
    first, steps = next((model.index, model.steps) for model in models if name.encode() in model.content)
    assert found == status
    assert sorted(file.name for file in tmp_path.iterdir()) == [f"5-{first}.tflite", f"5-{first}.txt"]
    text = (tmp_path / f"5-{first}.txt").read_text()
    assert f"whose:     {whose}\n" in text
    assert f"again:     python3 -m tools.fuzz --variant simd --seed 5 --first {first} --count 1\n" in text
    assert any(f"{step.mutation} ({step.seed})" in text for step in steps)
    assert fake_worker.STACKS in text, "a model that crashes runs again, with allocation stacks"
    assert f"crashed, {whose}" in printed
    assert ("pad " in printed) == (name == "kernel"), "third-party crashes are counted by kernel"


def test_a_crash_is_kept_with_as_few_mutations_as_it_needs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # The second step alone crashes the fake.
    monkeypatch.setattr(mutator, "apply", lambda _, steps: b"crash" if Step("tensor.rank", 2) in steps else b"load")
    steps = (Step("tensor.rank", 1), Step("tensor.rank", 2))
    model = MutatedModel(3, BaseModel("tiny_network", b"base"), steps, b"crash")
    crash = Crash("load", "sanitizer", fake_worker.REPORT)
    with Worker(FAKE) as worker:
        smallest = loop.minimized(model, crash, worker)
    assert smallest == replace(model, steps=(Step("tensor.rank", 2),))
    file = tmp_path / "fuzz" / "1-3.tflite"
    loop.save(file, smallest, crash, "command")
    text = file.with_suffix(".txt").read_text()
    assert file.read_bytes() == b"crash"
    for part in ("base:      tiny_network", "tensor.rank (2)", "again:     command\n", "ReadPaddings"):
        assert part in text
