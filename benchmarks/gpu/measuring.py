"""Measures on this machine, on a GPU in software, or packs what another machine needs."""

import tempfile
from collections.abc import Sequence
from pathlib import Path

from benchmarks.gpu import document, pack
from benchmarks.gpu.result import GpuResult
from support.command import run as run_command
from support.console import console, output
from support.paths import BUILD_DIR
from tools import result_file
from web_tests.browsers import downloads

RESULT = BUILD_DIR / "bench" / "gpu.json"
# A GPU in software is slow; on another machine it is run.sh's eight minutes.
MAX_SECONDS = 1800


def run(models: Sequence[str] | None, *, out: Path | None = None) -> int:
    """Measure on SwiftShader and return the exit status: 0, or 1 if something of this project's is wrong."""
    file = (out or RESULT).resolve()
    file.parent.mkdir(parents=True, exist_ok=True)
    driver = downloads.install_shell().parent / "vk_swiftshader_icd.json"
    with tempfile.TemporaryDirectory(prefix="tflite-webnn-") as temporary:
        directory = Path(temporary) / "gpu"
        pack.stage(directory, models or pack.MODELS)
        environment = {"VK_DRIVER_FILES": str(driver), "GPU_CHECK_SECONDS": str(MAX_SECONDS)}
        run_command(["sh", directory / "run.sh", file], env=environment)
    return report(file)


def pack_into(target: Path, models: Sequence[str] | None) -> int:
    """Write the archive for another machine."""
    with tempfile.TemporaryDirectory(prefix="tflite-webnn-") as temporary:
        directory = Path(temporary) / "gpu"
        pack.stage(directory, models or pack.MODELS)
        pack.archive(directory, target / pack.ARCHIVE)
    console.print(
        f"    {target / pack.ARCHIVE}; on the other machine: tar -xJf {pack.ARCHIVE} && sh gpu/run.sh result.json"
    )
    return 0


def report(file: Path) -> int:
    """Print a result and return the exit status: 1 if something of this project's is wrong."""
    found = result_file.read(GpuResult, file)
    output.print(document.tables(found), markup=False, soft_wrap=True)
    problems = found.problems((pack.GPU, pack.CPU))
    for problem in problems:
        console.print(f"[red]wrong:[/red] {problem}", soft_wrap=True)
    return int(bool(problems))
