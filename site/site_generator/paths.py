"""Paths of the site's sources and of its output."""

from pathlib import Path

from support.paths import BUILD_DIR, PROJECT_DIR

SITE_DIR = Path(__file__).resolve().parents[1]
# What other sites show with a link, and the README.
IMAGE = PROJECT_DIR / "docs" / "images" / "site.webp"
# Images of documents that their pages show, too.
DIAGRAMS_DIR = PROJECT_DIR / "docs" / "explanation" / "diagrams"
PAGES_TOML = SITE_DIR / "pages.toml"
TEMPLATES_DIR = SITE_DIR / "templates"
STYLES_DIR = SITE_DIR / "styles"
SCRIPTS_DIR = SITE_DIR / "scripts"
SERVICE_WORKER = SITE_DIR / "service_worker" / "service_worker.ts"
CLASSIC_SCRIPTS_DIR = SITE_DIR / "classic_scripts"
DEMO_CODE_DIR = SITE_DIR / "code"
PYTHON_EXAMPLES_DIR = SITE_DIR / "python" / "examples"
OUTPUT_DIR = BUILD_DIR / "site"
