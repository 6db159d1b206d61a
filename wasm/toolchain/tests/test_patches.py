import re
from pathlib import Path

import pytest

from support.paths import PROJECT_DIR
from wasm.toolchain.sources import fetch, patches, registry
from wasm.toolchain.sources.patches import State

TEXT = "".join(f"line {number}\n" for number in range(12))
SERIES = {
    "0001-applies": ("line 2", "second line"),
    "0002-moved": ("line 9", "ninth line"),
    "0003-upstream": ("line 5", "fifth line"),
    "0004-conflicts": ("line 7", "seventh line"),
}


@pytest.fixture
def own_series(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Four patches of one file; returns a tree in which one is applied, one conflicts, and one has moved."""
    monkeypatch.setattr(patches, "PATCHES_DIR", tmp_path / "patches")
    monkeypatch.setattr(patches, "PROJECT_DIR", tmp_path)
    (tmp_path / "patches" / "lib").mkdir(parents=True)
    lines = TEXT.splitlines()
    for name, (old, new) in SERIES.items():
        at = lines.index(old)
        diff = (
            f"--- a/file.c\n+++ b/file.c\n@@ -{at},3 +{at},3 @@\n {lines[at - 1]}\n-{old}\n+{new}\n {lines[at + 1]}\n"
        )
        (tmp_path / "patches" / "lib" / f"{name}.patch").write_text(f"Why.\n\n{diff}")
    tree = tmp_path / "tree"
    tree.mkdir()
    text = TEXT.replace("line 5", "fifth line").replace("line 7", "other line")
    (tree / "file.c").write_text(text.replace("line 8\n", "line 7.5\nline 8\n"))
    return tree


def test_states_of_patches_on_another_tree(own_series: Path) -> None:
    found = {result.patch.stem: result for result in patches.check({"lib": own_series})}
    assert {name: result.state for name, result in found.items()} == {
        "0001-applies": State.APPLIES,
        "0002-moved": State.OFFSET,
        "0003-upstream": State.UPSTREAM,
        "0004-conflicts": State.CONFLICT,
    }
    assert "file.c:7" in found["0004-conflicts"].reason
    assert "ninth" not in (own_series / "file.c").read_text()


def test_patch_that_does_not_apply_stops_the_build(
    own_series: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TFLITE_WEBNN_CACHE", str(tmp_path / "cache"))
    with pytest.raises(patches.PatchError, match=r"patches/lib/0003-upstream.patch does not apply") as caught:
        patches.patched("lib", own_series, "key")
    assert "docs/contributing/upgrading.md" in caught.value.hint


def test_patched_sources_are_a_copy(own_series: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TFLITE_WEBNN_CACHE", str(tmp_path / "cache"))
    (own_series / "file.c").write_text(TEXT)
    directory = patches.patched("lib", own_series, "key")
    assert "fifth line" in (directory / "file.c").read_text()
    assert (own_series / "file.c").read_text() == TEXT
    assert patches.patched("other", own_series, "key") == own_series


def test_every_patch_applies_to_the_pinned_sources() -> None:
    pinned = registry.load_for_programs().components
    sources = {name: fetch.entry(pinned[name]) for name in patches.components()}
    missing = [name for name, directory in sources.items() if not directory.exists()]
    if missing:
        pytest.skip(f"sources are not fetched: {', '.join(missing)}; `build.py setup` fetches them")
    found = list(patches.check(sources))
    assert [result for result in found if result.state != State.APPLIES] == []
    of_module = [result for result in found if "xnnpack_tests" not in result.patch.parts]
    assert len(of_module) <= 40


@pytest.mark.parametrize("patch", [*patches.PATCHES_DIR.glob("*/*.patch")], ids=lambda patch: patch.stem)
def test_every_patch_names_its_test_and_its_end(patch: Path) -> None:
    head = patch.read_text().split("\n--- a/")[0]
    named = re.search(r"^Test: (.+)$", head, re.MULTILINE)
    assert named, "`Test: FILE::FUNCTION, ...` is missing"
    assert re.search(r"^Gone when: ", head, re.MULTILINE), "`Gone when: ...` is missing"
    for test in named[1].split(", "):
        file, _, function = test.partition("::")
        assert f"\ndef {function}(" in (PROJECT_DIR / file).read_text(), f"there is no {test}"
