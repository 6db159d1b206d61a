"""The list of slow kernels."""

from pathlib import Path

import pytest

from benchmarks.kernels import cases, document, measuring
from benchmarks.kernels.cases import UnknownCaseError
from benchmarks.kernels.document import KernelResult
from benchmarks.kernels.document import KernelRow as Row
from tools import result_file
from tools.bench.result import Machine
from web_tests.op_cases import all_cases
from web_tests.op_cases.case import OpCase

ROWS = [Row("ADD-fast", 1.0, (1.5,)), Row("MUL-slow", 1.0, (9.0, 4.0)), Row("SUB-short", 0.001, (0.02,))]
RESULT = KernelResult(
    started="2026-11-28T10:00:00+00:00",
    revision="0123456789ab",
    machine=Machine("a processor", 2, [], 1, "a system"),
    load_average=(0.5, 1.0),
    variant="simd",
    rounds=5,
    packages=["old", "new"],
    rows=ROWS,
)


def _case(op: str, name: str) -> OpCase:
    return next(case for case in all_cases() if (case.op, case.name) == (op, name))


def test_a_case_gets_more_images() -> None:
    larger = cases.enlarged(_case("CONV_2D", "kernel_5x5"))
    assert larger.inputs()[0].size > cases.ELEMENTS // 2
    assert larger.inputs()[0].shape[1:] == (9, 8, 3)


def test_a_shape_in_the_file_grows_with_its_input() -> None:
    larger = cases.enlarged(_case("TRANSPOSE_CONV", "same_kernel_3_stride_2"))
    assert larger.inputs()[0].shape[0] > 1


def test_a_name_without_a_case_is_rejected() -> None:
    with pytest.raises(UnknownCaseError, match="no case is CONV_9D") as caught:
        list(cases.selected(["CONV_9D-*"], [], with_catalogue=False))
    assert "globs" in (caught.value.hint or "")


def test_rows_of_a_ratio_are_printed_and_short_ones_are_not(capsys: pytest.CaptureFixture[str]) -> None:
    measuring.report(RESULT, ratio=3.0)
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines[:-1]] == ["MUL-slow"]
    assert lines[-1].startswith("1 of 3 take at least 3 of native LiteRT's time, 0 fail; load ")


def test_the_page_has_the_slow_rows_and_says_so_without_a_result(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(document, "RESULT", tmp_path / measuring.FILE)
    assert document.text() == document.NO_RESULT
    measuring.report(RESULT, ratio=3.0, out=tmp_path)
    assert result_file.read(KernelResult, tmp_path / measuring.FILE) == RESULT
    lines = document.text().splitlines()
    assert lines[1].startswith("1 of 3 op cases take 3 times")
    assert [line for line in lines if line.startswith("| `")] == ["| `MUL-slow` | 1.00 | 4.00 | 4.0 |"]
