"""The steps before any tool of js/ runs, with logging stand-ins."""

from __future__ import annotations

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
