"""The sample apps of js/apps/examples, built as their READMEs say, with the release's npm package."""

import shutil
from pathlib import Path

import pytest
from playwright.sync_api import Page

from support.command import run
from support.paths import cache_dir
from web_tests.server.server import EXAMPLES_DIR, site_routes
from web_tests.tests.conftest import Serve, first_words
from web_tests.tests.release.test_release import EXPECTED

pytestmark = [pytest.mark.needs("release"), pytest.mark.timeout(600)]

# A second model, on two threads, before an app's only message, which then begins with their number.
THREADED = """const threaded = await loadTFLiteModel('model.tflite', { numThreads: 2 });
  await threaded.run(new Float32Array(768));
  console.log((await threaded.report()).threads.used, """

APPS = sorted(file.parent.name for file in EXAMPLES_DIR.glob("*/package.json"))


@pytest.mark.parametrize("app", APPS)
def test_a_sample_app_builds_and_runs_from_the_release(
    app: str, release: Path, model: bytes, tmp_path: Path, own_page: Page, serve: Serve
) -> None:
    site = build(app, [*release.glob("*.tgz")], tmp_path / app)
    (site / "model.tflite").write_bytes(model)
    server = serve(site_routes(site))
    assert first_words(own_page, server.origin).startswith(f"2 {EXPECTED}")


def build(app: str, packages: list[Path], folder: Path) -> Path:
    """Build a copy of the app in `folder`, and return its output."""
    shutil.copytree(EXAMPLES_DIR / app, folder)
    script = folder / ("app/scores.js" if app == "next" else "main.js")
    script.write_text(script.read_text().replace("console.log(", THREADED))
    options = ["--prefer-offline", "--no-audit", "--no-fund", "--loglevel=error", f"--cache={cache_dir() / 'npm'}"]
    run(["npm", "install", *options, *packages], cwd=folder)
    run(["npm", "run", "build"], cwd=folder, env={"NEXT_TELEMETRY_DISABLED": "1"})
    return folder / "dist"


def test_every_app_says_how_to_build_it() -> None:
    assert {"esbuild", "next", "parcel", "rollup", "vite", "webpack"} <= set(APPS)
    for app in APPS:
        assert "npm run build" in (EXAMPLES_DIR / app / "README.md").read_text()
