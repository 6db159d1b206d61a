"""The seeded edits of the C++: in the sources, in the compiled modules, and in the tests."""

from pathlib import Path

import pytest

from js.bundle import VARIANTS
from support.command import CommandError
from support.paths import PROJECT_DIR
from tools.mutation import checkout, edits, goals, seeded
from tools.mutation.edits import Edit, EditError
from tools.mutation.result import KILLED, SURVIVED
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
