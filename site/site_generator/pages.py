"""The registry of pages: pages.toml, checked row by row."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, ClassVar

from site_generator.paths import PAGES_TOML
from tools.support.errors import BuildError


class PageError(BuildError):
    """A row of pages.toml cannot be what is meant."""

    exit_code: ClassVar[int] = 7


@dataclass(frozen=True)
class Page:
    """One page, `NAME.html`.

    Attributes:
        name: its key in pages.toml; `docs/ops` is a page in a folder.
        title: what the tab and the page's heading say.
        description: one sentence for search engines and for lists of pages.
        label: what the navigation calls it; None where it is not there.
        section: the page that the navigation marks while this one is shown; by default itself.
        template: a file of templates/.
        script: a file of scripts/ without its suffix, None for a page without.
        models: names of models.toml; copied to models/.
        samples: pictures and sounds of models.toml; copied to samples/.
        files: files of the repository; copied to data/.
        results: JSON files of results/ without their suffix, where they have been committed; copied to data/ too.
        pyodide: files of Pyodide and wheels for it in models.toml, by how their names begin; copied to pyodide/. Where
            there are any, so is the wheel of this project.
        isolated: whether it is made cross-origin isolated, which threads need.
        styles: further style sheets of styles/ without their suffix.
        source: the Markdown file of which the page is made, of a document.
        group: the heading of lists of documents below which it stands.
    """

    name: str
    title: str
    description: str
    template: str
    label: str | None = None
    section: str | None = None
    script: str | None = None
    models: tuple[str, ...] = ()
    samples: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    results: tuple[str, ...] = ()
    pyodide: tuple[str, ...] = ()
    isolated: bool = False
    styles: tuple[str, ...] = ()
    source: str | None = None
    group: str | None = None

    @property
    def file(self) -> str:
        """Its path in the site."""
        return f"{self.name}.html"

    @property
    def root(self) -> str:
        """The way from the page to the site's folder: every address is relative, so that any folder can be it."""
        return "../" * self.name.count("/")


def load(path: Path = PAGES_TOML) -> dict[str, Page]:
    """Return all pages by name, in the file's order: those of [pages], then those of [documents].

    Raises:
        PageError: a key is unknown or missing, or a section is no page.
    """
    table = tomllib.loads(path.read_text(encoding="utf-8"))
    pages = {name: _page(name, row) for name, row in table["pages"].items()}
    pages |= {f"docs/{name}": _document(f"docs/{name}", **row) for name, row in table.get("documents", {}).items()}
    for page in pages.values():
        if page.section and page.section not in pages:
            raise PageError(f"section {page.section!r} of {page.name!r} is no page", where=str(path))
    return pages


def _document(name: str, *, source: str, title: str, group: str) -> Page:
    return Page(
        name,
        title=title,
        description=f"{title}: documentation of tflite-webnn.",
        template="document.html.j2",
        section="docs",
        styles=("code", "documents"),
        source=source,
        group=group,
    )


def _page(name: str, row: dict[str, Any]) -> Page:
    known = {field.name for field in fields(Page)} - {"name"}
    if unknown := set(row) - known:
        raise PageError(f"page {name!r} has unknown keys: {', '.join(sorted(unknown))}", where=str(PAGES_TOML))
    if missing := {"title", "description"} - set(row):
        raise PageError(f"page {name!r} lacks {', '.join(sorted(missing))}", where=str(PAGES_TOML))
    values: dict[str, Any] = {key: tuple(value) if isinstance(value, list) else value for key, value in row.items()}
    values.setdefault("template", f"{name}.html.j2")
    return Page(name, **values)
