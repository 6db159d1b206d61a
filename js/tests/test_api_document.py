"""docs/api.md says what the comments say, and every export, member and parameter has one: typedoc fails otherwise."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from js import api_document
from js.node import JS_DIR
from wasm.toolchain.support.command import CommandError


def test_the_document_is_up_to_date() -> None:
    assert api_document.DOCUMENT.read_text() == api_document.text(), (
        "run `python3 build.py docs` and read what it changed"
    )


@pytest.mark.parametrize(
    "what", ["export const size = 1;", "/** Twice. */\nexport const twice = (x: number) => 2 * x;"]
)
def test_what_has_no_comment_is_refused(what: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "entry.mts").write_text(what)
    options = {
        "tsconfig.json": {"extends": str(JS_DIR / "tsconfig.base.json"), "files": ["entry.mts"]},
        "typedoc.json": {
            "extends": [str(api_document.TYPEDOC_DIR / "typedoc.json")],
            "entryPoints": ["entry.mts"],
            "tsconfig": "tsconfig.json",
        },
    }
    for name, content in options.items():
        (tmp_path / name).write_text(json.dumps(content))
    with pytest.raises(CommandError):
        api_document.run_typedoc("--options", tmp_path / "typedoc.json", "--emit", "none")
    assert "does not have any documentation" in capfd.readouterr().err
