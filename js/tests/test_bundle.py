"""The bundle step's logic, with a logging placeholder for js/scripts/bundling."""

import json
import shutil
from pathlib import Path

import pytest

from js import bundle, node, scripts
from wasm.toolchain import notices


@pytest.fixture
def bundled(monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """Return a list that logs the root of each bundling."""
    roots: list[Path] = []

    def bundle_package(root: Path) -> set[Path]:
        roots.append(root)
        shutil.rmtree(root / "package", ignore_errors=True)
        shutil.copytree(root / "wasm", root / "package")
        return {root / "own.ts"}

    monkeypatch.setattr(scripts, "bundle_package", bundle_package)
    monkeypatch.setattr(bundle, "install", lambda: None)
    return roots


def make_variant(build_dir: Path, variant: str, wasm: str = "wasm") -> None:
    folder = build_dir / "wasm" / variant
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "tflite_webnn.mjs").write_text("export default 1")
    (folder / "tflite_webnn.wasm").write_text(wasm)
    (folder / "manifest.json").write_text(json.dumps({"variant": variant}))
    (folder / notices.FILE_NAME).write_text("terms of the module\n")


def test_package_has_the_variants_that_were_built(bundled: list[Path], tmp_path: Path) -> None:
    make_variant(tmp_path, "simd")
    bundle.bundle(tmp_path)
    assert bundled == [tmp_path]
    manifest = json.loads((tmp_path / "package" / "manifest.json").read_text())
    assert manifest == {"variants": {"simd": {"variant": "simd"}}, "packages": {}}
    assert "terms of the module" in (tmp_path / "package" / notices.FILE_NAME).read_text()
    schema = json.loads((tmp_path / "package" / "report.schema.json").read_text())
    assert schema["title"] == "ModelReport"
    assert {"executionMode", "timingsMs"} < set(schema["required"])


def test_nothing_is_done_twice_until_something_changes(bundled: list[Path], tmp_path: Path) -> None:
    make_variant(tmp_path, "simd")
    bundle.bundle(tmp_path)
    bundle.bundle(tmp_path)
    assert bundled == [tmp_path]
    make_variant(tmp_path, "simd", wasm="another wasm")
    bundle.bundle(tmp_path)
    assert bundled == [tmp_path] * 2
    make_variant(tmp_path, "relaxed-simd")
    bundle.bundle(tmp_path)
    assert bundled == [tmp_path] * 3


def test_a_failed_bundle_is_not_taken_for_a_finished_one(
    bundled: list[Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_variant(tmp_path, "simd")
    with monkeypatch.context() as patch:
        patch.setattr(bundle, "write_notices", lambda *_: pytest.fail("no terms"))
        with pytest.raises(pytest.fail.Exception):
            bundle.bundle(tmp_path)
    bundle.bundle(tmp_path)
    assert bundled == [tmp_path] * 2


def test_without_wasm_the_hint_is_reported(bundled: list[Path], tmp_path: Path) -> None:
    with pytest.raises(bundle.NoWasmError, match=r"build\.py build"):
        bundle.bundle(tmp_path)
    assert bundled == []


def test_without_wasm_npm_bundles_the_other_scripts(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    sources = scripts.bundle_package(tmp_path)
    assert node.JS_DIR / "packages" / "core" / "src" / "index.ts" in sources
    package = tmp_path / "package"
    written = [name for name in ("index.mjs", "node/index.mjs", "index.d.mts", "cpu.mjs") if (package / name).exists()]
    assert written == ["index.mjs", "node/index.mjs", "index.d.mts"]
    shown = " ".join(capfd.readouterr().err.split())
    assert f"no wasm module in {tmp_path}/wasm/simd" in shown
    assert "python3 build.py build, or set TFLITE_WEBNN_PREBUILT" in shown


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
