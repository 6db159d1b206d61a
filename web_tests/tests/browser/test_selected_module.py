"""Modules for one model, which are small, fully delegated and correct, and modules without a delegate."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page

from support.cache import locked
from support.paths import SELECTED_DIR, artefact_dir
from tools import command_line, making
from tools.commands import COMMANDS
from wasm.toolchain import build, manifest, sizes
from wasm.toolchain.selection.selection import select
from web_tests.drivers.harness import CPU, Harness, LoadedModel, LoadOptions, ModelError
from web_tests.models.catalogue import all_models
from web_tests.references.inputs import inputs_for
from web_tests.server.server import Server, kit_routes
from web_tests.tests.browser.test_models import assert_native_outputs

pytestmark = pytest.mark.needs("variants")

VARIANT = "relaxed-simd"
MODEL = all_models()["efficientnet_lite0_int8"]
OTHER = all_models()["selfie_segmentation"]
FLOATS = all_models()["face_detection_short_range"]
LIMIT_BYTES = 476_000  # of the module after gzip -9
LOCK = "selected"  # another worker may build there, too


@pytest.fixture(scope="module")
def selected_copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the package with a module for MODEL only, and of that module's directory."""
    copy = tmp_path_factory.mktemp("selected")
    with locked(LOCK, title="a module for one model"):
        build.build([VARIANT], selection=select([MODEL.path()], []))
        making.bundle(SELECTED_DIR)
        shutil.copytree(SELECTED_DIR / "package", copy / "package")
        shutil.copytree(artefact_dir(VARIANT, SELECTED_DIR), copy / "module")
    return copy


@pytest.fixture(scope="module")
def selected_server(selected_copy: Path) -> Iterator[Server]:
    with Server(kit_routes(selected_copy / "package")) as server:
        yield server


@pytest.fixture
def selected(own_page: Page, selected_server: Server) -> Harness:
    return Harness(own_page, selected_server)


def test_it_is_small_and_says_what_is_in_it(selected_copy: Path) -> None:
    directory = selected_copy / "module"
    described = manifest.read_manifest(directory)["selection"]
    assert "CONV_2D" in described["ops"]
    assert described["types"] == ["INT32", "INT8", "UINT8"]
    assert sizes.measure(directory).gzip_size_bytes <= LIMIT_BYTES


def test_the_model_runs_on_webnn(selected: Harness) -> None:
    loaded = selected.load(MODEL.content())
    inputs = inputs_for(MODEL)
    assert_native_outputs(MODEL, loaded.run(inputs), inputs, "webnn")
    assert loaded.cpu_reasons() == {}


def test_xnnpack_delegates_the_same_nodes_as_with_all_ops(selected: Harness, webnn: Harness) -> None:
    options = LoadOptions(webnn=False, extra={"variant": VARIANT, "numThreads": 1, "enableProfiling": True})
    loaded, complete = (harness.load(MODEL.content(), options) for harness in (selected, webnn))
    inputs = inputs_for(MODEL)
    assert_native_outputs(MODEL, loaded.run(inputs), inputs, "cpu")
    complete.run(inputs)
    assert operators(loaded) == operators(complete)
    assert any("GEMM" in name for name in operators(loaded))


def operators(loaded: LoadedModel) -> list[str]:
    """TFLite's ops and XNNPACK's operators that computed, with the kind of their kernels."""
    items, _ = loaded.profile()
    return [item["nodeType"] for item in items]


def test_a_model_that_needs_more_is_rejected_with_the_names(selected: Harness) -> None:
    with pytest.raises(ModelError, match=r"without the ops Convolution2DTransposeBias, .*HARD_SWISH") as caught:
        selected.load(OTHER.content(), CPU)
    assert caught.value.code == "OPS_NOT_IN_BUILD"


@pytest.mark.parametrize(
    "options", [["--without-webnn"], ["--without-xnnpack"], ["--without-webnn", "--without-xnnpack"]], ids=" ".join
)
def test_a_module_without_a_delegate_runs_on_what_is_left(options: list[str], own_page: Page, tmp_path: Path) -> None:
    with locked(LOCK, title=f"a module {' '.join(options)}"):
        COMMANDS["build"].run(command_line.parse(COMMANDS, ["build", "--variant", "simd", *options]))
        shutil.copytree(SELECTED_DIR / "package", tmp_path / "package")
        described = manifest.read_manifest(artefact_dir("simd", SELECTED_DIR))["selection"]
    has = {name: f"--without-{name}" not in options for name in ("webnn", "xnnpack")}
    assert described == {"ops": None, "types": None, **has}
    with Server(kit_routes(tmp_path / "package")) as server:
        harness = Harness(own_page, server)
        inputs = inputs_for(FLOATS)
        on_cpu = harness.load(FLOATS.content(), LoadOptions(webnn=False, extra={"enableProfiling": True}))
        assert_native_outputs(FLOATS, on_cpu.run(inputs), inputs, "cpu")
        assert any("NHWC" in name for name in operators(on_cpu)) == has["xnnpack"]
        loaded = harness.load(FLOATS.content())
        assert_native_outputs(FLOATS, loaded.run(inputs), inputs, "webnn")
        assert (loaded.cpu_reasons() == {}) == has["webnn"]
        if not has["webnn"]:
            reason = "this module was built without the WebNN delegate (--without-webnn)"
            assert set(loaded.cpu_reasons().values()) == {reason}
