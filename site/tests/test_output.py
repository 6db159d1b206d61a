"""The site as files: valid HTML, no broken links, no resources from other hosts."""

import re
import tarfile
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
from site_generator import pages
from site_generator.paths import OUTPUT_DIR

from support.command import run
from support.npm import JS_DIR, MODULES_DIR, pinned_node
from support.paths import PROJECT_DIR

pytestmark = pytest.mark.needs("site")

VALIDATOR = MODULES_DIR / "html-validate" / "bin" / "html-validate.mjs"
ADDRESS_ATTRIBUTES = ("href", "src")
PAGES = pages.load()


class Addresses(HTMLParser):
    """Links and ids of a document."""

    def __init__(self) -> None:
        super().__init__()
        self.links: list[tuple[str, str]] = []
        self.ids: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = {name: value for name, value in attrs if value is not None}
        self.links += [(tag, values[name]) for name in ADDRESS_ATTRIBUTES if name in values]
        self.ids |= {values["id"]} if "id" in values else set()


@pytest.fixture(scope="module")
def site() -> Path:
    return OUTPUT_DIR


@pytest.fixture(scope="module")
def documents(site: Path) -> dict[Path, Addresses]:
    found = {}
    for file in site.rglob("*.html"):
        if file.is_relative_to(site / "api"):
            continue  # typedoc's own pages
        found[file] = Addresses()
        found[file].feed(file.read_text(encoding="utf-8"))
    return found


def test_every_page_is_valid_html(site: Path) -> None:
    command = [
        pinned_node(),
        str(VALIDATOR),
        "--config",
        str(Path(__file__).with_name("html_validate.json")),
        *(str(file) for file in site.rglob("*.html") if not file.is_relative_to(site / "api")),
    ]
    run(command, cwd=JS_DIR, capture=True, quiet=True)


def test_every_link_leads_to_a_file_and_an_anchor(site: Path, documents: dict[Path, Addresses]) -> None:
    missing = []
    for file, document in documents.items():
        for _, link in document.links:
            parts = urlsplit(link)
            if parts.scheme:
                continue
            target = (file.parent / unquote(parts.path)).resolve() if parts.path else file
            anchors = documents[target].ids | read_by_scripts(target) if target in documents else set()
            if not target.is_file() or (parts.fragment and parts.fragment not in anchors):
                missing.append(f"{file.relative_to(site)}: {link}")
    assert missing == []


def read_by_scripts(file: Path) -> set[str]:
    """Return the fragments that a page's script understands."""
    page = PAGES.get(file.stem)
    if page is None:
        return set()
    return {"camera", *(f"view=graph&model={model}" for model in page.models)}


def test_the_api_has_a_page_for_each_entry(site: Path) -> None:
    entries = {"tflite-webnn", "tflite-webnn_tasks", "tflite-webnn_vision", "tflite-webnn_litert", "tflite-webnn_cpu"}
    assert entries <= {file.stem for file in (site / "api" / "modules").iterdir()}
    assert (site / "api" / "assets" / "search.js").is_file()


@pytest.mark.skipif(not (PROJECT_DIR / ".git").exists(), reason="this directory is no git checkout")
def test_the_committed_source_is_among_the_downloads(site: Path, documents: dict[Path, Addresses]) -> None:
    [archive] = (site / "downloads").glob("*-source.tar.gz")
    with tarfile.open(archive) as source:
        names = {name.partition("/")[2] for name in source.getnames()}
    assert {"build.py", "LICENSE", "site/pages.toml", "wasm/third_party/sources.toml"} <= names
    assert not any(name.startswith("build/") for name in names)
    assert ("a", f"downloads/{archive.name}") in documents[site / "get.html"].links


def test_links_to_documents_have_their_titles(site: Path) -> None:
    assert ">Quantized models</a>" in (site / "ops.html").read_text(encoding="utf-8")
    pages_with_names = [
        file.name for file in site.rglob("*.html") if re.search(r"[\w/-]+\.md(</code>)?</a>", file.read_text("utf-8"))
    ]
    assert pages_with_names == []


def test_no_page_loads_from_another_host(documents: dict[Path, Addresses]) -> None:
    """Only links that a visitor clicks may lead to other hosts."""
    links = [(tag, link) for document in documents.values() for tag, link in document.links]
    assert [link for tag, link in links if link.startswith("/") or (urlsplit(link).scheme and tag != "a")] == []
