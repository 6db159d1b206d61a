"""build/docs/api.md, the site's API page, from the TSDoc comments of the package's exports."""

import re
import shutil
from collections import Counter
from pathlib import Path
from tempfile import TemporaryDirectory

from js.bundle import PARTS
from js.node import JS_DIR, LOCK_FILE, run_tool
from support import cache
from support.paths import BUILD_DIR

DOCUMENT = BUILD_DIR / "docs" / "api.md"
HEADING = re.compile(r"^#{1,6} (.+)$", re.MULTILINE)
LINK = re.compile(r"\[`([^`]+)`\]\(#([^)]+)\)")
# A separate workspace: typedoc does not support the TypeScript version of the others yet.
TYPEDOC_DIR = JS_DIR / "apps" / "api-docs"
SOURCES = (
    JS_DIR / "packages" / "core" / "src",
    *(JS_DIR / name / "src" for name in PARTS),
    JS_DIR / "packages" / "webnn-polyfill" / "src",
    Path(__file__),
    TYPEDOC_DIR / "src",
    *(TYPEDOC_DIR / name for name in ("markdown.mjs", "tsconfig.json", "typedoc.json")),
    JS_DIR / "tsconfig.base.json",
    LOCK_FILE,
    Path(__file__),
)


def build() -> Path:
    """Write the document and return it; typedoc only runs when a comment or an export has changed.

    Raises:
        CommandError: an export has no comment; typedoc has printed which.
    """
    made = cache.get(f"generated/api-{cache.content_hash(SOURCES)}.md", _make, title="Making the API page")
    DOCUMENT.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(made, DOCUMENT)
    return DOCUMENT


def _make(file: Path) -> None:
    with TemporaryDirectory() as folder:
        run_typedoc("--out", folder)
        lines = (Path(folder) / "README.md").read_text().splitlines()
    file.write_text(with_anchors("\n".join(line.rstrip() for line in lines) + "\n"))


def with_anchors(text: str) -> str:
    """Point each link at the heading of its very name: typedoc counts other headings than the page has."""
    anchors: dict[str, str] = {}
    counts: Counter[str] = Counter()
    for heading in HEADING.findall(text):
        slug = re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")
        anchors.setdefault(heading, slug if counts[slug] == 0 else f"{slug}-{counts[slug]}")
        counts[slug] += 1
    there = set(anchors.values())

    def fixed(link: re.Match[str]) -> str:
        name, anchor = link.groups()
        return link[0] if anchor in there else f"[`{name}`](#{anchors.get(name, anchor)})"

    return LINK.sub(fixed, text)


def run_typedoc(*arguments: str | Path) -> None:
    """Run typedoc with the settings of TYPEDOC_DIR, and `arguments` on top.

    Raises:
        CommandError: typedoc found a mistake and has printed it.
    """
    run_tool("typedoc", "--logLevel", "Warn", *arguments, workspace=TYPEDOC_DIR)
