"""sources.toml and variants.toml: their contents, and the message for each mistake."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from support.errors import UsageError
from wasm.toolchain import variants
from wasm.toolchain.sources import registry
from wasm.toolchain.sources.registry import SourcesFileError
from wasm.toolchain.variants import VariantError

Write = Callable[[str, str], Path]

HEAD = """
[defaults]
suffixes = [".c"]
drop = []
[archive]
pool_path = "pool/x.tar.xz"
root = "x"
"""
GOOD = 'license = "MIT"\nversion = "1"\narchive_path = "a"\narchive_parts = []\nkeep = ["LICENSE"]\nsha256 = "0"\n'


def test_every_component_is_pinned() -> None:
    sources = registry.load()
    assert len(sources.components) == 14
    for component in sources.components.values():
        assert re.fullmatch("[0-9a-f]{64}", component.sha256), component.name
        assert re.fullmatch("[0-9a-f]{40}", component.revision) or not component.git, component.name
        assert any(name.startswith(("LICENSE", "COPYING")) for name in component.keep), component.name


@pytest.mark.parametrize(
    ("row", "problem"),
    [
        (GOOD.replace('license = "MIT"\n', ""), "is missing 'license'"),
        (GOOD + 'colour = "red"\n', "has the unknown key 'colour'"),
        (GOOD.replace("parts = []", "parts = [[1, 2]]"), "has a bad `archive_parts`"),
        (GOOD + 'git = "https://host.test/x.git"\n', "needs `git` and `commit`"),
    ],
)
def test_mistakes_in_a_component_are_named(write: Write, row: str, problem: str) -> None:
    path = write("sources.toml", f"{HEAD}[components.part]\n{row}")
    with pytest.raises(SourcesFileError, match=f"component part {problem}"):
        registry.load(path)


def test_a_mistake_in_the_archive_is_named(write: Write) -> None:
    path = write("sources.toml", HEAD.replace('root = "x"\n', ""))
    with pytest.raises(SourcesFileError, match="root"):
        registry.load(path)


def test_overriding_an_unknown_component_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(SourcesFileError, match=r"no component 'tensorfow'\n.*one of: tensorflow"):
        registry.load().check_overrides({"tensorfow": tmp_path})


def test_an_override_by_a_missing_directory_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(SourcesFileError, match="the directory for ruy does not exist"):
        registry.load().check_overrides({"ruy": tmp_path / "none"})


def test_variants_have_the_common_flags_and_their_own() -> None:
    simd, relaxed = variants.load().select(["simd", "relaxed-simd"])
    assert simd.compile_flags == relaxed.compile_flags  # they share the objects that have nothing to do with it
    assert "-mrelaxed-simd" in relaxed.link_flags
    assert relaxed.relaxed_simd
    assert not simd.relaxed_simd


def test_a_variant_with_threads_is_built_from_anothers_objects() -> None:
    known = variants.load().variants
    single, threads = known["relaxed-simd"], known["relaxed-simd-threads"]
    assert threads.objects == single.objects == "relaxed-simd"
    assert threads.flags == single.flags
    assert threads.threads_of == "relaxed-simd"
    assert single.threads_of is None
    assert [variant.name for variant in variants.load().select(["all"])] == [name for name in known if "simd" in name]


def test_the_sanitizers_variant_is_not_for_pages() -> None:
    (sanitizer,) = variants.load().select(["sanitizer"])
    assert not sanitizer.packaged
    assert sanitizer not in variants.load().select(["all"])
    for kind in set(variants.FURTHER_FLAGS) - {"object_flags"}:
        assert any(flag.startswith("-fsanitize=address") for flag in sanitizer.flags[kind])
        assert kind not in variants.load().variants["simd"].flags


def test_an_unknown_variant_is_reported_with_the_known_ones() -> None:
    with pytest.raises(
        UsageError,
        match=r"no variant 'mmx'\n.*\n.*one of: simd, simd-threads, relaxed-simd, relaxed-simd-threads, sanitizer, all",
    ):
        variants.load().select(["mmx"])


def test_a_mistake_in_variants_is_named(write: Write) -> None:
    text = variants.VARIANTS_FILE.read_text()
    with pytest.raises(VariantError, match="release_flags"):
        variants.load(write("a.toml", text.replace("release_flags", "relase_flags")))
    with pytest.raises(VariantError, match=r"variants\.simd\.threads"):
        variants.load(write("b.toml", text.replace("relaxed_simd = false", "relaxed_simd = false\nthreads = 4")))
    with pytest.raises(VariantError, match="sisd"):
        variants.load(write("c.toml", text.replace('threads_of = "simd"', 'threads_of = "sisd"')))


def test_programs_have_components_of_their_own() -> None:
    shared, all_components = registry.load().components, registry.load_for_programs().components
    assert all_components.keys() - shared.keys() == {"protobuf", "googletest", "tensorflow_tools", "xnnpack_tests"}
    for component in all_components.values():
        assert component.archive_parts, component.name
        for part in component.archive_parts:
            assert 0 < part.begin < part.end
            assert 0 <= part.tar_begin < part.tar_end
