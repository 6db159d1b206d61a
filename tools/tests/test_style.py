"""Style and types of the entire project: the checks of `build.py lint`, each as a test."""

from pathlib import Path

import pytest

from support.command import CommandError, run
from tools import links, lint

CHECKS = lint.checks()


@pytest.mark.parametrize("title", CHECKS)
def test_no_check_of_lint_complains(title: str) -> None:
    CHECKS[title]()


def test_a_wrong_workflow_is_rejected(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    workflow = tmp_path / "wrong.yml"
    workflow.write_text(
        "on: push\njobs:\n  one:\n    runs-on: ubuntu-latest\n    steps: [{ run: '${{ nothing.x }}' }]\n"
    )
    with pytest.raises(CommandError):
        lint.workflows([workflow])
    assert 'wrong.yml:5:25: undefined variable "nothing"' in capfd.readouterr().err


def test_marks_of_a_merge_are_rejected(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    run(["git", "init", "--quiet"], cwd=tmp_path)
    (tmp_path / "notes.md").write_text("one\n")
    run(["git", "add", "."], cwd=tmp_path)
    lint.merge_marks(tmp_path)
    (tmp_path / "notes.md").write_text(f"{'<' * 7} main\none\n{'=' * 7}\ntwo\n{'>' * 7} other\n")
    with pytest.raises(CommandError):
        lint.merge_marks(tmp_path)
    assert "notes.md:1: leftover conflict marker" in "".join(capfd.readouterr())


def test_words_that_only_this_project_would_use_are_named(tmp_path: Path) -> None:
    run(["git", "init", "--quiet"], cwd=tmp_path)
    (tmp_path / "notes.md").write_text("A company; a Companion; almost kMostly; borderline.\n")
    run(["git", "add", "."], cwd=tmp_path)
    lint.words(tmp_path)
    (tmp_path / "notes.md").write_text("One.\nA Tw" + "in, kMo" + "stNodes, of_tw" + "ins, aTw" + "inOf.\n")
    with pytest.raises(lint.StyleError) as caught:
        lint.words(tmp_path)
    found = [line.rpartition(": say")[0].rpartition("notes.md:")[2] for line in str(caught.value).splitlines()[:4]]
    assert sorted(found) == ["2: kMo" + "stNodes", "2: tw" + "in", "2: tw" + "in", "2: tw" + "ins"]


def test_links_to_no_file_or_heading_are_named(tmp_path: Path) -> None:
    run(["git", "init", "--quiet"], cwd=tmp_path)
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "one.md").write_text("# A `title`, here\n[up](../README.md), [host](https://example.org)\n")
    text = (
        "[one](docs/one.md#a-title-here) ![](../../actions/ci.svg)\n\n[two](docs/two.md) [up](../x)\n[a](docs/one.md#b)"
    )
    (tmp_path / "README.md").write_text(text)
    run(["git", "add", "."], cwd=tmp_path)
    with pytest.raises(links.BrokenLinkError) as caught:
        links.check(tmp_path)
    assert str(caught.value).splitlines()[:3] == [
        "README.md:3: docs/two.md",
        "README.md:3: ../x",
        "README.md:3: docs/one.md#b",
    ]


def test_an_include_that_points_up_is_named(tmp_path: Path) -> None:
    for directory in ("support", "delegate/ops"):
        (tmp_path / directory).mkdir(parents=True)
    (tmp_path / "delegate" / "ops" / "tile.cc").write_text('#include "support/status.h"\n')
    (tmp_path / "support" / "status_test.cc").write_text('#include "delegate/ops/axis.h"\n')
    lint.cpp_layers(tmp_path)
    for upward in (
        '#include <map>\n#include "delegate/ops/axis.h"\n',
        '#include "tests/unit/test_model.h"\n',
        "#include <delegate/ops/axis.h>\n",
        '#  include "../delegate/ops/axis.h"\n',
        '#include "programs/program.h"\n',
    ):
        (tmp_path / "support" / "status.h").write_text(upward)
        with pytest.raises(lint.StyleError, match=r"support/status\.h includes \S*/\w+\.h"):
            lint.cpp_layers(tmp_path)


def test_a_cpp_file_without_a_layer_is_named(tmp_path: Path) -> None:
    """It could include everything."""
    (tmp_path / "runtime" / "new").mkdir(parents=True)
    (tmp_path / "runtime" / "new" / "file.cc").write_text("\n")
    with pytest.raises(lint.StyleError, match=r"runtime/new/file\.cc has no layer"):
        lint.cpp_layers(tmp_path)
