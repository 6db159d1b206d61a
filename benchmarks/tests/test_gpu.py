"""The check on a GPU: its archive, its result, docs/reference/gpu.md, and the check itself on a GPU in software."""

import tarfile
from dataclasses import replace
from pathlib import Path

import pytest

from benchmarks.gpu import document, measuring, pack
from benchmarks.gpu.pack import CPU, GPU, LITERT, ONNXRUNTIME, PackTooLargeError
from benchmarks.gpu.result import Adapter, Check, GpuResult, RuntimeVersion, SpeedRow
from support.command import CommandError, run
from tools import result_file

RESULT = GpuResult(
    started="2026-11-27T15:00:00+00:00",
    revision="abc",
    adapter=Adapter("a_vendor", "an_architecture", "0x1", "its driver", software=False),
    card="A Card, 580",
    processor="A Processor",
    cores=4,
    node="v22",
    dawn="0.6.2",
    runtimes=[RuntimeVersion(GPU, "1"), RuntimeVersion(CPU, "1"), RuntimeVersion(LITERT, "2")],
    speed=[
        SpeedRow("m", GPU, "direct", 2e-6, 1e-5, 10, 20, [3, 1, 2]),
        SpeedRow("m", CPU, "cpu", 0.0, 1e-5, 10, 20, [8.0]),
        SpeedRow("m", LITERT, "", 2e-5, 1e-5, 10, 20, [4.0]),
    ],
    checks=[Check("exportToGPU", True, "497")],
)


def test_the_table_has_times_ratios_and_errors() -> None:
    text = document.tables(RESULT)
    for part in (
        "| m | 2 ms (4), close 2e-06 | 8 ms, close 0 | 4 ms (2), off 2e-05 |",
        f"`{GPU}`, in ms: m 10 + 20.",
        "| exportToGPU | yes | 497 |",
        "A Card, 580: WebGPU's adapter 0x1 of a_vendor (its driver); A Processor, 4 cores",
    ):
        assert part in text
    assert "a GPU in software: WebGPU's" in document.tables(
        replace(RESULT, adapter=replace(RESULT.adapter, software=True))
    )


def test_a_failure_has_its_reason_and_no_time() -> None:
    failed = replace(RESULT, speed=[*RESULT.speed[:2], SpeedRow("m", LITERT, failure="no kernel")])
    text = document.tables(failed)
    assert "8 ms, close 0 | – |" in text
    assert f"- {LITERT} on m: no kernel" in text


@pytest.mark.parametrize(
    ("error", "grade"), [(1e-5, "close"), (1.1e-5, "off"), (0.25, "off"), (0.26, "WRONG"), (None, "WRONG")]
)
def test_an_error_decides_whether_a_speed_is_graded_close_off_or_wrong(error: float | None, grade: str) -> None:
    assert replace(RESULT.speed[0], error=error).grade == grade


def test_problems_are_those_of_this_project(tmp_path: Path) -> None:
    wrong_peer = replace(RESULT.speed[2], error=None)
    assert replace(RESULT, speed=[*RESULT.speed[:2], wrong_peer]).problems((GPU, CPU)) == []
    bad = replace(
        RESULT,
        speed=[replace(RESULT.speed[0], error=None), SpeedRow("m", CPU, failure="it hung")],
        checks=[Check("a lost device", False, "still there")],
    )
    assert bad.problems((GPU, CPU)) == [f"m on {CPU}: it hung", f"m on {GPU}: WRONG", "a lost device: still there"]
    for result, status in ((RESULT, 0), (bad, 1)):
        result_file.write(result, tmp_path / "gpu.json")
        assert measuring.report(tmp_path / "gpu.json") == status


def test_the_archive_is_one_directory_and_has_a_limit(tmp_path: Path) -> None:
    directory, file = tmp_path / "gpu", tmp_path / "out" / pack.ARCHIVE
    directory.mkdir()
    (directory / "run.sh").write_text("exit")
    pack.archive(directory, file)
    with tarfile.open(file) as tar:
        assert tar.getnames() == ["gpu", "gpu/run.sh"]
    with pytest.raises(PackTooLargeError, match=r"may have 0\.0") as caught:
        pack.archive(directory, file, limit=10)
    assert "fewer or smaller models" in (caught.value.hint or "")


def test_the_document_is_up_to_date() -> None:
    text = document.DOCUMENT.read_text(encoding="utf-8")
    assert text == document.text(), "run `python3 -m benchmarks.gpu --document` and read the difference"


@pytest.mark.needs("package", "webnn")
@pytest.mark.timeout(600)
def test_the_check_runs_on_a_gpu_in_software(tmp_path: Path) -> None:
    file = tmp_path / "gpu.json"
    status = measuring.run(["mlperftiny_kws_int8"], out=file)
    found = result_file.read(GpuResult, file)
    assert (status, found.problems((GPU, CPU))) == (0, [])
    assert found.adapter.software
    assert len(found.checks) == 6
    assert [(row.runtime, row.failure, len(row.ms)) for row in found.speed] == [
        (GPU, "", 1),
        (CPU, "", 1),
        (LITERT, "", 1),
        (ONNXRUNTIME, "its authors do not publish it as ONNX", 0),
    ]


@pytest.mark.needs("package", "webnn")
def test_a_machine_without_a_vulkan_driver_is_reported(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    pack.stage(tmp_path / "gpu", [])
    with pytest.raises(CommandError):
        run(["sh", tmp_path / "gpu" / "run.sh", tmp_path / "gpu.json"], env={"VK_DRIVER_FILES": "/no/driver.json"})
    assert "is the Vulkan driver installed?" in capfd.readouterr().err
