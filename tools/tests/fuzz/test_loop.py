"""The fuzz step with a fake worker: outcomes, hangs and crashes, responsibility for crashes, saved files."""

import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest

from tools.fuzz import loop, mutator
from tools.fuzz.corpus import BaseModel, Corpus, MutatedModel, mutated
from tools.fuzz.loop import Plan, Result
from tools.fuzz.mutator import Step
from tools.fuzz.outcome import Crash
from tools.fuzz.worker import Worker
from tools.tests.fuzz import fake_worker
from web_tests.models.handmade import tiny_network

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


def test_third_party_crashes_are_counted_by_kernel() -> None:
    broadcast = trap(
        "void tflite::reference_ops::BroadcastImpl<8>(int)", "tflite::ops::builtin::broadcast_to::Eval(int)"
    )
    gemm = trap("ruy::Kernel<float>::Run(int)", "ruy::TrMul(int)")
    own = trap("tflite::ops::builtin::range::Prepare(int)", phase="load")
    result = Result(crashes=[(1, broadcast), (2, gemm), (3, own), (4, broadcast)])
    assert result.by_kernel == {"broadcast_to": 2, "unknown": 1}


def test_a_signature_has_no_arguments() -> None:
    frame = "bool tflite::(anonymous namespace)::Check<std::pair<int, int>>(int (*)(int), Foo<(A)1>)"
    assert trap(frame).signature == "invoke: memory access out of bounds in bool tflite::Check"


def test_a_batch_counts_and_keeps_crashes() -> None:
    corpus = Corpus((BaseModel("tiny_network", tiny_network()),))
    result = loop.run_batch(Plan(seed=1, count=5), range(5), corpus, FAKE)
    assert result.counts == {"rejected: MALFORMED_MODEL": 5}
    assert 0 < result.slowest[0] < 10
    assert "--seed 1 --first" in result.slowest[1]
    result.add(Result(crashes=[(7, trap("a")), (8, trap("b")), (9, trap("a"))]))
    assert sorted(result.by_signature.values()) == [[7, 9], [8]]


def test_batches_are_the_full_plan() -> None:
    batches = list(Plan(seed=1, count=600, first=100).batches())
    assert [index for batch in batches for index in batch] == list(range(100, 700))


def test_a_crash_is_kept_with_as_few_mutations_as_it_needs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # The second step alone crashes the fake.
    monkeypatch.setattr(mutator, "apply", lambda _, steps: b"crash" if Step("tensor.rank", 2) in steps else b"load")
    steps = (Step("tensor.rank", 1), Step("tensor.rank", 2))
    model = MutatedModel(3, BaseModel("tiny_network", b"base"), steps, b"crash")
    crash = Crash("load", "sanitizer", fake_worker.REPORT)
    smallest = loop.minimized(model, crash, FAKE)
    assert smallest == replace(model, steps=(Step("tensor.rank", 2),))
    file = tmp_path / "fuzz" / "1-3.tflite"
    loop.save(file, smallest, crash, Plan(seed=1, count=9).command_of(3))
    text = file.with_suffix(".txt").read_text()
    assert file.read_bytes() == b"crash"
    for part in ("base:      tiny_network", "tensor.rank (2)", "--seed 1 --first 3 --count 1", "ReadPaddings"):
        assert part in text


def test_the_model_of_a_number_is_what_its_command_runs() -> None:
    corpus = Corpus((BaseModel("tiny_network", tiny_network()),))
    plan = Plan(seed=5, count=1, first=42)
    (batch,) = plan.batches()
    assert mutated(corpus, plan.seed, batch[0]).index == 42
