"""pytest's plugin for the TypeScript tests: each file is a test, each vitest test in it a subtest."""

from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest

from js import typescript_file, vitest
from js.vitest import TestResult

Results = dict[Path, list[TestResult]]


class TypeScriptFile(pytest.Module):
    """A file of vitest's tests: its only test is that of typescript_file.py."""

    def _getobj(self) -> ModuleType:
        return typescript_file


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Module | None:
    if not file_path.name.endswith(vitest.SUFFIX):
        return None
    file: TypeScriptFile = TypeScriptFile.from_parent(parent, path=file_path)
    if vitest.needs_module(file_path):
        file.add_marker(pytest.mark.needs("package"))
    return file


@pytest.fixture(scope="session")
def vitest_results(
    once_per_run: Callable[[str, Callable[[Path], Results]], Results], request: pytest.FixtureRequest
) -> Results:
    """What vitest reports of the chosen files, all of which it runs in one process."""

    def run(folder: Path) -> Results:
        files = sorted({item.path for item in request.session.items if isinstance(item.parent, TypeScriptFile)})
        vitest.run(files, folder / "report.json", seed=request.config.getoption("randomly_seed"))
        return vitest.read(folder / "report.json")

    return once_per_run("vitest", run)
