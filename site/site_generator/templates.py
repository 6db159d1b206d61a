"""Renders pages from templates, and defines the variables common to all templates."""

import json
from collections.abc import Mapping
from typing import Any

import jinja2
from markupsafe import Markup

from site_generator import pages as registry
from site_generator.assets import assets_of
from site_generator.pages import Page
from site_generator.paths import TEMPLATES_DIR
from support.npm import package_version


class Renderer:
    """Renders the pages of a site."""

    def __init__(self, pages: Mapping[str, Page]) -> None:
        self._environment = jinja2.Environment(
            loader=jinja2.FileSystemLoader(TEMPLATES_DIR),
            autoescape=True,
            undefined=jinja2.StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
            keep_trailing_newline=True,
        )
        self._environment.globals |= {
            "addresses": registry.addresses(),
            "pages": pages,
            "version": package_version(),
        }

    def render(self, page: Page, content: Mapping[str, Any]) -> str:
        """Return the page's HTML; `content` has its page-specific variables."""
        template = self._environment.get_template(page.template)
        assets = _described_assets(page)
        assets_json = json_in_html(assets) if assets else None  # read by scripts/common/assets.ts
        return template.render(page=page, root=page.root, assets=assets, assets_json=assets_json, **content)


def _described_assets(page: Page) -> Mapping[str, Any]:
    return {
        kind: {name: asset.described(page.root) for name, asset in assets.items()}
        for kind, assets in assets_of(page).items()
        if assets
    }


def json_in_html(value: Any) -> Markup:
    """Return JSON as the text of a script element."""
    return Markup(json.dumps(value).replace("<", "\\u003c"))
