"""The benchmark on fake runtimes: statistics, verdicts, rounds, tables, the result's schema."""

import json
from dataclasses import dataclass, field, replace
from io import StringIO
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from rich.console import Console

from support.errors import BuildError
from support.paths import PROJECT_DIR
from tools import result_file
from tools.bench import loading, result, speed, tables
from tools.bench.loading import Visit
from tools.bench.models import Task
from tools.bench.result import LoadRow, ModelRow, Result, SpeedRow
from tools.bench.runtimes import (
    HAND_WRITTEN,
    Runtime,
    UnknownRuntimeError,
    VariantsError,
    measures,
    of_packages,
    select,
)
from tools.bench.sessions import FirstRun, Session
from tools.bench.speed import MIN_TURN_MS, Candidate, Hosts, key_of, rounds_of_repetitions, time_interleaved
from tools.bench.verdict import Verdict, in_order, judge
from tools.measuring.browser import BrowserInfo
from tools.measuring.measurement import MeasuredModel
from tools.measuring.statistics import Spread, ratios, spread

SLOW = Runtime("litert.js/wasm", "CPU, 1 thread", "2")
FAST = Runtime("tflite-webnn/simd", "CPU, 1 thread", "1", is_measure=True)
LIAR = Runtime("litert.js/webnn", "WebNN", "2")
NONE = Runtime("onnxruntime-web/wasm", "CPU, 1 thread", "3", form="onnx")
MODEL = Task(
    MeasuredModel("a_model", b"model"),
    inputs=[],
    infos=[],
    output_infos=[],
    expected=[np.array([0.0, 1.0, 3.0])],
    expected_names=["y"],
    reference_error="",
    nodes=3,
    forms={"tflite": b"model", "onnx": BuildError("LOG has no conversion to ONNX")},
)
INFO = BrowserInfo("Some Browser", "147.0", "/usr/bin/some-browser", True, "")


@dataclass
class FakeSession:
    """Returns a fixed output after fixed milliseconds, and can crash in a round."""

    ms: float
    output: Any
    crashes_in_turn: int = -1
    load_ms: float = 1.0
    report: dict[str, Any] = field(default_factory=dict)
    turns: int = 0

    def first_run(self) -> FirstRun:
        return FirstRun(self.ms, [np.asarray(self.output)], ["y"])

    def turn(self, min_ms: float) -> float:
        self.turns += 1
        if self.turns == self.crashes_in_turn:
            raise BuildError("out of memory")
        return self.ms

    def dispose(self) -> None:
        pass


@dataclass
class FakeHost:
    session: FakeSession

    def open(self) -> float:
        return 0.0

    def load(self, task: Task) -> Session:
        return self.session

    def close(self) -> None:
        pass


def rows_of(sessions: dict[str, FakeSession], *runtimes: Runtime) -> dict[str, SpeedRow]:
    hosts = Hosts(lambda runtime: FakeHost(sessions[runtime.name]))
    rows = time_interleaved(
        hosts, [(MODEL, runtime) for runtime in runtimes], 4, measure_of=lambda one: key_of(one.task, FAST.name)
    )
    return {row.runtime: row for row in rows}


RIGHT = [0.0, 1.0, 3.0]


def test_a_spread_is_median_quartiles_and_minimum() -> None:
    assert spread([4, 1, 2, 3, 5]) == Spread(3, 2, 4, 1)
    assert spread([7]) == Spread(7, 7, 7, 7)
    assert spread([2, 1]) == Spread(1.5, 1.25, 1.75, 1)


def test_a_spread_has_four_digits_or_so() -> None:
    assert str(Spread(12.3, 12.1, 12.8, 12)) == "12.30 [12.10, 12.80]"
    assert str(Spread(10, 9.5, 11, 9)) == "10.00 [9.50, 11.00]"
    assert str(Spread(1.0234, 0.998, 1.031, 0.9)) == "1.023 [0.998, 1.031]"
    assert str(Spread(-12.3, -12.8, -12.1, -13)) == "-12.30 [-12.80, -12.10]"


def test_ratios_are_computed_round_by_round() -> None:
    """A round in which everything is ten times as slow has no effect."""
    assert ratios([2, 20, 2], [1, 10, 1]) == Spread(2, 2, 2, 2)


def test_ratios_of_different_numbers_of_rounds_are_rejected() -> None:
    with pytest.raises(ValueError, match="argument 2 is longer"):
        ratios([2, 20], [1, 10, 1])


@pytest.mark.parametrize(
    ("found", "grade", "note"),
    [
        (RIGHT, "same bits", ""),
        ([0.0, 1.000001, 3.0], "close", ""),
        ([0.0, 1.1, 3.0], "off", ""),
        ([0.0, 3.0, 0.0], "WRONG", "another output"),
        ([0.0, 0.0, 0.0], "WRONG", "all zeros"),
        ([1.0, 1.0, 1.0], "WRONG", "all the same"),
        ([0.0, np.nan, 3.0], "WRONG", "NaN"),
        ([0.0, 1.0], "WRONG", "outputs of other sizes"),
    ],
)
def test_outputs_are_graded_by_their_distance(found: list[float], grade: str, note: str) -> None:
    verdict = judge([np.array(found)], MODEL.expected, model="a_model", quantized=False, on_webnn=False)
    assert (verdict.grade, verdict.note) == (grade, note)


@pytest.mark.parametrize(
    ("expected", "found", "grades"),
    [
        (np.array([0, 100], np.int8), np.array([100, 102, 103], np.int32), ["same bits", "close", "off"]),
        # Dequantized: a step is 1/256 of the range.
        (np.array([0, 255], np.float32), np.array([255, 253.1, 252.9], np.float32), ["same bits", "close", "off"]),
    ],
)
def test_quantized_outputs_are_judged_in_steps(expected: Any, found: Any, grades: list[str]) -> None:
    outputs = [np.array([0, value], found.dtype) for value in found]
    assert [judge([x], [expected], model="m", quantized=True, on_webnn=True).grade for x in outputs] == grades


def test_outputs_are_matched_by_name_else_by_size() -> None:
    small, large = np.zeros(2), np.zeros(3)
    assert in_order([small, large], ["b", "a"], [large, small], ["a", "b"]) == [large, small]
    assert [array.size for array in in_order([small, large], ["?", "!"], [large, small], ["a", "b"])] == [3, 2]


def test_runtimes_are_chosen_by_pattern() -> None:
    assert select([SLOW, FAST, LIAR], ["litert.js/*"]) == [SLOW, LIAR]
    assert select([SLOW, FAST], []) == [SLOW, FAST]
    with pytest.raises(UnknownRuntimeError, match=r"no runtime is called tfjs"):
        select([SLOW, FAST], ["tfjs"])


def _package(directory: Path, *variants: str) -> Path:
    directory.mkdir()
    (directory / "manifest.json").write_text(json.dumps({"variants": {name: {} for name in variants}}))
    return directory


def test_packages_are_compared_with_the_first_one(tmp_path: Path) -> None:
    packages = [_package(tmp_path / name, "simd", "relaxed-simd") for name in ("old", "new")]
    runtimes = of_packages(packages)
    assert [runtime.package.name for runtime in runtimes] == ["old", "new"] * 2
    assert {group: runtime.name for group, runtime in measures(runtimes).items()} == {
        "WebNN": "tflite-webnn/webnn-1",
        "CPU, 1 thread": "tflite-webnn/cpu-1",
    }


def test_packages_with_other_variants_are_rejected(tmp_path: Path) -> None:
    packages = [_package(tmp_path / "old", "simd"), _package(tmp_path / "new", "simd", "relaxed-simd")]
    with pytest.raises(VariantsError, match=r"old has simd; .*new has relaxed-simd, simd"):
        of_packages(packages)


def test_first_results_alternate_from_round_to_round(monkeypatch: pytest.MonkeyPatch) -> None:
    visited: list[str] = []

    def visit(_launch: Any, _server: Any, _task: Task, runtime: Runtime) -> Visit:
        visited.append(runtime.name)
        return Visit(1, 2, 3 if runtime is FAST else 9, 0, 0, {}, 0, 0)

    monkeypatch.setattr(loading, "visit", visit)
    rows = loading.measure(lambda: None, lambda _: None, MODEL, [FAST, SLOW], 3, measure_of=lambda _: FAST.name)  # type: ignore[arg-type, return-value]
    assert visited == [FAST.name, SLOW.name, SLOW.name, FAST.name, FAST.name, SLOW.name]
    assert [row.ratio for row in rows] == [Spread(1, 1, 1, 1), Spread(2, 2, 2, 2)]


def test_rows_have_times_ratios_and_the_note_of_a_wrong_output() -> None:
    sessions = {
        SLOW.name: FakeSession(4, RIGHT),
        FAST.name: FakeSession(2, RIGHT),
        LIAR.name: FakeSession(1, [0.0, 0.0, 0.0]),
    }
    rows = rows_of(sessions, SLOW, FAST, LIAR, NONE)
    assert rows[SLOW.name].ratio == Spread(2, 2, 2, 2)
    assert rows[FAST.name].ms == Spread(2, 2, 2, 2)
    assert rows[LIAR.name].verdict.note == "all zeros"
    assert rows[NONE.name].failure == "LOG has no conversion to ONNX"
    assert sessions[FAST.name].turns == 4 + 2  # the warm-ups of two repetitions


def test_a_runtime_that_crashes_keeps_its_times_but_has_no_ratio() -> None:
    rows = rows_of({SLOW.name: FakeSession(4, RIGHT, crashes_in_turn=3), FAST.name: FakeSession(2, RIGHT)}, SLOW, FAST)
    assert rows[SLOW.name].failure == "out of memory"
    assert rows[SLOW.name].ms == Spread(4, 4, 4, 4)
    assert rows[SLOW.name].ratio is None
    assert rows[FAST.name].ratio == Spread(1, 1, 1, 1)


def a_result() -> Result:
    one, two = spread([1.0, 1.2]), spread([2.0, 2.4])
    load: dict[str, Any] = {
        "library_ms": one,
        "compile_ms": one,
        "first_run_ms": one,
        "gzip_bytes": 1,
        "downloaded_bytes": 2,
    }
    return Result(
        machine=result.machine_info(),
        browser=INFO,
        runtimes=[FAST, SLOW, LIAR],
        rounds=2,
        load_rounds=1,
        models=[ModelRow("a_model", 5, 3, False, {"onnx": "LOG has no conversion to ONNX"})],
        speed=[
            SpeedRow("a_model", FAST.name, Verdict("same bits", 0, 0), two, FAST.name, spread([1.0, 1.0])),
            SpeedRow("a_model", SLOW.name, Verdict("close", 1e-7, 3e-8), one, FAST.name, spread([0.5, 0.5])),
            SpeedRow("a_model", LIAR.name, Verdict("WRONG", float("nan"), 1.0, "all zeros"), one),
            SpeedRow("a_model", NONE.name, Verdict("not compared"), failure="LOG has no conversion to ONNX"),
        ],
        loading=[
            LoadRow("a_model", FAST.name, **load, total_ms=two, measure=FAST.name, ratio=spread([1.0])),
            LoadRow("a_model", SLOW.name, **load, total_ms=two, measure=FAST.name, ratio=spread([1.5])),
        ],
        load_average=(0.1, 0.2),
        started=result.now(),
        revision="",
    )


def test_json_has_null_for_nan_and_only_what_results_keep_of_runtimes() -> None:
    found = result_file.to_json(a_result())
    assert found["speed"][2]["verdict"]["absolute"] is None
    assert found["runtimes"][0] == {
        "name": FAST.name,
        "group": "CPU, 1 thread",
        "version": "1",
        "is_measure": True,
    }


def test_the_committed_result_is_one_that_the_benchmark_writes() -> None:
    file = PROJECT_DIR / "site" / "results" / "bench.json"
    assert result_file.to_text(result_file.read(Result, file)) == file.read_text(encoding="utf-8")


def test_the_tables_show_what_is_wrong_and_where_this_project_is_slower() -> None:
    text = StringIO()
    tables.show(Console(file=text, width=200), a_result())
    for line in (
        "WRONG: all zeros",
        "onnxruntime-web/wasm on a_model: LOG has no conversion to ONNX",
        "behind: a_model: tflite-webnn/simd takes 2.00 times as long as litert.js/wasm",
        "behind: a_model: the first result of tflite-webnn/simd takes 0.67 of litert.js/wasm's time, not half",
    ):
        assert line in text.getvalue()


@pytest.mark.parametrize(("ms", "count"), [(0.5, 1), (0.3, 0)])
def test_a_graph_by_hand_is_a_target_only_where_it_takes_long_enough(ms: float, count: int) -> None:
    row = SpeedRow("a_model", HAND_WRITTEN, Verdict("same bits", 0, 0), spread([ms]), FAST.name, spread([0.5]))
    lines = tables.shortfalls(replace(a_result(), speed=[row]))
    assert sum(HAND_WRITTEN in line for line in lines) == count


def test_the_order_of_candidates_alternates_from_round_to_round(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody always loads before, or runs after, the same one."""
    events: list[str] = []

    def enter(_: Hosts, one: Candidate) -> None:
        events.append(f"load {one.runtime.name}")
        one.session = FakeSession(1, [one.runtime.name])

    def turn(session: FakeSession, min_ms: float) -> float:
        if min_ms == MIN_TURN_MS:
            events.append(session.output[0])
        return 1.0

    monkeypatch.setattr(FakeSession, "turn", turn)
    monkeypatch.setattr(speed, "_enter", enter)
    rows_of({}, SLOW, FAST)
    slow, fast = SLOW.name, FAST.name
    rounds = [slow, fast, fast, slow]
    assert events == [f"load {slow}", f"load {fast}", *rounds, f"load {fast}", f"load {slow}", *rounds]


@pytest.mark.parametrize(
    ("rounds", "in_repetitions"), [(1, [1]), (3, [3]), (7, [3, 4]), (9, [2, 2, 2, 3]), (20, [5, 5, 5, 5])]
)
def test_every_repetition_has_its_rounds(rounds: int, in_repetitions: list[int]) -> None:
    repetitions = rounds_of_repetitions(rounds)
    assert [len(repetition) for repetition in repetitions] == in_repetitions
    assert [number for repetition in repetitions for number in repetition] == list(range(rounds))
