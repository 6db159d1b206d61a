"""What Node prints of an error that nobody catches: short lines, and our sources' names."""

from pathlib import Path

import pytest

from support.command import CommandError, run
from support.npm import pinned_node
from support.paths import PACKAGE_DIR
from web_tests.models import handmade
from web_tests.tests.node.programs import SCRIPTS_DIR

pytestmark = pytest.mark.needs("package")

LONGEST_LINE = 200
TIMEOUT_SECONDS = 60


# A model by its identifier, and nothing else.
BYTES = "Uint8Array.of(0, 0, 0, 0, 84, 70, 76, 51, 0)"


def printed(directory: Path, script: str, *flags: str) -> str:
    """Return what Node prints of a script's error; the package is installed next to it."""
    modules = directory / "node_modules"
    modules.mkdir()
    (modules / "tflite-webnn").symlink_to(PACKAGE_DIR)
    (directory / "model.tflite").write_bytes(handmade.tiny_network())
    (directory / "main.mjs").write_text(script)
    command = [pinned_node(), *flags, "main.mjs"]
    with pytest.raises(CommandError, match="exited with 1") as failed:
        run(command, cwd=directory, capture=True, quiet=True, timeout_seconds=TIMEOUT_SECONDS)
    return failed.value.tail


@pytest.mark.parametrize(
    ("script", "error", "frames"),
    [
        (
            f"const {{ loadTFLiteModel }} = await import('tflite-webnn'); await loadTFLiteModel({BYTES});",
            "malformed TensorFlow Lite model: ",
            ["errorFromRunner", "new WasmRunner", "openRunner", "prepareModel"],
        ),
        (
            "const { loadTFLiteModel } = await import('tflite-webnn'); await loadTFLiteModel('x', { numThread: 2 });",
            'OptionError: there is no option "numThread": did you mean numThreads?',
            ["validateOptions", "checkOptions", "loadTFLiteModel"],
        ),
        (
            "const { loadTFLiteModel } = await import('tflite-webnn');"
            "await (await loadTFLiteModel('model.tflite')).run(new Float32Array(3));",
            "InputError: Input ",
            ["resolveValues", "resolveInputs", "TFLiteModel.run"],
        ),
        (
            "const { tfliteEngine } = await import('tflite-webnn/polyfill'); tfliteEngine({ thread: 'main' });",
            'OptionError: the option "thread" is one of own, worker, auto',
            ["validateOptions", "tfliteEngine"],
        ),
    ],
    ids=["model", "option", "input", "polyfill"],
)
def test_an_uncaught_error_prints_readable_frames(script: str, error: str, frames: list[str], tmp_path: Path) -> None:
    text = printed(tmp_path, script)
    assert max(map(len, text.splitlines())) <= LONGEST_LINE, text
    assert error in text
    for frame in frames:
        assert f"at {frame} (" in text or f"at async {frame} (" in text, text


def test_source_maps_lead_to_the_sources(tmp_path: Path) -> None:
    script = f"const {{ loadTFLiteModel }} = await import('tflite-webnn'); await loadTFLiteModel({BYTES});"
    text = printed(tmp_path, script, "--enable-source-maps")
    assert "packages/core/src/wasm/wasm_runner.ts:" in text
    assert "packages/core/src/model/recovering_model.ts:" in text


def test_the_entries_share_their_errors(tmp_path: Path) -> None:
    """The scripts for Node are one set: what one throws, another one's class catches."""
    assert "true true" in printed(tmp_path, (SCRIPTS_DIR / "entries.mjs").read_text())
