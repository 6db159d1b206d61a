"""Generates the site: `python3 build.py serve`."""

from collections.abc import Mapping
from pathlib import Path

from site_generator import api_document, assets, brotli_files, content, generated_files, pages, scripts, vendor
from site_generator.output_directory import OutputDirectory
from site_generator.pages import Page
from site_generator.paths import DIAGRAMS_DIR, OUTPUT_DIR, STYLES_DIR
from site_generator.templates import Renderer
from support.archive import files_below
from support.console import step
from tools.probe import corpus


def generate(path: Path = OUTPUT_DIR, *, with_brotli: bool = False) -> None:
    """Write the site into a directory, with compressed copies if requested; unchanged files are not rewritten.

    Raises:
        PageError: a row of pages.toml names something that does not exist.
        OutputDirectoryError: the directory is not empty and not a site.
        CommandError: a script cannot be bundled, or an export of the package has no comment.
    """
    with step(f"Generating the site in {path}"):
        api = api_document.build()
        output = OutputDirectory(path)
        registry = pages.load()
        _write_pages(registry, output)
        for style in STYLES_DIR.iterdir():
            output.copy(style, f"styles/{style.name}")
        scripts.bundle_scripts(output)
        assets.copy_package(output)
        assets.copy_assets(registry.values(), output)
        assets.copy_downloads(output)
        for name, file in files_below(api).items():
            output.copy(file, f"api/{name}")
        for diagram in DIAGRAMS_DIR.iterdir():
            output.copy(diagram, f"diagrams/{diagram.name}")
        output.copy(generated_files.path("site.jpg"), "styles/site.jpg")
        # The graphs of the WebNN page, fetched with its first report.
        output.write("data/webnn_cases.json", corpus.text(corpus.document()))
        vendor.copy_vendor(output)
        if with_brotli:
            brotli_files.add(output)
        output.finish()


def _write_pages(registry: Mapping[str, Page], output: OutputDirectory) -> None:
    renderer = Renderer(registry)
    for page in registry.values():
        output.write(page.file, renderer.render(page, content.of(page, registry)))
