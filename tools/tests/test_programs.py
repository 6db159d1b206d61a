"""Files in a program's command line, and the results of kernel tests."""

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from support.paths import PROJECT_DIR
from tools.kernel_tests import document, registry
from tools.kernel_tests.cases import CASE_PREFIX, CaseResult, run_file
from tools.kernel_tests.command import check
from tools.kernel_tests.registry import XNNPACK_PREFIX, CaseRule, Registry, RegistryError
from tools.kernel_tests.result import FileResult, totals
from tools.programs import EXAMPLES
from tools.programs.hosts import OnLine, ProgramError
from tools.programs.invocation import Invocation, invocation

KNOWN = Registry(
    ("add_test",),
    {"if_test": "branches"},
    (CaseRule(("add_test",), ("*Slow*",), "takes an hour"),),
    (CaseRule(("add_*",), ("Add.Wraps",), "WebNN clamps"),),
)


def test_files_of_a_command_line_are_found(tmp_path: Path) -> None:
    for name in ("m.tflite", "a.bin", "b.bin"):
        (tmp_path / name).touch()
    (tmp_path / "out").mkdir()
    arguments = ["--graph=m.tflite", "--input_layer_value_files=x:a.bin,y:b.bin", "--csv=out/new.csv", "--num_runs=3"]
    found = invocation("benchmark_model", arguments, tmp_path)
    assert found.arguments == tuple(arguments)
    assert [path.name for path in found.files] == ["m.tflite", "a.bin", "b.bin"]
    assert tmp_path / "out" in found.directories


def test_the_examples_are_explained_and_link_as_the_readme_says() -> None:
    directory = PROJECT_DIR / "wasm" / "examples"
    readme = (directory / "README.md").read_text()
    assert {f"| `{name}` |" for name in EXAMPLES} == set(re.findall(r"^\| `\w+` \|", readme, re.MULTILINE))
    assert {file.stem for file in directory.glob("*.cc")} <= set(EXAMPLES)
    (own,) = re.findall(r"```cmake\n(.*?)```", readme, re.DOTALL)
    assert own.replace("my_program", "rfc_runner") in (directory / "CMakeLists.txt").read_text()


class ScriptedHost:
    """Prints a test's script; `run` logs the arguments of each start."""

    def __init__(self, *starts: Callable[[OnLine], int]) -> None:
        self._starts = list(starts)
        self.arguments: list[tuple[str, ...]] = []

    def run(self, invocation: Invocation, on_line: OnLine, *, timeout_seconds: float = 0) -> int:
        self.arguments.append(invocation.arguments)
        return self._starts.pop(0)(on_line)


def says(*events: tuple[str, str, int], status: int = 0) -> Callable[[OnLine], int]:
    def start(on_line: OnLine) -> int:
        for case, event, dispatches in events:
            row = {"case": case, "event": event, "dispatches": dispatches, "message": ""}
            on_line(f"{CASE_PREFIX}{json.dumps(row)}", False)
        return status

    return start


def test_a_case_that_ends_the_program_costs_that_case_only() -> None:
    def first(on_line: OnLine) -> int:
        says(("A.One", "started", 0), ("A.One", "passed", 1), ("A.Two", "started", 0))(on_line)
        on_line("RuntimeError: Aborted() (WebNN had computed 3 graphs)", True)
        return 134

    host = ScriptedHost(first, says(("A.Three", "started", 0), ("A.Three", "passed", 0)))
    cases = run_file(host, "a_test")
    assert [(case.name, case.outcome) for case in cases] == [
        ("A.One", "passed"),
        ("A.Two", "failed"),
        ("A.Three", "passed"),
    ]
    assert "status 134" in cases[1].message
    assert cases[1].dispatches == 2
    assert host.arguments[1] == ("--use_webnn=true", "--gtest_filter=*-GoogleTestVerification.*:A.One:A.Two")


def test_a_program_that_never_starts_is_an_error() -> None:
    with pytest.raises(ProgramError, match="a_test: the program ended with status 1"):
        run_file(ScriptedHost(says(status=1)), "a_test")


def test_what_fails_anyway_is_not_counted_and_what_is_known_is_explained() -> None:
    names = ("Add.Wraps", "Add.Broken", "Add.New", "Add.Good")
    outcomes = ("failed", "failed", "failed", "passed")
    webnn = says(*((name, outcome, 1) for name, outcome in zip(names, outcomes, strict=True)))
    without_webnn = says(("Add.Wraps", "passed", 0), ("Add.Broken", "failed", 0), ("Add.New", "passed", 0))
    host = ScriptedHost(webnn, without_webnn)
    result = check(host, "add_test", KNOWN)
    assert host.arguments[0][1] == "--gtest_filter=*-GoogleTestVerification.*:*Slow*"
    assert host.arguments[1] == (
        "--use_webnn=false",
        "--gtest_filter=Add.Wraps:Add.Broken:Add.New-GoogleTestVerification.*",
    )
    assert (len(result.delegated), result.passed) == (3, 1)
    assert [case.name for case in result.unexplained] == ["Add.New"]
    assert totals([result]).pass_rate == pytest.approx(1 / 3)
    text = document.text([result], KNOWN)
    assert "| add_test | `Add.Wraps` | WebNN clamps |" in text
    assert "| add_test | `*Slow*` | takes an hour |" in text
    assert "- branches: if_test" in text


def test_the_registry_is_complete() -> None:
    known = registry.load()
    of_xnnpack = [file for file in known.files if file.startswith(XNNPACK_PREFIX)]
    assert len(of_xnnpack) >= 60
    assert len(known.files) - len(of_xnnpack) >= 60
    assert len(known.files) == len(set(known.files))
    for rule in (*known.skipped, *known.failing):
        assert rule.reason, rule
        assert any(rule.is_about(file) for file in known.files), rule
    assert known.select(["add"]) == ["add_test"]
    with pytest.raises(RegistryError, match="no kernel test is called 'subtract'"):
        known.select(["subtract"])


def test_mistakes_of_the_registry_are_named(tmp_path: Path) -> None:
    path = tmp_path / "expectations.toml"
    path.write_text('files = ["a_test"]\nleft_out = []\n[[failing]]\nfiles = ["a_test"]\nreason = "x"\n')
    with pytest.raises(RegistryError, match="a row of failing has not just cases, files, reason"):
        registry.load([path])
    path.write_text('files = ["a_test"]\n[[left_out]]\nfiles = ["a_test"]\nreason = "x"\n')
    with pytest.raises(RegistryError, match="a_test is both run and left out"):
        registry.load([path])


def test_a_case_counts_as_delegated_when_webnn_computed_something() -> None:
    cases = (CaseResult("A.One", "passed", 0), CaseResult("A.Two", "passed", 2))
    assert totals([FileResult("a_test", cases, frozenset(), {})]).delegated == 1


def test_a_case_that_was_to_be_computed_entirely_counts_as_delegated() -> None:
    cases = (
        CaseResult("A.One", "failed", 0, "build() failed", rejection=""),
        CaseResult("A.Two", "passed", 0, rejection="no"),
    )
    result = FileResult("xnnpack_a_test", cases, frozenset(), {})
    assert [case.name for case in result.unexplained] == ["A.One"]
    assert result.rejections == {"no": 1}


def test_tests_of_xnnpack_are_a_separate_part() -> None:
    known = Registry(("a_test", "xnnpack_a_test"), {"b_test": "random", "xnnpack_b_test": "its caches"}, (), ())
    rejected = CaseResult("A.Two", "passed", 0, rejection="WebNN has no int64")
    rows = [
        FileResult("a_test", (CaseResult("A.One", "passed", 1),), frozenset(), {}),
        FileResult("xnnpack_a_test", (CaseResult("A.One", "passed", 1, rejection=""), rejected), frozenset(), {}),
    ]
    kernels, xnnpack = document.text(rows, known).split("# TensorFlow Lite's tests of XNNPACK's delegate")
    assert "Of 1 cases 1 are delegated" in kernels
    assert "- random: b_test" in kernels
    assert "Of 2 cases 1 are delegated" in xnnpack
    assert "- its caches: xnnpack_b_test" in xnnpack
    assert "| xnnpack_a_test | 1 | WebNN has no int64 |" in xnnpack
