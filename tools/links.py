"""Links of the Markdown files: each leads to a file of the repository, and to a heading that it has."""

import posixpath
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from urllib.parse import unquote, urlsplit

from markdown_it import MarkdownIt
from markdown_it.token import Token
from mdit_py_plugins.anchors import anchors_plugin

from support.command import run
from support.errors import BuildError

# Pages of the repository's host, relative to a file at the root: they exist wherever the repository is.
HOST_PAGES = ("../../actions/", "../../releases", "../../security/")


class BrokenLinkError(BuildError):
    """A link leads to no file, or to no heading."""


def check(checkout: Path) -> None:
    """Check the links of all Markdown files that git knows. Without git, do nothing.

    Raises:
        BrokenLinkError: it lists each file, line and link.
    """
    if not (checkout / ".git").exists():
        return
    names = run(["git", "ls-files", "-z", "*.md"], cwd=checkout, capture=True, quiet=True).split("\0")
    found = [f"{name}:{line}: {link}" for name in names if name for line, link in _broken(checkout / name, checkout)]
    if found:
        raise BrokenLinkError("\n".join(found), hint="a link is relative to its file; after # comes a heading's anchor")


def _broken(file: Path, checkout: Path) -> Iterator[tuple[int, str]]:
    for line, link in _links(_tokens(file)):
        parts = urlsplit(link)
        if parts.scheme or link.startswith(HOST_PAGES):
            continue
        target = Path(posixpath.normpath(file.parent / unquote(parts.path))) if parts.path else file
        target = target / "README.md" if parts.fragment and target.is_dir() else target
        in_checkout = target.is_relative_to(checkout) and target.exists()
        if not in_checkout or (parts.fragment and parts.fragment not in _anchors(target)):
            yield line, link


def _links(tokens: list[Token]) -> Iterator[tuple[int, str]]:
    for block in tokens:
        for token in block.children or ():
            link = token.attrGet("href") or token.attrGet("src")
            if link is not None:
                yield (block.map or [0])[0] + 1, str(link)


@cache
def _anchors(file: Path) -> frozenset[str]:
    return frozenset(str(token.attrGet("id")) for token in _tokens(file) if token.type == "heading_open")


def _tokens(file: Path) -> list[Token]:
    parser = MarkdownIt("commonmark").enable("table").use(anchors_plugin, max_level=6)
    return parser.parse(file.read_text(encoding="utf-8"))
