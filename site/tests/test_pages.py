"""The registry of pages and the output directory."""

from pathlib import Path

import brotli
import pytest
from site_generator import brotli_files, pages
from site_generator.output_directory import OutputDirectory, OutputDirectoryError
from site_generator.pages import PageError
from site_generator.paths import SCRIPTS_DIR, STYLES_DIR, TEMPLATES_DIR

PAGES = pages.load()
ROW = '[pages.{name}]\ntitle = "T"\ndescription = "D"\n'


@pytest.mark.parametrize("page", PAGES.values(), ids=PAGES)
def test_template_script_and_styles_are_there(page: pages.Page) -> None:
    assert (TEMPLATES_DIR / page.template).is_file()
    assert page.script is None or "import './site.js';" in (SCRIPTS_DIR / f"{page.script}.ts").read_text()
    assert all((STYLES_DIR / f"{style}.css").is_file() for style in page.styles)


@pytest.mark.parametrize(
    "page", [page for page in PAGES.values() if page.section == "demos"], ids=lambda page: page.name
)
def test_every_demo_opens_in_the_explorer(page: pages.Page) -> None:
    assert set(page.models) <= set(PAGES["explorer"].models)


def test_pages_in_directories_find_the_way_back(tmp_path: Path) -> None:
    loaded = _loaded(tmp_path, ROW.format(name="index") + ROW.format(name='"docs/ops"'))
    assert [(page.file, page.root) for page in loaded.values()] == [("index.html", ""), ("docs/ops.html", "../")]


@pytest.mark.parametrize(
    ("row", "message"),
    [
        (ROW.format(name="a") + 'titel = "T"\n', "unknown keys: titel"),
        ('[pages.a]\ntitle = "T"\n', "lacks description"),
        (ROW.format(name="a") + 'section = "b"\n', "section 'b' of 'a' is not a page"),
    ],
)
def test_wrong_rows_are_reported(tmp_path: Path, row: str, message: str) -> None:
    with pytest.raises(PageError, match=message):
        _loaded(tmp_path, row)


def test_what_is_no_longer_meant_is_deleted(tmp_path: Path) -> None:
    first = OutputDirectory(tmp_path)
    first.write("old/page.html", "old")
    first.write("page.html", "same")
    first.finish()
    written = (tmp_path / "page.html").stat().st_mtime_ns
    second = OutputDirectory(tmp_path)
    second.write("page.html", "same")
    second.finish()
    assert not (tmp_path / "old").exists()
    assert (tmp_path / "page.html").stat().st_mtime_ns == written


def test_compressed_copies_lie_next_to_large_files(tmp_path: Path) -> None:
    output = OutputDirectory(tmp_path)
    for name in ("index.html", "scripts/a.mjs", "models/a.tflite", "samples/a.mjs"):
        output.write(name, "text " * 1000)
    output.write("small.html", "text")
    brotli_files.add(output)
    output.finish()
    copies = {file.relative_to(tmp_path).as_posix() for file in tmp_path.rglob("*.br")}
    assert copies == {"index.html.br", "scripts/a.mjs.br", "models/a.tflite.br"}
    assert brotli.decompress((tmp_path / "index.html.br").read_bytes()) == b"text " * 1000


def test_a_directory_of_others_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "thesis.tex").touch()
    with pytest.raises(OutputDirectoryError, match="not a site"):
        OutputDirectory(tmp_path)
    assert (tmp_path / "thesis.tex").exists()


def _loaded(directory: Path, text: str) -> dict[str, pages.Page]:
    path = directory / "pages.toml"
    path.write_text(text)
    return pages.load(path)
