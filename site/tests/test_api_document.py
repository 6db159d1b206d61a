"""The API pages have every export, and every export, member and parameter has a comment: else typedoc fails."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from site_generator import api_document

from support.command import CommandError
from support.npm import JS_DIR, run_script
from support.paths import PACKAGE_DIR

ENTRIES = {
    "packages/core/src/index.ts": "tflite-webnn",
    "packages/core/src/explain.ts": "tflite-webnn/explain",
    "packages/core/src/tflite_worker.ts": "tflite-webnn/worker",
    "packages/cpu/src/index.ts": "tflite-webnn/cpu",
    "packages/media/src/images/index.ts": "tflite-webnn/image",
    "packages/media/src/results/index.ts": "tflite-webnn/results",
    "packages/media/src/sound/index.ts": "tflite-webnn/sound",
    "packages/tasks/src/index.ts": "tflite-webnn/tasks",
    "packages/tasks/src/language.ts": "tflite-webnn/language",
    "packages/tasks/src/text/index.ts": "tflite-webnn/text",
    "packages/webnn-polyfill/src/polyfill.ts": "tflite-webnn/polyfill",
    "packages/compat-mediapipe/src/index.ts": "tflite-webnn/vision",
    "packages/compat-litert/src/index.ts": "tflite-webnn/litert",
    "packages/compat-tfjs/src/index.ts": "tflite-webnn/tfjs",
}

# `size` and the parameter of `twice` have no comment.
ENTRY = """\
export const size = 1;
/** Twice. */
export const twice = (x: number) => 2 * x;
/** One. */
export const one = 1;
"""


@pytest.fixture(scope="module")
def pages() -> Path:
    return api_document.build()


def exports_of(script: Path) -> Iterator[str]:
    """Yield the names that an entry point exports, without those marked @internal."""
    code = re.sub(r"/\*\*((?!\*/).)*@internal((?!\*/).)*\*/\nexport", "", script.read_text(), flags=re.DOTALL)
    for names in re.findall(r"^export (?:type )?\{(.*?)\}", code, re.DOTALL | re.MULTILINE):
        yield from (name.split()[-1] for name in names.split(",") if name.strip())
    for source in re.findall(r"^export \* from '(.*?)\.js'", code, re.MULTILINE):
        yield from exports_of(script.parent / f"{source}.ts")
    yield from re.findall(
        r"^export (?:abstract |async )?(?:class|const|function|interface|type) (\w+)", code, re.MULTILINE
    )


@pytest.mark.needs("package")
@pytest.mark.parametrize(("source", "name"), ENTRIES.items())
def test_exports_without_types_are_used_by_other_scripts(source: str, name: str) -> None:
    """What only the package's own scripts import from each other is declared nowhere; nothing else is exported so."""
    script = f"{name.partition('/')[2] or 'index'}.mjs"
    others = "".join(file.read_text() for file in PACKAGE_DIR.glob("*.mjs"))
    # `import {a as b} from`, and `const {a: b} = await textPart()` of a part that is loaded later.
    lists = re.findall(rf'import\{{([^}}]*)\}}from"\./{script}"', others) + re.findall(r"\{([^{}]*)\}=await ", others)
    imported_names = re.split("[,:]", ",".join(lists))
    exported = ",".join(re.findall(r"export\{([^}]*)\}", (PACKAGE_DIR / script).read_text())).split(",")
    undeclared = {text.rpartition(" ")[2] for text in exported} - set(exports_of(JS_DIR / source))
    assert undeclared - {text.partition(" ")[0] for text in imported_names} == set()


@pytest.mark.parametrize(("entry", "name"), ENTRIES.items())
def test_every_export_is_on_its_entrys_page(entry: str, name: str, pages: Path) -> None:
    text = (pages / "modules" / f"{name.replace('/', '_')}.html").read_text()
    listed = set(re.findall(r"/[\w-]+\.(\w+)\.html", text))
    names = set(exports_of(JS_DIR / entry))
    assert len(names) > 2
    assert {name.lower() for name in names} - {name.lower() for name in listed} == set()


@pytest.mark.parametrize("entry", ENTRIES)
def test_comments_are_required_in_the_package_of_each_entry(entry: str) -> None:
    """The check of comments only looks at packages of these names."""
    package = next(file for directory in (JS_DIR / entry).parents if (file := directory / "package.json").exists())
    options = json.loads((api_document.TYPEDOC_DIR / "typedoc.json").read_text())
    assert json.loads(package.read_text())["name"] in options["packagesRequiringDocumentation"]


def test_the_reference_begins_with_loading_a_model(pages: Path) -> None:
    text = (pages / "modules" / "tflite-webnn.html").read_text()
    first = re.search(r"/(?:classes|functions|interfaces|types|variables)/[\w-]+\.(\w+)\.html", text)
    assert first
    assert first[1] == "loadTFLiteModel"


def test_typedoc_runs_only_after_a_change(pages: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(api_document, "run_script", lambda *_: pytest.fail("nothing has changed"))
    assert api_document.build() == pages


def test_what_has_no_comment_is_rejected(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "entry.mts").write_text(ENTRY)
    options = {
        "tsconfig.json": {"extends": str(JS_DIR / "tsconfig.base.json"), "files": ["entry.mts"]},
        "typedoc.json": {
            "extends": [str(api_document.TYPEDOC_DIR / "typedoc.json")],
            "entryPoints": ["entry.mts"],
            "tsconfig": "tsconfig.json",
        },
    }
    for name, content in options.items():
        (tmp_path / name).write_text(json.dumps(content))
    with pytest.raises(CommandError):
        run_script("docs", "--options", tmp_path / "typedoc.json", "--emit", "none")
    rejected = re.findall(r"(\S+) \(.*\), defined in .*, does not have any documentation", capfd.readouterr().err)
    assert rejected == ["size", "twice.x"]
