"""The package that npm would publish: its metadata, its files, its size."""

import json
import re
from fnmatch import fnmatch
from pathlib import Path

import pytest

from js import bundle, notices
from js.node import JS_DIR, pinned_node, run_tool
from js.tests.test_api_document import ENTRIES, exports_of
from support.command import CommandError, run
from support.paths import PACKAGE_DIR, artefact_dir
from wasm.toolchain import sizes
from wasm.toolchain.notices import FILE_NAME, NoLicenseTextError

pytestmark = pytest.mark.needs("variants")


@pytest.fixture(scope="module")
def package() -> Path:
    bundle.bundle()
    return PACKAGE_DIR


def test_the_packed_package_and_its_types_resolve_for_everyone(package: Path, tmp_path: Path) -> None:
    run(["npm", "pack", package, "--ignore-scripts", "--pack-destination", tmp_path], capture=True)
    scripts = ["webnn_polyfill.js", "tflite_webnn.js", "tflite_cpu.js"]
    scripts += ["polyfill_worker.mjs", "model_worker.mjs", "webnn_helper.mjs"]
    run([pinned_node(), JS_DIR / "scripts" / "tools" / "check_types.mjs", next(tmp_path.glob("*.tgz")), *scripts])


def test_require_loads_the_package_or_says_what_to_do(package: Path, tmp_path: Path) -> None:
    script = tmp_path / "main.cjs"
    script.write_text("console.log(typeof require('tflite-webnn').loadTFLiteModel);")
    (tmp_path / "node_modules").mkdir()
    (tmp_path / "node_modules" / "tflite-webnn").symlink_to(package)
    assert run([pinned_node(), script], capture=True).strip() == "function"
    # As Node before 20.17.
    with pytest.raises(CommandError, match=r"dynamic import\(\)"):
        run([pinned_node(), "--no-experimental-require-module", script], capture=True)


@pytest.mark.usefixtures("package")
def test_sizes_are_within_their_limits() -> None:
    run_tool("size-limit")


def test_modules_are_within_their_limit(capsys: pytest.CaptureFixture[str]) -> None:
    known = sizes.load()
    found = {name: sizes.measure(artefact_dir(name)) for name in bundle.built_variants()}
    with capsys.disabled():
        print(f"\n{sizes.table(known, found)}")
    assert not sizes.too_large(known, found), sizes.table(known, found)


def test_every_script_has_a_size_limit(package: Path) -> None:
    limited = [Path(row["path"]).name for row in json.loads((JS_DIR / ".size-limit.json").read_text())]
    scripts = {file.name for file in package.iterdir() if file.suffix in {".js", ".mjs"}}
    assert {name for name in scripts if not any(fnmatch(name, pattern) for pattern in limited)} == set()


def test_a_page_waits_for_one_script(package: Path) -> None:
    assert loaded_at_start(package / "index.mjs") == {package / "index.mjs"}


def loaded_at_start(script: Path, seen: frozenset[Path] = frozenset()) -> frozenset[Path]:
    """Return a minified script and its static imports."""
    seen |= {script}
    for name in re.findall(r'(?:from|import)"\./([^"]+)"', script.read_text()):
        if script.with_name(name) not in seen:
            seen = loaded_at_start(script.with_name(name), seen)
    return seen


@pytest.mark.parametrize(("source", "name"), ENTRIES.items())
def test_exports_without_types_are_used_by_other_scripts(source: str, name: str, package: Path) -> None:
    """What only the package's own scripts take of each other is declared nowhere; nothing else is exported so."""
    script = f"{name.partition('/')[2] or 'index'}.mjs"
    others = "".join(file.read_text() for file in package.glob("*.mjs"))
    taken = ",".join(re.findall(rf'import\{{([^}}]*)\}}from"\./{script}"', others)).split(",")
    exported = ",".join(re.findall(r"export\{([^}]*)\}", (package / script).read_text())).split(",")
    undeclared = {text.rpartition(" ")[2] for text in exported} - set(exports_of(JS_DIR / source))
    assert undeclared - {text.partition(" ")[0] for text in taken} == set()


def test_notices_name_what_the_scripts_contain(package: Path) -> None:
    text = (package / FILE_NAME).read_text()
    for title in (r"tensorflow [0-9a-f]{40} \(Apache-2\.0\)", r"wasm-feature-detect [\d.]+ \(Apache-2\.0\)"):
        assert re.search(f"^{title}", text, re.MULTILINE)


def test_files_belong_to_the_nearest_package(tmp_path: Path) -> None:
    modules = tmp_path / "node_modules"
    inner = modules / "a" / "node_modules" / "@scope" / "b"
    files = [modules / "a" / "dist" / "esm" / "index.js", inner / "index.js", tmp_path / "src" / "own.ts"]
    assert notices.bundled_packages(files, modules) == {modules / "a", inner}


def test_packages_without_a_license_file_are_quoted_by_its_name(tmp_path: Path) -> None:
    module_notices = tmp_path / "module.txt"
    module_notices.write_text("of the module\n")
    package = tmp_path / "node_modules" / "a"
    package.mkdir(parents=True)
    about = {"name": "a", "version": "1.0.0", "license": "Apache-2.0"}
    (package / "package.json").write_text(json.dumps(about))
    notices.write_notices(tmp_path, module_notices, [package / "index.js"], tmp_path / "node_modules")
    text = (tmp_path / FILE_NAME).read_text()
    assert "a 1.0.0 (Apache-2.0)" in text
    assert "Version 2.0, January 2004" in text
    (package / "package.json").write_text(json.dumps({**about, "license": "MIT"}))
    with pytest.raises(NoLicenseTextError, match="no license file"):
        notices.write_notices(tmp_path, module_notices, [package / "index.js"], tmp_path / "node_modules")


@pytest.mark.parametrize(
    ("imported", "contains", "lacks"),
    [
        (
            "ImageClassifier } from 'tflite-webnn/tasks",
            "IMAGE_TAINTED",
            ("give the order of the outputs", "a mask must be", "TEXT_TOO_LONG"),
        ),
        (
            "ObjectDetector } from 'tflite-webnn/tasks",
            "give the order of the outputs",
            ("a mask must be", "strides are"),
        ),
        (
            "BertNLClassifier } from 'tflite-webnn/tasks",
            "segment_ids",
            ("IMAGE_TAINTED", "a mask must be", "TEXT_TOO_LONG"),
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
    package: Path, tmp_path: Path, imported: str, contains: str, lacks: tuple[str, ...]
) -> None:
    (tmp_path / "node_modules").mkdir()
    (tmp_path / "node_modules" / "tflite-webnn").symlink_to(package)
    script = tmp_path / "page.mjs"
    script.write_text(f"import {{ {imported}';\nconsole.log({imported.split()[0]});\n")
    arguments = ["--bundle", "--format=esm", "--platform=browser", "--minify", "--log-level=error"]
    splitting = ["--splitting", f"--outdir={tmp_path / 'out'}", "--out-extension:.js=.mjs"]
    run_tool("esbuild", script, *arguments, *splitting, quiet=True)
    bundled = "".join(file.read_text() for file in loaded_at_start(tmp_path / "out" / "page.mjs"))
    assert contains in bundled
    assert [text for text in lacks if text in bundled] == []
