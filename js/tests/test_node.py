"""Packages and generated files, with logging placeholders for npm and Node."""

from pathlib import Path

import pytest

from js import node


def test_files_are_generated_again_only_after_a_change(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    header, folder = tmp_path / "limits.h", tmp_path / "generated"
    header.write_text("1")
    folder.mkdir()
    ran = []
    monkeypatch.setattr(node, "GENERATED_FROM", (header,))
    monkeypatch.setattr(node, "GENERATED_DIR", folder)
    monkeypatch.setattr(node, "_install_packages", lambda: None)
    monkeypatch.setattr(node, "run", lambda command, **_: ran.append(Path(command[-1]).name))
    monkeypatch.setattr(node, "find_node", lambda: Path("node"))
    for text in ("1", "1", "2"):
        header.write_text(text)
        node.install()
    assert ran == ["generate.mjs", "generate.mjs"]


def test_the_pinned_node_is_no_script(monkeypatch: pytest.MonkeyPatch) -> None:
    """A script would start Python for each start of Node."""
    pinned = Path(node.pinned_node())
    assert pinned.is_absolute()
    with pinned.open("rb") as stream:
        assert stream.read(2) != b"#!"
    monkeypatch.setattr(node, "find_spec", lambda _: None)
    assert node.pinned_node() == "node"
