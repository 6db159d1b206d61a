"""The package that npm would publish: its metadata, its files, its scripts' sizes."""

import json
import re
from fnmatch import fnmatch
from pathlib import Path

import pytest

from support.command import CommandError, run
from support.npm import JS_DIR, pinned_node, run_tool
from support.paths import PACKAGE_DIR
from wasm.toolchain import notices

pytestmark = pytest.mark.needs("variants")


def test_publint_finds_nothing() -> None:
    run_tool("publint", "--strict", "--pack=false", PACKAGE_DIR)


def test_the_packed_package_and_its_types_resolve_for_everyone(tmp_path: Path) -> None:
    run(["npm", "pack", PACKAGE_DIR, "--ignore-scripts", "--pack-destination", tmp_path], capture=True)
    scripts = ["webnn_polyfill.js", "tflite_webnn.js", "tflite_cpu.js"]
    scripts += ["polyfill_worker.mjs", "model_worker.mjs", "webnn_helper.mjs"]
    run([pinned_node(), JS_DIR / "scripts" / "tools" / "check_types.mjs", next(tmp_path.glob("*.tgz")), *scripts])


def test_require_loads_the_package_or_says_what_to_do(tmp_path: Path) -> None:
    script = tmp_path / "main.cjs"
    script.write_text("console.log(typeof require('tflite-webnn').loadTFLiteModel);")
    (tmp_path / "node_modules").mkdir()
    (tmp_path / "node_modules" / "tflite-webnn").symlink_to(PACKAGE_DIR)
    assert run([pinned_node(), script], capture=True).strip() == "function"
    # As Node before 20.19 and 22.12.
    with pytest.raises(CommandError, match=r"dynamic import\(\)"):
        run([pinned_node(), "--no-experimental-require-module", script], capture=True)


def test_sizes_are_within_their_limits() -> None:
    run_tool("size-limit")


def test_every_script_has_a_size_limit() -> None:
    limited = [Path(row["path"]).name for row in json.loads((JS_DIR / ".size-limit.json").read_text())]
    scripts = {file.name for file in PACKAGE_DIR.iterdir() if file.suffix in {".js", ".mjs"}}
    assert {name for name in scripts if not any(fnmatch(name, pattern) for pattern in limited)} == set()


def test_a_page_waits_for_one_script() -> None:
    assert loaded_at_start(PACKAGE_DIR / "index.mjs") == {PACKAGE_DIR / "index.mjs"}


def loaded_at_start(script: Path, seen: frozenset[Path] = frozenset()) -> frozenset[Path]:
    """Return a minified script and its static imports."""
    seen |= {script}
    for name in re.findall(r'(?:from|import)"\./([^"]+)"', script.read_text()):
        if script.with_name(name) not in seen:
            seen = loaded_at_start(script.with_name(name), seen)
    return seen


def test_notices_name_what_the_scripts_contain() -> None:
    text = (PACKAGE_DIR / notices.FILE_NAME).read_text()
    for title in (r"tensorflow [0-9a-f]{40} \(Apache-2\.0\)", r"wasm-feature-detect [\d.]+ \(Apache-2\.0\)"):
        assert re.search(f"^{title}", text, re.MULTILINE)


@pytest.mark.parametrize(
    ("imported", "contains", "lacks"),
    [
        (
            "ImageClassifier } from 'tflite-webnn/tasks",
            "IMAGE_TAINTED",
            ("pass the order of the outputs", "a mask must be", "TEXT_TOO_LONG"),
        ),
        (
            "ObjectDetector } from 'tflite-webnn/tasks",
            "pass the order of the outputs",
            ("a mask must be", "strides are"),
        ),
        (
            "BertNLClassifier } from 'tflite-webnn/tasks",
            "it must have three of type int32",
            ("IMAGE_TAINTED", "a mask must be", "TEXT_TOO_LONG", "segment_ids"),
        ),
        (
            "TextEmbedder } from 'tflite-webnn/language",
            "a text embedder has",
            ("IMAGE_TAINTED", "a text generator has"),
        ),
        ("topK } from 'tflite-webnn/results", "labels for", ("strides are", "IMAGE_TAINTED", "TFL3")),
        ("loadTFLiteModel } from 'tflite-webnn", "ModelFetchError", ("IMAGE_TAINTED", "labels for")),
    ],
)
def test_bundlers_take_only_what_is_imported(
    tmp_path: Path, imported: str, contains: str, lacks: tuple[str, ...]
) -> None:
    (tmp_path / "node_modules").mkdir()
    (tmp_path / "node_modules" / "tflite-webnn").symlink_to(PACKAGE_DIR)
    script = tmp_path / "page.mjs"
    script.write_text(f"import {{ {imported}';\nconsole.log({imported.split()[0]});\n")
    arguments = ["--bundle", "--format=esm", "--platform=browser", "--minify", "--log-level=error"]
    splitting = ["--splitting", f"--outdir={tmp_path / 'out'}", "--out-extension:.js=.mjs"]
    run_tool("esbuild", script, *arguments, *splitting, quiet=True)
    bundled = "".join(file.read_text() for file in loaded_at_start(tmp_path / "out" / "page.mjs"))
    assert contains in bundled
    assert [text for text in lacks if text in bundled] == []
