"""`build.py mutate` without its engines: the goals, the seeded edits, and how results are read and counted."""

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from js.bundle import VARIANTS
from js.node import JS_DIR
from tools.mutation import checkout, command, edits, goals, python, result, seeded, typescript
from tools.mutation.edits import Edit, EditError
from tools.mutation.goals import Goal, NoSuchFileError
from tools.mutation.python import Difference, UntestedModuleError
from tools.mutation.result import KILLED, SURVIVED, Mutant, Result, Score
from tools.support.command import CommandError
from tools.support.paths import PROJECT_DIR
from wasm.toolchain import variants
from wasm.toolchain.variants import VARIANTS_FILE
from web_tests.op_cases import all_cases

EDITS = edits.load()


@pytest.mark.parametrize("edit", EDITS, ids=lambda edit: f"{Path(edit.file).name}-{edit.op or Path(edit.tests).stem}")
def test_the_text_of_each_edit_is_once_in_its_file(edit: Edit) -> None:
    assert edit.line() > 0
    assert edit.old != edit.new


def test_each_edit_is_of_an_op_with_cases_or_names_its_tests_and_is_in_a_file_with_a_goal() -> None:
    assert {edit.op for edit in EDITS if not edit.tests} <= {case.op for case in all_cases()}
    assert all((PROJECT_DIR / edit.tests).is_file() for edit in EDITS if edit.tests)
    assert {edit.file for edit in EDITS} <= set(goals.files_of("cpp", goals.load()))


@pytest.mark.parametrize("text", ["int y = 1;", "int x = 1; int x = 1;"])
def test_an_edit_whose_text_is_not_once_in_its_file_is_refused(text: str) -> None:
    with pytest.raises(EditError, match=r"'int x = 1;' is \d times in op.cc") as error:
        edits.switched("op.cc", text, [(1, Edit("op.cc", "ADD", "1", "2", "int x = 1;"))])
    assert "seeded.toml" in str(error.value)


def test_an_edit_whose_expression_is_not_once_in_the_code_around_it_is_refused() -> None:
    with pytest.raises(EditError, match=r"'1' is 2 times in 'f\(1, 1\)'"):
        edits.switched("op.cc", "int x = f(1, 1);", [(1, Edit("op.cc", "ADD", "1", "2", "f(1, 1)"))])


def test_edits_that_overlap_are_refused() -> None:
    pair = [(1, Edit("op.cc", "ADD", "f(x)", "0", "f(x)")), (2, Edit("op.cc", "ADD", "x", "0", "f(x)"))]
    with pytest.raises(EditError, match="overlap"):
        edits.switched("op.cc", "int y = f(x);", pair)


def test_an_edit_has_its_line(tmp_path: Path) -> None:
    (tmp_path / "op.cc").write_text("// an op\nint x =\n  1;\n")
    assert Edit("op.cc", "ADD", "1", "2", "int x =\n  1;").line(tmp_path) == 3


def test_all_edits_are_in_the_sources_behind_a_switch(tmp_path: Path) -> None:
    (tmp_path / "wasm" / "delegate").mkdir(parents=True)
    (tmp_path / "wasm" / "variants.toml").write_text(VARIANTS_FILE.read_text())
    (tmp_path / "op.cc").write_text('// an op\n#include "a.h"\n#include "b.h"\nint x = f(1, 1) + y;\n')
    (tmp_path / "other.cc").write_text('#include "a.h"\nint z = 5;\n')
    chosen = [
        Edit("op.cc", "ADD", "y", "-y", "+ y"),
        Edit("other.cc", "ADD", "5", "6", "5"),
        Edit("op.cc", "ADD", "1", "2", "f(1,"),
    ]
    edits.apply(chosen, tmp_path)
    assert (tmp_path / "op.cc").read_text() == (
        '// an op\n#include "wasm/delegate/seeded_edit.h"\n#include "a.h"\n#include "b.h"\n'
        "int x = f((IsSeeded(3) ? (2) : (1)), 1) + (IsSeeded(1) ? (-y) : (y));\n"
    )
    assert "int z = (IsSeeded(2) ? (6) : (5));" in (tmp_path / "other.cc").read_text()
    header = (tmp_path / edits.HEADER).read_text()
    assert "int IsSeeded(int edit)" in header
    assert edits.SWITCH.search(header.encode())
    built = variants.load(tmp_path / "wasm" / "variants.toml").select(["all"])
    assert {variant.link_flags[-1] for variant in built} == {"-O1"}
    with pytest.raises(EditError, match="there are 1000 edits"):
        edits.apply(chosen[:1] * 1000, tmp_path)


def test_an_edit_is_chosen_in_the_compiled_modules(tmp_path: Path) -> None:
    modules = [tmp_path / "a.wasm", tmp_path / "b.wasm"]
    for module in modules:
        module.write_bytes(b"\0asm seeded edit 000\0 \xff")
    edits.choose(42, modules)
    edits.choose(7, modules)
    assert {module.read_bytes() for module in modules} == {b"\0asm seeded edit 007\0 \xff"}
    (tmp_path / "c.wasm").write_bytes(b"\0asm")
    with pytest.raises(EditError, match="has 0 switches"):
        edits.choose(1, [tmp_path / "c.wasm"])


def test_an_edit_is_tested_by_the_first_tests_that_notice_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    chosen = [Edit("op.cc", op, "1", "2", "1") for op in ("ADD", "SUB", "MUL")]
    chosen.append(Edit("cost.cc", "", "1", "2", "1", tests="test_cost.py"))
    asked: list[tuple[str, dict[int, str]]] = []

    def noticed(_folder: Path, tests: str, names: dict[int, str]) -> list[int]:
        asked.append((Path(tests).name, names))
        return {seeded.GRAPH_TESTS: [1], seeded.CASE_TESTS: [3], "test_cost.py": [4]}.get(tests, [])

    monkeypatch.setattr(Edit, "line", lambda _edit: 2)
    monkeypatch.setattr(checkout, "update", lambda: tmp_path)
    monkeypatch.setattr(seeded, "run", lambda _command, cwd: "")
    monkeypatch.setattr(seeded, "noticed", noticed)
    monkeypatch.setattr(edits, "apply", lambda _edits, _folder: None)
    assert [(mutant.outcome, mutant.by) for mutant in seeded.run_edits(chosen, jobs=1)] == [
        (KILLED, seeded.GRAPH_TESTS),
        (SURVIVED, ""),
        (KILLED, seeded.CASE_TESTS),
        (KILLED, "test_cost.py"),
    ]
    assert asked == [
        ("test_op_graphs.py", {1: "[ADD]", 2: "[SUB]", 3: "[MUL]"}),
        ("test_malformed_ops.py", {2: "", 3: ""}),
        ("test_ops.py", {2: "[SUB-", 3: "[MUL-"}),
        ("test_cost.py", {4: ""}),
    ]


def test_the_tests_of_each_edit_run_with_that_edit_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folders = [tmp_path / "build" / place / variant for place in ("wasm", "package") for variant in VARIANTS]
    modules = [folder / "tflite_webnn.wasm" for folder in folders]
    for module in modules:
        module.parent.mkdir(parents=True)
        module.write_bytes(b"seeded edit 009")
    (tmp_path / "test_op.py").write_text(f"""
import pytest

@pytest.fixture(scope="session")
def number():
    return int(open({str(modules[0])!r}).read()[-3:])

@pytest.mark.parametrize("case", [1, 2])
@pytest.mark.parametrize("op", ["ADD", "SUB", "MUL"])
def test_op(op, case, number):
    assert op != "MUL"
    assert (op, case, number) not in {{("ADD", 2, 1), ("SUB", 1, 3), ("ADD", 1, 2)}}
""")
    monkeypatch.setenv("PYTHONPATH", str(PROJECT_DIR))
    assert seeded.noticed(tmp_path, "test_op.py", {1: "[ADD-", 2: "[SUB-", 3: "[SUB-"}) == [1, 3]
    assert {module.read_bytes() for module in modules} == {b"seeded edit 000"}
    with pytest.raises(CommandError, match="exited with 1"):
        seeded.noticed(tmp_path, "test_op.py", {1: "[MUL-"})  # fails without an edit
    assert seeded.noticed(tmp_path, "test_op.py", {}) == []


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
        command.chosen_files(["cpp"], ["tools/support/cache.py"])


def test_files_are_chosen_by_part_or_by_pattern() -> None:
    assert set(command.chosen_files([], [])) == set(goals.PARTS)
    assert set(command.chosen_files(["python"], [])) == {"python"}
    patterns = ["tools/support/cache.py", "wasm/delegate/ops/spatial.h", "js/runtime/src/index.ts"]
    assert command.chosen_files([], patterns) == {
        "typescript": ["js/runtime/src/index.ts"],
        "python": ["tools/support/cache.py"],
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
    assert python.importing_tests("tools/support/cache.py") == ["tools/tests/test_cache.py"]
    assert "tools/tests/test_bench.py" in python.importing_tests("tools/bench/statistics.py")
    (tmp_path / "tools" / "tests").mkdir(parents=True)
    (tmp_path / "tools" / "tests" / "test_a.py").write_text("from tools.support import apt, caches\n")
    with pytest.raises(UntestedModuleError, match="imports it"):
        python.importing_tests("tools/support/cache.py", tmp_path)
    text = python.configuration(["tools/support/cache.py"], ["tools/tests/test_cache.py"])
    assert "source_paths=\n    tools\n" in text
    assert "only_mutate=\n    tools/support/cache.py\n" in text
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


@pytest.mark.usefixtures("cache_dir")
@pytest.mark.parametrize(("outcome", "status"), [(SURVIVED, 1), (KILLED, 0)])
def test_survivors_are_printed_and_a_missed_goal_is_the_exit_status(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], outcome: str, status: int
) -> None:
    mutant = Mutant("python", "tools/support/cache.py", 7, "x -> y", outcome)
    monkeypatch.setitem(command.RUNNERS, "python", lambda _files, _jobs: [mutant])
    out = tmp_path / "result.json"
    assert command.run(["python"], [], jobs=1, out=out) == status
    printed = capsys.readouterr().out
    assert ("tools/support/cache.py:7: x -> y" in printed) == (outcome == SURVIVED)
    assert "80 %" in printed
    assert json.loads(out.read_text())["mutants"][0]["line"] == 7


@pytest.mark.usefixtures("cache_dir")
def test_a_batch_that_has_ended_is_not_mutated_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ran: list[str] = []

    def run_files(files: Sequence[str], _jobs: int) -> list[Mutant]:
        ran.extend(files)
        if files == ["b.py"]:
            raise CommandError("stopped")
        return [Mutant("python", file, 1, "x", KILLED, "test") for file in files]

    monkeypatch.setattr(command, "PROJECT_DIR", tmp_path)
    monkeypatch.setitem(command.RUNNERS, "python", run_files)
    monkeypatch.setitem(command.TESTS_OF, "python", lambda _files: ["test.py"])
    for name in ("a.py", "b.py", "test.py"):
        (tmp_path / name).write_text(name)
    for _ in range(2):
        with pytest.raises(CommandError):
            command.run_parts({"python": ["a.py", "b.py"]}, jobs=1)
    assert ran == ["a.py", "b.py", "b.py"]
    assert command.run_parts({"python": ["a.py"]}, jobs=1).mutants == (Mutant("python", "a.py", 1, "x", KILLED, "test"),)
    (tmp_path / "test.py").write_text("changed")
    command.run_parts({"python": ["a.py"]}, jobs=1)
    assert ran[3:] == ["a.py"]


def test_files_are_mutated_in_batches() -> None:
    files = ["js/a/src/x/b.ts", "js/a/src/c.ts", "js/a/src/x/a.ts"]
    assert command.batches("typescript", files) == [["js/a/src/c.ts"], ["js/a/src/x/a.ts", "js/a/src/x/b.ts"]]
    assert command.batches("python", ["a.py", "b.py"]) == [["a.py"], ["b.py"]]
    assert command.batches("cpp", ["a.cc", "b.cc"]) == [["a.cc", "b.cc"]]
    assert set(command.TESTS_OF["typescript"](files)) == {"js/a/tests"}
    assert list(command.TESTS_OF["python"](["tools/support/cache.py"])) == ["tools/tests/test_cache.py"]


def test_the_result_is_empty_without_mutants() -> None:
    assert result.scores([], {}) == ()
    result.show(Result((), {}, ()))


def test_the_scratch_checkout_has_changed_files_only_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
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
