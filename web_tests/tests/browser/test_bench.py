"""The bench command, end to end. How fast anything is, is not tested: that depends on the machine."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from wasm.toolchain.support.paths import PROJECT_DIR
from web_tests import networks

# A process of its own: Playwright's synchronous driver cannot be started twice in one thread.
PROGRAM = """
import sys
from pathlib import Path
from web_tests import bench
sys.exit(bench.run([Path(name) for name in sys.argv[1:]], json_output=True, browser=None, rounds=5))
"""


@pytest.mark.usefixtures("webnn_program")
def test_twins_take_turns_on_both_engines() -> None:
    files = [str(networks.path(name)) for name in ("u_net", "u_net_int8")]
    command = [sys.executable, "-c", PROGRAM, *files]
    done = subprocess.run(command, cwd=PROJECT_DIR, capture_output=True, text=True, timeout=240, check=False)
    assert done.returncode == 0, done.stderr
    answer = json.loads(done.stdout)
    assert [(row["name"], row["engine"]) for row in answer["rows"]] == [
        ("u_net.tflite", "webnn"),
        ("u_net.tflite", "cpu"),
        ("u_net_int8.tflite", "webnn"),
        ("u_net_int8.tflite", "cpu"),
    ]
    for row in answer["rows"]:
        assert row["nodes_delegated"] == (row["nodes_total"] if row["engine"] == "webnn" else 0)
        assert row["timing"]["median_ms"] >= row["timing"]["min_ms"] > 0
    assert [row["speed"] for row in answer["rows"][:2]] == [1, 1]
