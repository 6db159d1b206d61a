"""The table of sizes, and modules above the limit."""

from pathlib import Path

import pytest

from support.paths import artefact_dir
from wasm.toolchain import sizes, variants
from wasm.toolchain.sizes import Size, Sizes
from wasm.toolchain.variants import built_variants

KNOWN = Sizes(gzip_limit_bytes=1000, written={"simd": Size(3000, 900)})


def test_the_table_shows_what_grew() -> None:
    text = sizes.table(KNOWN, {"simd": Size(3500, 1010), "other": Size(10, 5)})
    header, simd, other = (line.split() for line in text.splitlines())
    assert header[0] == "variant"
    assert simd == ["simd", "3,500", "3,000", "500", "1,010", "900", "110", "-10"]
    assert other == ["other", "10", "-", "-", "5", "-", "-", "995"]


def test_what_is_beyond_the_limit_is_named() -> None:
    assert sizes.too_large(KNOWN, {"simd": Size(3500, 1010), "other": Size(10, 5)}) == ["simd"]


def test_the_size_of_a_module_is_in_its_manifest(tmp_path: Path) -> None:
    files = '{"files": {"tflite_webnn.wasm": {"size_bytes": 5, "gzip_size_bytes": 4, "sha256": ""}}}'
    (tmp_path / "manifest.json").write_text(files)
    assert sizes.measure(tmp_path) == Size(5, 4)


def test_every_variant_of_the_package_is_written_down() -> None:
    packaged = {variant.name for variant in variants.load().select(["all"])}
    assert sizes.load().written.keys() == packaged


@pytest.mark.needs("variants")
def test_modules_are_within_their_limit(capsys: pytest.CaptureFixture[str]) -> None:
    known = sizes.load()
    found = {name: sizes.measure(artefact_dir(name)) for name in built_variants()}
    with capsys.disabled():
        print(f"\n{sizes.table(known, found)}")
    assert not sizes.too_large(known, found), sizes.table(known, found)
