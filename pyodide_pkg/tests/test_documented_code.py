"""The Python code of the documents runs, on the session in Node; micropip stands for Pyodide's."""

import ast
import asyncio
import inspect
import re
import sys
from pathlib import Path
from types import CodeType, SimpleNamespace
from typing import Any

import numpy as np
import pytest

from pyodide_pkg.tests.node_backend import NodeBackend
from pyodide_pkg.tests.test_metadata import described
from support.paths import PROJECT_DIR
from web_tests.models import handmade

BLOCK = re.compile(r"^```(?:python|py)\n(.*?)^```", re.DOTALL | re.MULTILINE)
DIRECTORIES = (".", "docs", "docs/*", "pyodide_pkg", "js/*/*", "site", "tools", "web_tests")

Names = dict[str, Any]


def install(files: Path, names: Names) -> None:
    """What the first block needs: a model of an image, and the image."""
    (files / "efficientnet_lite0.tflite").write_bytes(handmade.tiny_network())
    names["pixels"] = np.linspace(-1, 1, 16 * 16 * 3, dtype=np.float32).reshape(1, 16, 16, 3)


def describe(files: Path, names: Names) -> None:
    (files / "model.tflite").write_bytes(described())
    names.update(pixels=np.full((1, 2), 127.5, np.float32), best=1)


def delegate(files: Path, names: Names) -> None:
    (files / "model.tflite").write_bytes(handmade.tiny_network())


# What each block of each document needs, in order.
NEEDS = {"pyodide_pkg/README.md": (install, describe, delegate)}


def documents() -> dict[str, list[str]]:
    """Return the Python blocks of all documents that have any."""
    files = sorted(file for directory in DIRECTORIES for file in PROJECT_DIR.glob(f"{directory}/*.md"))
    blocks = {str(file.relative_to(PROJECT_DIR)): BLOCK.findall(file.read_text(encoding="utf-8")) for file in files}
    return {name: found for name, found in blocks.items() if found}


def run_block(code: str, names: Names) -> None:
    """Run a block, which may have `await` outside of functions, as in Pyodide."""
    compiled: CodeType = compile(code, "<block>", "exec", ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
    result = eval(compiled, names)
    if inspect.isawaitable(result):
        asyncio.run(_awaited(result))


async def _awaited(result: Any) -> None:
    await result


async def _installed(*_: str) -> None:
    """Stand for micropip.install(): the package is there."""


def test_each_documented_block_has_a_row() -> None:
    """A new block needs a row of NEEDS."""
    assert {name: len(blocks) for name, blocks in documents().items()} == {
        name: len(rows) for name, rows in NEEDS.items()
    }


@pytest.mark.needs("variants")
def test_the_code_of_documents_runs(
    node: NodeBackend, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setitem(sys.modules, "micropip", SimpleNamespace(install=_installed))
    for document, blocks in documents().items():
        for prepare, code in zip(NEEDS[document], blocks, strict=True):
            names: Names = {"__name__": "__main__"}
            prepare(tmp_path, names)
            run_block(code, names)
    assert "Hund" in capsys.readouterr().out


def test_a_block_that_is_wrong_fails() -> None:
    with pytest.raises(NameError):
        run_block("await nothing_of_this_name()", {})
