"""Page-specific variables of the templates."""

import ast
from collections.abc import Callable, Mapping
from itertools import groupby
from pathlib import Path
from typing import Any

from markupsafe import Markup

from site_generator import assets, bench_results, documents, matrix_results, vendor, webnn_results
from site_generator.pages import Page
from site_generator.paths import DEMO_CODE_DIR, PYTHON_EXAMPLES_DIR
from site_generator.templates import json_in_html

Content = Mapping[str, Any]
Registry = Mapping[str, Page]


def of(page: Page, registry: Registry) -> Content:
    """Return the variables of a page's template."""
    if page.source:
        return _document(page, page.source, registry)
    if page.name in CONTENT:
        return CONTENT[page.name](page, registry)
    return _demo(page, registry) if page.section == "demos" else {}


def _home(_: Page, __: Registry) -> Content:
    # The README's example, which a test runs.
    code = documents.code_block("README.md", "Use it", "html")
    return {"example": Markup(documents.highlight(code, "html")), "peers_bytes": vendor.single_threaded_bytes()}


def _demo(page: Page, _: Registry) -> Content:
    code = (DEMO_CODE_DIR / f"{page.name}.js").read_text(encoding="utf-8")
    return {"code": Markup(documents.highlight(code.rstrip(), "js"))}


def _matrix(_: Page, __: Registry) -> Content:
    return matrix_results.content()


def _ops(page: Page, registry: Registry) -> Content:
    # docs/reference/ops.md is generated from the delegate's registry, and a test checks it.
    return {"document": _rendered("docs/reference/ops.md", page, registry)}


def _get(_: Page, __: Registry) -> Content:
    return {"downloads": assets.downloads()}


def _docs(_: Page, registry: Registry) -> Content:
    return {"groups": _groups(registry)}


def _python(_: Page, __: Registry) -> Content:
    examples = [_python_example(file) for file in sorted(PYTHON_EXAMPLES_DIR.glob("*.py"))]
    return {"examples": examples, "examples_json": json_in_html(examples)}


def _python_example(file: Path) -> Content:
    text = file.read_text(encoding="utf-8")
    title = ast.get_docstring(ast.parse(text)) or file.stem
    return {"title": title.splitlines()[0], "code": text}


def _document(page: Page, source: str, registry: Registry) -> Content:
    return {"document": _rendered(source, page, registry), "groups": _groups(registry)}


def _benchmark(_: Page, __: Registry) -> Content:
    return bench_results.content()


def _webnn(_: Page, __: Registry) -> Content:
    return webnn_results.content()


def _rendered(source: str, page: Page, registry: Registry) -> Mapping[str, Any]:
    sources = {other.source: other for other in registry.values() if other.source}
    sources["docs/reference/ops.md"] = registry["ops"]
    sources["../../releases"] = registry["get"]
    document = documents.render(source, sources, page.root)
    return {"html": Markup(document.html), "headings": document.headings}


def _groups(registry: Registry) -> list[tuple[str, list[Page]]]:
    pages = (page for page in registry.values() if page.source)
    return [(group or "", list(members)) for group, members in groupby(pages, key=lambda page: page.group)]


CONTENT: Mapping[str, Callable[[Page, Registry], Content]] = {
    "index": _home,
    "benchmark": _benchmark,
    "ops": _ops,
    "get": _get,
    "docs": _docs,
    "matrix": _matrix,
    "webnn": _webnn,
    "python": _python,
}
