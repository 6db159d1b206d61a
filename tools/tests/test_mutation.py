"""`build.py mutate` without its engines: the goals, and how results are read and counted."""

import json
from pathlib import Path

import pytest

from js.node import JS_DIR
from support.paths import PROJECT_DIR
from tools.mutation import checkout, command, goals, python, result, typescript
from tools.mutation.goals import Goal, NoSuchFileError
from tools.mutation.python import Difference, UntestedModuleError
from tools.mutation.result import KILLED, SURVIVED, Mutant, Result, Score


def test_every_goal_has_files() -> None:
    table = goals.load()
    assert {goal.part for goal in table} == set(goals.PARTS)
    names = {Path(file).name for file in goals.files_of("typescript", table)}
    assert names >= {
        "residency.ts",
        "schedule.ts",
        "prepared_model.ts",
        "webnn_session.ts",
        "fusion_rules.ts",
        "movement.ts",
    }
    assert goals.goal_of("js/webnn-polyfill/src/operators/movement.ts", table) == 92
    assert goals.goal_of("build.py", table) is None


def test_a_pattern_that_matches_nothing_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(NoSuchFileError, match=r"no file matches js/gone\.ts"):
        Goal("typescript", 90, ("js/gone.ts",)).paths(tmp_path)
    with pytest.raises(NoSuchFileError, match="none is of cpp"):
        command.chosen_files(["cpp"], ["support/cache.py"])


def test_cpp_tests_are_not_mutated() -> None:
    files = goals.files_of("cpp", goals.load())
    assert "wasm/delegate/graph/webnn_graph.cc" in files
    assert "wasm/delegate/graph/webnn_graph_test.cc" not in files


def test_files_are_chosen_by_part_or_by_pattern() -> None:
    assert set(command.chosen_files([], [])) == set(goals.PARTS)
    assert set(command.chosen_files(["python"], [])) == {"python"}
    patterns = ["support/cache.py", "wasm/delegate/ops/spatial.h", "js/runtime/src/index.ts"]
    assert command.chosen_files([], patterns) == {
        "typescript": ["js/runtime/src/index.ts"],
        "python": ["support/cache.py"],
        "cpp": ["wasm/delegate/ops/spatial.h"],
    }


def test_strykers_report_gives_lines_and_changes(tmp_path: Path) -> None:
    def row(status: str, line: int, columns: tuple[int, int], replacement: str) -> dict[str, object]:
        start, end = ({"line": line, "column": column} for column in columns)
        return {"status": status, "location": {"start": start, "end": end}, "replacement": replacement}

    rows = [
        row("Survived", 2, (8, 13), "a - b"),
        row("NoCoverage", 2, (8, 13), "a"),
        row("Timeout", 1, (1, 5), "c"),
        row("Ignored", 1, (1, 5), "d"),
    ]
    report = tmp_path / "report.json"
    report.write_text(json.dumps({"files": {"a/b.ts": {"source": "code\nreturn a + b;\n", "mutants": rows}}}))
    file = f"{JS_DIR.relative_to(PROJECT_DIR)}/a/b.ts"
    assert typescript.read(report) == [
        Mutant("typescript", file, 2, "a + b -> a - b", SURVIVED),
        Mutant("typescript", file, 2, "a + b -> a", SURVIVED),
        Mutant("typescript", file, 1, "code -> c", KILLED),
    ]


def test_mutmuts_difference_gives_the_line_in_the_module() -> None:
    source = "import os\n\n\ndef other():\n    return 1\n\n\ndef get():\n    x = 2\n    return 1\n"
    diff = "--- a.py\n+++ a.py\n@@ -1,3 +1,3 @@\n def get():\n     x = 2\n-    return 1\n+    return 2\n"
    assert python.difference("a.x_get__mutmut_3", diff, source) == Difference(10, "return 1", "return 2")
    assert python.difference("a.xǁClassǁget__mutmut_3", diff, source).line == 10


def test_modules_are_mutated_under_the_tests_that_import_them(tmp_path: Path) -> None:
    assert python.importing_tests("support/cache.py") == ["support/tests/test_cache.py"]
    assert "tools/tests/test_bench.py" in python.importing_tests("tools/bench/statistics.py")
    (tmp_path / "tools" / "tests").mkdir(parents=True)
    (tmp_path / "tools" / "tests" / "test_a.py").write_text("from support import apt, caches\n")
    with pytest.raises(UntestedModuleError, match="imports it"):
        python.importing_tests("support/cache.py", tmp_path)
    text = python.configuration(["support/cache.py"], ["support/tests/test_cache.py"])
    assert "source_paths=\n    tools\n" in text
    assert "only_mutate=\n    support/cache.py\n" in text
    assert "    --tier=unit\n" in text


def test_scores_are_by_file_and_the_lowest_is_first() -> None:
    mutants = [
        Mutant("python", "a.py", 1, "", KILLED),
        Mutant("python", "b.py", 1, "", KILLED),
        Mutant("python", "b.py", 2, "", SURVIVED),
    ]
    low, high = result.scores(mutants, {"b.py": 80.0})
    assert low == Score("python", "b.py", 2, 1, 80.0)
    assert (low.percent, low.is_below) == (50, True)
    assert (high.percent, high.is_below) == (100, False)
    assert not Score("python", "b.py", 5, 4, 80.0).is_below
    files = [
        Score("python", "a/b.py", 2, 1, 80.0),
        Score("python", "a/c.py", 2, 2, None),
        Score("cpp", "d/e.cc", 1, 0, 9),
    ]
    assert result.by_folder(files) == (Score("cpp", "d/", 1, 0, None), Score("python", "a/", 4, 3, None))


@pytest.mark.parametrize(("outcome", "status"), [(SURVIVED, 1), (KILLED, 0)])
def test_survivors_are_printed_and_a_missed_goal_is_the_exit_status(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], outcome: str, status: int
) -> None:
    mutant = Mutant("python", "support/cache.py", 7, "x -> y", outcome)
    monkeypatch.setitem(command.RUNNERS, "python", lambda _files, _jobs: [mutant])
    out = tmp_path / "result.json"
    assert command.run(["python"], [], jobs=1, out=out) == status
    printed = capsys.readouterr().out
    assert ("support/cache.py:7: x -> y" in printed) == (outcome == SURVIVED)
    assert "80 %" in printed
    assert json.loads(out.read_text())["mutants"][0]["line"] == 7


def test_files_are_mutated_in_batches() -> None:
    files = ["js/a/src/x/b.ts", "js/a/src/c.ts", "js/a/src/x/a.ts"]
    assert command.batches("typescript", files) == [["js/a/src/c.ts"], ["js/a/src/x/a.ts", "js/a/src/x/b.ts"]]
    assert command.batches("python", ["a.py", "b.py"]) == [["a.py"], ["b.py"]]
    assert command.batches("cpp", ["a.cc", "b.cc"]) == [["a.cc", "b.cc"]]


def test_the_result_is_empty_without_mutants() -> None:
    assert result.scores([], {}) == ()
    result.show(Result((), {}, ()))


def test_only_changed_files_are_copied_to_the_scratch_checkout_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    project, folder = tmp_path / "project", tmp_path / "copy"
    for name, text in {"a.py": "1", "js/b.ts": "2"}.items():
        (project / name).parent.mkdir(parents=True, exist_ok=True)
        (project / name).write_text(text)
    monkeypatch.setattr(checkout, "install", lambda: None)
    monkeypatch.setattr(checkout, "run", lambda *_args, **_options: "a.py\0js/b.ts\0js/deleted.ts\0")
    checkout.update(folder, project)
    before = (folder / "a.py").stat().st_mtime_ns
    (project / "js" / "b.ts").write_text("3")
    checkout.update(folder, project)
    assert (folder / "js" / "b.ts").read_text() == "3"
    assert (folder / "a.py").stat().st_mtime_ns == before
    assert (folder / "js" / "node_modules").is_symlink()
