"""GitHub's workflows: what they run, need and cache."""

import re
import tomllib

import pytest

from support.paths import PROJECT_DIR
from tools import lint, options
from tools.suite import needs


def job(workflow: str, name: str) -> str:
    """Return the text of a job."""
    text = (lint.WORKFLOWS_DIR / workflow).read_text()
    (found,) = re.findall(rf"^  {name}:\n((?:    .*\n)+)", text, re.MULTILINE)
    return str(found)


def test_the_jobs_of_ci_are_the_tiers_of_the_entire_suite() -> None:
    (tiers,) = re.findall(r"tier: \[(.*)\]", job("ci.yml", "tests"))
    assert "build.py test --tier unit\n" in job("ci.yml", "unit")
    assert {"unit", *tiers.split(", "), needs.ALL} == {*options.TIERS}
    versions = [tuple(map(int, version)) for version in re.findall(r"'(\d+)\.(\d+)'", job("ci.yml", "unit"))]
    project = tomllib.loads((PROJECT_DIR / "pyproject.toml").read_text())["project"]
    assert project["requires-python"] == f">={'.'.join(map(str, min(versions)))}"


def test_a_release_needs_the_entire_suite() -> None:
    assert "- run: python3 build.py test\n" in job("release.yml", "test")
    for publishing in ("npm", "pypi"):
        assert "needs: [make, test]\n" in job("release.yml", publishing)
    assert "needs: [npm, pypi]\n" in job("release.yml", "github")


@pytest.mark.parametrize("workflow", ["ci.yml", "release.yml", "site.yml"])
def test_workflows_cache_no_results(workflow: str) -> None:
    cached = re.findall(r"~/\.cache/tflite-webnn(\S*)", (lint.WORKFLOWS_DIR / workflow).read_text())
    directories = ("artefacts", "browsers", "ccache", "downloads", "models", "npm", "sources", "toolchain")
    assert {*cached} <= {f"/{name}" for name in directories}


@pytest.mark.parametrize("workflow", ["ci.yml", "release.yml", "site.yml"])
def test_actions_are_pinned_by_commit(workflow: str) -> None:
    used = re.findall(r"uses: (.*)", (lint.WORKFLOWS_DIR / workflow).read_text())
    assert used
    for action in used:
        assert re.fullmatch(r"[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+", action), action
