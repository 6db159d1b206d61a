"""What `python3 -m tools.patches` prints, and where."""

import argparse
from pathlib import Path

import pytest

from tools import patches


def test_the_table_is_on_standard_output(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert patches.run(argparse.Namespace(source=[("xnnpack_tests", tmp_path)])) == 1
    printed = capsys.readouterr()
    assert printed.out.startswith("conflicts           xnnpack_tests/0001-packed-depthwise-weights.patch: ")
    assert printed.err == ""
