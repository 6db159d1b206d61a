"""The table of workarounds, and what must agree with it."""

import re
from dataclasses import replace

import pytest

from support.paths import PROJECT_DIR
from tools.probe import workaround_trials, workarounds
from tools.probe.workaround_models import models

ROWS = workarounds.workarounds()
HEADER = PROJECT_DIR / "wasm" / "delegate" / "workarounds" / "workarounds.h"
ROW = workarounds.Workaround("an_id", "Chromium", "147, TFLite", "a bug", "a workaround", "wrong")


def test_the_delegate_knows_the_same_workarounds() -> None:
    text = HEADER.read_text()
    (names,) = re.findall(r"enum class Workaround : uint8_t \{(.*?)\}", text, re.DOTALL)
    (ids,) = re.findall(r"kWorkaroundIds\[\] = \{(.*?)\}", text, re.DOTALL)
    expected = [row.id for row in ROWS]
    assert re.findall(r'"(\w+)"', ids) == expected
    in_snake_case = [re.sub(r"(?<!^)([A-Z])", r"_\1", name).lower() for name in re.findall(r"k(\w+)", names)]
    assert in_snake_case == expected


def test_the_runtime_and_the_document_have_the_table() -> None:
    assert workarounds.RUNTIME_FILE.read_text() == workarounds.runtime_text(ROWS), "run `python3 build.py docs`"
    assert workarounds.DOCUMENT.read_text() == workarounds.document_text(), "run `python3 build.py docs`"
    assert all(f"| `{row.id}` |" in workarounds.DOCUMENT.read_text() for row in ROWS)


def test_each_workaround_has_a_model() -> None:
    assert list(models()) == [row.id for row in ROWS]


def test_files_that_are_named_exist() -> None:
    for row in ROWS:
        (file,) = re.findall(r"`([\w/]+\.\w+)`", row.workaround)
        directory = PROJECT_DIR if file.startswith("js/") else PROJECT_DIR / "wasm" / "delegate"
        assert (directory / file).is_file(), file


@pytest.mark.parametrize(
    ("from_", "to", "text", "member"),
    [
        (None, None, "all", ""),
        (None, 150, "up to 150", ", to: 150"),
        (140, None, "from 140", ", from: 140"),
        (140, 150, "from 140 up to 150", ", from: 140, to: 150"),
    ],
)
def test_bounds_of_versions_are_written(from_: int | None, to: int | None, text: str, member: str) -> None:
    row = replace(ROW, from_=from_, to=to)
    assert row.versions() == text
    assert f"  {{ id: 'an_id', engine: 'Chromium'{member} }}," in workarounds.runtime_text([row])
    assert f"| Chromium | {text} |" in workarounds.document_table([row])


def test_fixed_bugs_are_named() -> None:
    results = [(ROW, "works"), (replace(ROW, id="another"), "wrong"), (replace(ROW, id="third"), "rejected")]
    assert list(workaround_trials.summary(results)) == [
        "an_id: works without the workaround, which this browser no longer needs (set its last version in `to`)",
        "another: wrong without the workaround",
        "third: rejected without the workaround; the table says wrong",
    ]
