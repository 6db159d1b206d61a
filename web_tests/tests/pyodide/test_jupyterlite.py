"""The notebook in a real JupyterLite: all its cells, without the network."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from pyodide_pkg.wheel import PYODIDE_DIR
from tools import jupyterlite_site
from tools.jupyterlite_site import NOTEBOOK
from web_tests.server.server import Server

pytestmark = pytest.mark.needs("wheel")

# Two starts under load: of JupyterLite's page, and of Python in its worker.
TIMEOUT_MS = 120_000
CODE_CELLS = ".jp-Notebook .jp-CodeCell"
# A finished cell has a number, a running or waiting one a star, and a failed one its traceback.
DONE = re.compile(r"^\[\d+\]:$")


@pytest.fixture(scope="module")
def server_without_isolation() -> Iterator[Server]:
    """A server without the headers of isolation, like most hosts of such sites.

    With them, JupyterLite 0.8.6 sometimes loses its kernel's responses: its coincident 1.2.3 expects a promise from
    Atomics.waitAsync(), which is a string if the response has already arrived.
    """
    with Server(headers={}) as server:
        yield server


@pytest.fixture(scope="module")
def site(server_without_isolation: Server) -> str:
    wheel = next(PYODIDE_DIR.glob("*.whl"))
    return f"{server_without_isolation.origin}/{jupyterlite_site.build(wheel).name}"


def test_a_notebook_installs_the_wheel_and_runs_a_model(
    own_page: Page, server_without_isolation: Server, site: str, tmp_path: Path
) -> None:
    code_cells = [cell["cell_type"] for cell in json.loads(NOTEBOOK.read_text())["cells"]].count("code")
    elsewhere: list[str] = []
    own_page.on(
        "request",
        lambda request: elsewhere.append(request.url) if is_elsewhere(request.url, server_without_isolation) else None,
    )
    own_page.goto(f"{site}/notebooks/index.html?path={NOTEBOOK.name}")
    cells = own_page.locator(CODE_CELLS)
    expect(cells.first).to_be_visible(timeout=TIMEOUT_MS)
    own_page.get_by_text("Run", exact=True).first.click()
    own_page.get_by_text("Run All Cells", exact=True).click()
    prompts = cells.locator(".jp-InputPrompt")
    expect(prompts).to_have_text([DONE] * code_cells, timeout=TIMEOUT_MS)
    outputs = ["".join(cell.locator(".jp-OutputArea-output").all_inner_texts()).strip() for cell in cells.all()]
    own_page.screenshot(path=tmp_path / "notebook.png", full_page=True)
    *_, labels, report = outputs
    assert labels.splitlines()[0].endswith("Egyptian cat"), outputs
    delegated, nodes = map(int, re.findall(r"(\d+) of (\d+) nodes on WebNN", report)[0])
    assert 0 < delegated <= nodes
    assert elsewhere == []


def is_elsewhere(url: str, server: Server) -> bool:
    return not url.startswith((server.origin, "data:", "blob:"))
