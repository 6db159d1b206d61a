"""Samples of js/apps/examples that need no bundler, as their READMEs say: workers, a strict policy, another origin."""

import json
import re
import shutil
from functools import partial
from pathlib import Path

import pytest
from playwright.sync_api import Page

from support.command import run
from support.npm import pinned_node
from support.paths import PACKAGE_DIR
from web_tests.drivers.harness import Harness
from web_tests.models import handmade
from web_tests.server.server import EXAMPLES_DIR, ISOLATION_HEADERS, site_routes
from web_tests.tests.conftest import CDN_HEADERS, Serve, first_message

# Opens a page and returns what it logs of its model.
first_result = partial(first_message, start=("direct", "cpu"))
# Scripts without a hash are rejected, also those that scripts import.
INTEGRITY_POLICY = {"Integrity-Policy": "blocked-destinations=(script)"}

pytestmark = pytest.mark.needs("variants")


def sample(name: str, directory: Path) -> Path:
    """Return the directory of a copied sample, with the package where it looks for it, and a model."""
    shutil.copytree(PACKAGE_DIR, directory / "package")
    copied = shutil.copytree(EXAMPLES_DIR / name, directory / "examples" / name)
    (copied / "model.tflite").write_bytes(handmade.wide_network())
    return copied


@pytest.mark.parametrize("headers", [{}, ISOLATION_HEADERS], ids=["plain", "isolated"])
def test_the_module_worker_sample_runs_in_direct_mode(
    headers: dict[str, str], own_page: Page, tmp_path: Path, serve: Serve
) -> None:
    sample("module_worker", tmp_path)
    server = serve(site_routes(tmp_path), headers=headers)
    assert first_result(own_page, f"{server.origin}/examples/module_worker/index.html").startswith(
        "direct Float32Array(5)"
    )


def test_pages_share_the_model_of_a_shared_worker(webnn: Harness, tmp_path: Path, serve: Serve) -> None:
    sample("shared_worker", tmp_path)
    url = f"{serve(site_routes(tmp_path), headers={}).origin}/examples/shared_worker/index.html"
    browser = webnn.page.context.browser
    assert browser
    with browser.new_context() as context:
        texts = [first_result(context.new_page(), url) for _ in range(2)]
    assert [re.sub(r"^(direct|cpu) ", "", text).split(" ")[0] for text in texts] == ["1", "2"]
    assert all("Float32Array(5)" in text for text in texts)


def test_a_page_runs_under_a_strict_policy(own_page: Page, tmp_path: Path, serve: Serve) -> None:
    directory = sample("strict_csp", tmp_path)
    shutil.move(tmp_path / "package", directory)
    (directory / "index.html").write_text(run([pinned_node(), "write_page.mjs"], cwd=directory, capture=True))
    server = serve(site_routes(directory), headers=INTEGRITY_POLICY)
    assert first_result(own_page, server.origin).startswith("direct Float32Array(5)")


def test_the_policy_rejects_a_changed_script(webnn: Harness, tmp_path: Path, serve: Serve) -> None:
    """The test above would see nothing if the policy did not hold."""
    directory = sample("strict_csp", tmp_path)
    shutil.move(tmp_path / "package", directory)
    (directory / "index.html").write_text(run([pinned_node(), "write_page.mjs"], cwd=directory, capture=True))
    for variant in directory.glob("package/*simd*/tflite_webnn.mjs"):
        variant.write_text(variant.read_text() + "\n// changed")
    server = serve(site_routes(directory), headers=INTEGRITY_POLICY)
    browser = webnn.page.context.browser
    assert browser
    page = browser.new_page()
    logged: list[str] = []
    page.on("console", lambda message: logged.append(message.text))
    with page.expect_event("pageerror") as rejected:
        page.goto(server.origin)
    assert "Could not load" in str(rejected.value)
    assert any("integrity" in text for text in logged)
    page.close()


def test_an_import_map_names_another_origin(own_page: Page, tmp_path: Path, serve: Serve) -> None:
    directory = sample("import_map", tmp_path)
    cdn = serve(site_routes(PACKAGE_DIR), headers=CDN_HEADERS)
    page = directory / "index.html"
    (address,) = re.findall(r'"(https://cdn\.example/[^"]+)/index\.mjs"', page.read_text())
    page.write_text(page.read_text().replace(address, cdn.origin))
    assert first_result(own_page, serve(site_routes(directory), headers={}).origin).startswith("direct Float32Array(5)")


def test_every_sample_has_a_short_readme_and_is_listed() -> None:
    table = (EXAMPLES_DIR / "README.md").read_text()
    directories = [file for file in EXAMPLES_DIR.iterdir() if file.is_dir()]
    assert directories
    for directory in directories:
        readme = (directory / "README.md").read_text().splitlines()
        assert 3 <= len([line for line in readme if line]) <= 14, directory.name
        assert f"`{directory.name}`" in table, directory.name
    assert json.loads((EXAMPLES_DIR / "extension" / "manifest.json").read_text())["manifest_version"] == 3
