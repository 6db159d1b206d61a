"""The demo command, end to end."""

import json
import sys
from pathlib import Path

import pytest

from support.command import CommandError, run
from support.paths import PROJECT_DIR
from web_tests.browsers.installed import debian_chromium
from web_tests.models import handmade

pytestmark = pytest.mark.needs("package", "webnn")

# A separate process: Playwright's synchronous driver cannot start twice in one thread.
PROGRAM = """
import sys
from pathlib import Path
from tools.demo import demo
browser = Path(sys.argv[1]) if sys.argv[1] else None
sys.exit(demo.run([Path(name) for name in sys.argv[2:]], json_output=True, browser=browser, rounds=9))
"""


def run_demo(*files: Path, browser: str = "") -> str:
    command: list[str | Path] = [sys.executable, "-c", PROGRAM, browser, *files]
    return run(command, cwd=PROJECT_DIR, capture=True, quiet=True, timeout_seconds=240)


@pytest.mark.usefixtures("webnn_page")
def test_six_models_delegate_fully_and_are_timed_on_both_backends() -> None:
    result = json.loads(run_demo())
    assert result["browser"]["webnn"]
    assert len(result["models"]) == 6
    for row in result["models"]:
        assert row["nodes_delegated"] == row["nodes_total"] > 0, row["fallbacks"]
        # Speed is for the demo itself, on an idle machine.
        assert row["ratio"] > 0


def test_the_demo_says_why_there_is_no_webnn() -> None:
    program = debian_chromium()
    assert program
    result = json.loads(run_demo(browser=str(program.executable)))
    assert not result["browser"]["webnn"]
    assert "NotSupportedError" in result["browser"]["webnn_reason"]
    assert all("NotSupportedError" in row["fallback_reason"] and row["webnn"] is None for row in result["models"])


def test_the_demo_times_an_own_model_and_names_bad_files(tmp_path: Path) -> None:
    contents = {
        "good.tflite": handmade.tiny_network(),
        "zeros.tflite": handmade.zeros(),
        "flex.tflite": handmade.custom_op_model("FlexErf"),
        "cut.tflite": handmade.truncated(handmade.tiny_network()),
    }
    for name, content in contents.items():
        (tmp_path / name).write_bytes(content)
    with pytest.raises(CommandError) as failed:
        run_demo(*(tmp_path / name for name in contents))
    assert failed.value.status == 1
    result = json.loads(failed.value.stdout)
    assert [row["name"] for row in result["models"]] == ["good.tflite"]
    assert result["models"][0]["cpu_difference"]["relative"] < 1e-5
    assert {name: failure["name"] for name, failure in result["failures"].items()} == {
        "zeros.tflite": "NotATFLiteModelError",
        "flex.tflite": "UnsupportedOpError",
        "cut.tflite": "MalformedModelError",
    }
    assert "Traceback" not in failed.value.tail
