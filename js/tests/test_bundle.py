"""The bundle step's logic, with logging stand-ins for esbuild and tsc."""

import json
from hashlib import sha256
from pathlib import Path

import pytest

from js import bundle, node, node_scripts, scripts
from wasm.toolchain import notices

# Tools of one bundling: the types of the runtime and of the polyfill are generated separately.
BUNDLING = ["esbuild", "tsc", "tsc"]


@pytest.fixture
def tools(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return a list that logs the name of each tool that runs."""
    ran: list[str] = []

    def run_tool(tool: str, *arguments: str | Path) -> None:
        ran.append(tool)
        (Path(arguments[-1]) / "runtime" / "src").mkdir(parents=True, exist_ok=True)  # tsc's output folder

    monkeypatch.setattr(bundle, "run_tool", run_tool)
    monkeypatch.setattr(bundle, "install", lambda: None)

    def bundle_scripts(variants: list[str], folder: Path, root: Path) -> set[Path]:
        ran.append("esbuild")
        return {folder / "own.ts"}

    monkeypatch.setattr(scripts, "bundle_scripts", bundle_scripts)
    monkeypatch.setattr(scripts, "complete_drop_in", lambda folder: None)
    monkeypatch.setattr(node_scripts, "bundle", lambda variants, folder, root: set())
    return ran


def make_variant(build_dir: Path, variant: str, wasm: str = "wasm") -> None:
    folder = build_dir / "wasm" / variant
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "tflite_webnn.mjs").write_text("export default 1")
    (folder / "tflite_webnn.wasm").write_text(wasm)
    (folder / "manifest.json").write_text(json.dumps({"variant": variant}))
    (folder / notices.FILE_NAME).write_text("terms of the module\n")


def test_package_has_the_variants_that_were_built(tools: list[str], tmp_path: Path) -> None:
    make_variant(tmp_path, "simd")
    bundle.bundle(tmp_path)
    assert tools == BUNDLING
    manifest = json.loads((tmp_path / "package" / "manifest.json").read_text())
    assert manifest == {"variants": {"simd": {"variant": "simd"}}, "packages": {}}
    assert (tmp_path / "package" / "simd" / "tflite_webnn.wasm").read_text() == "wasm"
    assert not (tmp_path / "package" / "relaxed-simd").exists()
    assert "terms of the module" in (tmp_path / "package" / notices.FILE_NAME).read_text()
    assert (tmp_path / "package" / "LICENSE").exists()
    schema = json.loads((tmp_path / "package" / "report.schema.json").read_text())
    assert schema["title"] == "ModelReport"
    assert {"executionMode", "timingsMs"} < set(schema["required"])


def test_scripts_know_the_packaged_variants(tmp_path: Path) -> None:
    make_variant(tmp_path, "simd")
    for script in scripts.SCRIPTS:
        arguments = scripts.arguments(script, ["simd"], tmp_path, tmp_path)
        # A script that embeds a variant looks for none beside it.
        simd = "false" if script.embedded else f'"{sha256(b"wasm").hexdigest()[: scripts.HASH_DIGITS]}"'
        assert f"--define:__PACKAGED__.simd={simd}" in arguments
        assert "--define:__PACKAGED__.relaxedSimd=false" in arguments
        assert f"--external:./{scripts.GPU_FAULTS}" in arguments
        assert ("--format=iife" in arguments) == script.name.endswith(".js")


def test_scripts_that_embed_a_module_know_its_exports(tmp_path: Path) -> None:
    make_variant(tmp_path, "simd")
    glue = """var _a=Module["_a"]=()=>(_a=Module["_a"]=wasmExports["D"])();wasmExports["ba"]=wrap(wasmExports["ba"])"""
    (tmp_path / "wasm" / "simd" / "tflite_webnn.mjs").write_text(glue)
    script = next(script for script in scripts.SCRIPTS if script.name == "tflite_cpu.js")
    assert '--define:__WASM_EXPORTS__=["D"]' in scripts.arguments(script, ["simd"], tmp_path, tmp_path)


@pytest.mark.parametrize(
    ("line", "ours"),
    [
        ('import("./simd/tflite_webnn.mjs")', 'import("../simd/tflite_webnn.mjs")'),
        (
            'new URL("./relaxed-simd-threads/tflite_webnn.wasm", import.meta.url)',
            'new URL("../relaxed-simd-threads/tflite_webnn.wasm", import.meta.url)',
        ),
        ('import("./polyfill_gpu.mjs")', 'import("../polyfill_gpu.mjs")'),
        ('import("./polyfill.mjs")', 'import("./polyfill.mjs")'),
    ],
)
def test_scripts_for_node_take_modules_from_the_folder_above(line: str, ours: str) -> None:
    assert node_scripts.OF_FOLDER_ABOVE.sub(r"\1../\2", line) == ours


def test_the_drop_in_has_all_names_that_the_client_asks_for(tmp_path: Path) -> None:
    (tmp_path / "simd").mkdir()
    (tmp_path / "simd" / "tflite_webnn.wasm").write_text("wasm")
    folder = tmp_path / scripts.DROP_IN_DIR
    folder.mkdir()
    (folder / "tflite_web_api_cc_simd.js").write_text("script")
    helper_scripts = (scripts.HELPER, scripts.GPU_FAULTS)
    for name in helper_scripts:
        (tmp_path / name).write_text(name)
    scripts.complete_drop_in(tmp_path)
    names = [f"tflite_web_api_cc{suffix}.js" for suffix in ("", "_simd", "_simd_threaded", "_threaded")]
    assert sorted(file.name for file in folder.glob("*.js")) == sorted(names)
    assert {file.read_text() for file in folder.glob("*.js")} == {"script"}
    assert (folder / "tflite_web_api_cc_simd.wasm").read_text() == "wasm"
    assert [(folder / name).read_text() for name in helper_scripts] == list(helper_scripts)


def test_nothing_is_done_twice_until_something_changes(tools: list[str], tmp_path: Path) -> None:
    make_variant(tmp_path, "simd")
    bundle.bundle(tmp_path)
    bundle.bundle(tmp_path)
    assert tools == BUNDLING
    make_variant(tmp_path, "simd", wasm="another wasm")
    bundle.bundle(tmp_path)
    assert (tmp_path / "package" / "simd" / "tflite_webnn.wasm").read_text() == "another wasm"
    make_variant(tmp_path, "relaxed-simd")
    bundle.bundle(tmp_path)
    assert tools == BUNDLING * 3


def test_a_failed_bundle_is_not_taken_for_a_finished_one(
    tools: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_variant(tmp_path, "simd")
    with monkeypatch.context() as patch:
        patch.setattr(bundle, "_write_types", lambda _: pytest.fail("types do not compile"))
        with pytest.raises(pytest.fail.Exception):
            bundle.bundle(tmp_path)
    bundle.bundle(tmp_path)
    assert tools == ["esbuild", *BUNDLING]


def test_without_wasm_the_mend_is_reported(tools: list[str], tmp_path: Path) -> None:
    with pytest.raises(bundle.NoWasmError, match=r"build\.py build"):
        bundle.bundle(tmp_path)
    assert tools == []


def test_missing_node_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(node.NodeMissingError, match="install Node 20"):
        node.find_node()


def test_old_node_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    old = tmp_path / "node"
    old.write_text("#!/bin/sh\necho v18.19.0\n")
    old.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    with pytest.raises(node.NodeMissingError, match=r"v18\.19\.0"):
        node.find_node()


def test_the_lock_names_no_registry_and_every_platform() -> None:
    packages = json.loads(node.LOCK_FILE.read_text())["packages"]
    assert not any("://" in str(entry.get("resolved", "")) for entry in packages.values())
    wanted = {name for entry in packages.values() for name in entry.get("optionalDependencies", {})}
    assert {name for name in wanted if f"node_modules/{name}" not in packages} == set()


def test_typescript_is_checked_again_after_a_change_or_a_failure(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ran: list[str] = []
    fails = [True]

    def run_tool(tool: str, *_: object, **__: object) -> None:
        ran.append(tool)
        if tool == "depcruise" and fails:
            raise RuntimeError(fails.pop())

    monkeypatch.setenv("TFLITE_WEBNN_CACHE", str(tmp_path / "cache"))
    for name, value in (("JS_DIR", tmp_path / "js"), ("PROJECT_DIR", tmp_path), ("run_tool", run_tool)):
        monkeypatch.setattr(bundle, name, value)
    monkeypatch.setattr(bundle, "install", lambda: None)
    for folder in ("js/node_modules", "js/src", "site"):
        (tmp_path / folder).mkdir(parents=True)
    with pytest.raises(RuntimeError):
        bundle.lint()
    checks = [*ran]
    assert checks == ["tsc", "tsc", "biome", "biome", "depcruise"]
    for file, is_checked in {"": 1, "js/node_modules/new.ts": 0, "js/src/new.ts": 1, "site/new.ts": 1}.items():
        ran.clear()
        if file:
            (tmp_path / file).touch()
        bundle.lint()
        assert ran == checks * is_checked, file
