"""Renders the repository's Markdown files as HTML; links between documents become links between pages."""

import posixpath
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token
from mdit_py_plugins.anchors import anchors_plugin
from pygments import highlight as pygments_highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import get_lexer_by_name
from pygments.util import ClassNotFound

from site_generator.pages import Page
from site_generator.paths import DIAGRAMS_DIR
from support.paths import PROJECT_DIR

# Text of a link that a visitor of the site need not know.
FILE_NAME = re.compile(r"[\w./-]+\.md")
COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
FORMATTER = HtmlFormatter(nowrap=True)


@dataclass(frozen=True)
class Heading:
    """A heading of a document, for its table of contents."""

    text: str
    anchor: str


@dataclass(frozen=True)
class Document:
    """A rendered document.

    Attributes:
        html: content, including the first-level heading.
        headings: second-level headings.
    """

    html: str
    headings: Sequence[Heading]


def render(source: str, sources: Mapping[str, Page], root: str) -> Document:
    """Render a document.

    Args:
        source: path in the repository.
        sources: pages of documents, by `source`.
        root: relative URL from the page to the site's directory.
    """
    parser = _parser()
    text = (PROJECT_DIR / source).read_text(encoding="utf-8")
    tokens = parser.parse(COMMENT.sub("", text))
    for token in tokens:
        for child, label in pairwise(token.children or ()):
            if child.type != "link_open":
                continue
            page = _page_of(str(child.attrs["href"]), source, sources)
            child.attrs["href"] = _page_link(str(child.attrs["href"]), page, root)
            if page and FILE_NAME.fullmatch(label.content):
                label.type, label.content = "text", page.title
    _drop_links_to_nowhere(tokens)
    _place_images(tokens, source, root)
    _mark_empty_heads(tokens)
    html = parser.renderer.render(tokens, parser.options, {})
    return Document(html, _headings(tokens))


def code_block(source: str, heading: str, language: str) -> str:
    """Return the first code block of a language below a heading of a document.

    Raises:
        ValueError: the heading has none, so the document has changed.
    """
    text = (PROJECT_DIR / source).read_text(encoding="utf-8")
    _, found, remainder = text.partition(f"\n## {heading}\n")
    block = re.search(rf"```{language}\n(.*?)```", remainder.split("\n## ")[0], re.DOTALL)
    if not found or block is None:
        raise ValueError(f"{source} has no code block in {language} below {heading!r}")
    return block[1]


def highlight(code: str, language: str) -> str:
    """Return code as HTML with pygments' classes, which styles/code.css colours."""
    try:
        lexer = get_lexer_by_name(language or "text")
    except ClassNotFound:
        lexer = get_lexer_by_name("text")
    html: str = pygments_highlight(code, lexer, FORMATTER)
    return html


def _parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"html": False, "xhtmlOut": False}).enable("table").enable("strikethrough")
    parser.use(anchors_plugin, max_level=6)
    parser.add_render_rule("fence", _render_code)
    parser.add_render_rule("table_open", lambda *_: '<div class="table-frame" tabindex="0"><table>\n')
    parser.add_render_rule("table_close", lambda *_: "</table></div>\n")
    parser.add_render_rule("th_open", _render_column_head)
    return parser


def _render_code(_: RendererHTML, tokens: Sequence[Token], index: int, *__: Any) -> str:
    token = tokens[index]
    # Focusable, so that the keyboard can scroll long lines.
    return f'<pre tabindex="0"><code>{highlight(token.content, token.info.strip())}</code></pre>\n'


def _render_column_head(renderer: RendererHTML, tokens: Sequence[Token], index: int, *_: Any) -> str:
    tokens[index].attrs = {"scope": "col"}
    return f"<th{renderer.renderAttrs(tokens[index])}>"


def _mark_empty_heads(tokens: Sequence[Token]) -> None:
    """Turn empty header cells into data cells: an empty header does not label its column."""
    for opening, inline, closing in zip(tokens, tokens[1:], tokens[2:], strict=False):
        if opening.type == "th_open" and not inline.content:
            opening.type, opening.tag = "td_open", "td"
            closing.type, closing.tag = "td_close", "td"


def _headings(tokens: Sequence[Token]) -> list[Heading]:
    pairs = pairwise(tokens)
    return [
        Heading(_plain_text(inline), str(opening.attrs["id"]))
        for opening, inline in pairs
        if opening.type == "heading_open" and opening.tag == "h2"
    ]


def _plain_text(inline: Token) -> str:
    return "".join(child.content for child in inline.children or () if child.type in ("text", "code_inline"))


def _page_of(href: str, source: str, sources: Mapping[str, Page]) -> Page | None:
    """Return the page of the file that a link leads to."""
    path = posixpath.normpath(posixpath.join(posixpath.dirname(source), urlsplit(href).path))
    return sources.get(path) or sources.get(f"{path}/README.md")


def _page_link(href: str, page: Page | None, root: str) -> str:
    """Return a link's URL on the site; "" for a repository file without a page."""
    parts = urlsplit(href)
    if parts.scheme or not parts.path:
        return href
    if page is None:
        return ""
    return f"{root}{page.file}" + (f"#{parts.fragment}" if parts.fragment else "")


def _place_images(tokens: Sequence[Token], source: str, root: str) -> None:
    """Link diagrams, and remove other images with their links: the README's shows this site, others are badges."""
    directory = PROJECT_DIR / posixpath.dirname(source)
    for token in tokens:
        children = []
        for child in token.children or ():
            if child.type == "image":
                file = Path(posixpath.normpath(directory / str(child.attrs["src"])))
                if file.parent != DIAGRAMS_DIR:
                    continue
                child.attrs["src"] = f"{root}diagrams/{file.name}"
            children.append(child)
        empty = {
            index + step
            for index, (one, other) in enumerate(pairwise(children))
            if (one.type, other.type) == ("link_open", "link_close")
            for step in (0, 1)
        }
        if token.children is not None:
            token.children = [child for index, child in enumerate(children) if index not in empty]


def _drop_links_to_nowhere(tokens: Sequence[Token]) -> None:
    """Replace links without a page by their text."""
    for token in tokens:
        if token.children is None:
            continue
        open_links: list[bool] = []
        kept: list[Token] = []
        for child in token.children:
            if child.type == "link_open":
                open_links.append(child.attrs["href"] != "")
            if child.type not in ("link_open", "link_close") or open_links[-1]:
                kept.append(child)
            if child.type == "link_close":
                open_links.pop()
        token.children = kept
