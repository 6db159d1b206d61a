"""The registry of pages: reads and checks pages.toml."""

import tomllib
from collections.abc import Collection
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from site_generator.paths import PAGES_TOML
from support.errors import BuildError


class PageError(BuildError):
    """A row of pages.toml is invalid."""


@dataclass(frozen=True)
class Thumbnail:
    """The image of a page in lists: a drawing, or a photograph with what a model finds in it.

    Attributes:
        image: a file of samples/, or an image of models.toml.
        task: task of demo_results.mjs; empty for a drawing.
        model: model of the task, one of the page's.
    """

    image: str
    task: str = ""
    model: str = ""

    @property
    def path(self) -> str:
        """Path in the site."""
        return f"thumbnails/{self.image}" + (f"_{self.task}.jpg" if self.task else "")


@dataclass(frozen=True)
class Page:
    """One page, `NAME.html`.

    Attributes:
        name: key in pages.toml; `docs/ops` is a page in a directory.
        title: title of the tab, and of the page's heading.
        description: one sentence for search engines and lists of pages.
        label: text in the navigation; None if the page is not in it.
        section: page that the navigation marks as current; None for the page itself.
        template: file of templates/.
        script: file of scripts/ without its suffix; None for a page without.
        models: names of models.toml; copied to models/.
        samples: images and sounds of models.toml; copied to samples/.
        thumbnail: what lists of pages show; None for nothing.
        files: files of the repository; copied to data/.
        results: JSON files of results/ without their suffix, if committed; copied to data/, too.
        pyodide: files of Pyodide and wheels in models.toml, by the beginning of their names; copied to pyodide/. This
            project's wheel comes along.
        isolated: whether the page becomes cross-origin isolated, which threads need.
        styles: additional style sheets of styles/ without their suffix.
        source: Markdown file of a document page.
        group: heading above the page in lists of documents.
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
    thumbnail: Thumbnail | None = None
    files: tuple[str, ...] = ()
    results: tuple[str, ...] = ()
    pyodide: tuple[str, ...] = ()
    isolated: bool = False
    styles: tuple[str, ...] = ()
    source: str | None = None
    group: str | None = None

    @property
    def file(self) -> str:
        """Path in the site."""
        return f"{self.name}.html"

    @property
    def root(self) -> str:
        """Relative URL from the page to the site's root: all URLs are relative, so the site works in any directory."""
        return "../" * self.name.count("/")


def load(path: Path = PAGES_TOML) -> dict[str, Page]:
    """Return all pages by name, in the file's order: first [pages], then [documents].

    Raises:
        PageError: a key is unknown or missing, or a section is not a page.
    """
    table = tomllib.loads(path.read_text(encoding="utf-8"))
    pages = {name: _page(name, row) for name, row in table["pages"].items()}
    pages |= {f"docs/{name}": _document(f"docs/{name}", **row) for name, row in table.get("documents", {}).items()}
    for page in pages.values():
        if page.section and page.section not in pages:
            raise PageError(f"section {page.section!r} of {page.name!r} is not a page", where=str(path))
    return pages


def addresses(path: Path = PAGES_TOML) -> dict[str, str]:
    """Return where else the project is, by `npm`, `source` and `site`; empty strings where it is not."""
    found: dict[str, str] = tomllib.loads(path.read_text(encoding="utf-8"))["addresses"]
    return found


class NoPageError(BuildError):
    """The site has no page of a name."""


def chosen(names: Collection[str]) -> list[Page]:
    """Return the pages of these names, as in pages.toml; none means all but the documents.

    Raises:
        NoPageError: a name is not a page's.
    """
    known = load()
    for name in names:
        if name not in known:
            raise NoPageError(f"the site has no page {name!r}", hint=f"it has {', '.join(known)}")
    return [known[name] for name in names] or [page for page in known.values() if "/" not in page.name]


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
    if "thumbnail" in row:
        values["thumbnail"] = Thumbnail(**row["thumbnail"])
    return Page(name, **values)
