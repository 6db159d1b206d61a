"""The one script of the CPU, tflite_cpu.js, in its samples: an AudioWorklet, a service worker, an extension."""

import json
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Page, Playwright, expect

from support.paths import PACKAGE_DIR
from web_tests.browsers import installed
from web_tests.browsers.chromium_flags import NO_SANDBOX_FLAGS, QUIET_FLAGS
from web_tests.drivers.page_calls import call_script
from web_tests.models import handmade
from web_tests.models.catalogue import all_models
from web_tests.references import native_litert
from web_tests.server.server import EXAMPLES_DIR, Server

SPOTTER = all_models()["mlperftiny_kws_int8"]
CPU_TOLERANCE = 1e-5
# The fixed parameters of MLPerf Tiny's features.
RATE_HZ, FRAME, FFT, MELS, COEFFICIENTS = 16_000, 480, 512, 40, 10
LOWEST_HZ, HIGHEST_HZ = 20.0, 4000.0
# Another process may occupy the machine for a while: one undisturbed stretch proves that the worklet keeps up.
TRIES = 3


@pytest.mark.timeout(120)
def test_an_audio_worklet_keeps_up_with_real_time(
    own_page: Page, server: Server, capsys: pytest.CaptureFixture[str]
) -> None:
    own_page.goto(f"{server.origin}/probe.html")
    arguments = (f"/models/{SPOTTER.name}.tflite", 10, TRIES)
    rows: list[dict[str, Any]] = call_script(own_page, "spotter", "listen", *arguments)
    with capsys.disabled():
        print("\n", *rows, sep="\n")
    best = rows[-1]
    assert best["underruns"] == 0, rows
    assert best["audio"] == pytest.approx(best["wall"], abs=0.1)
    assert best["scored"] == pytest.approx(50 * best["audio"], abs=5)
    assert sum(best["last"]) == pytest.approx(1, abs=0.02)


def test_features_of_the_audio_worklet_are_those_of_tensorflow(own_page: Page, server: Server) -> None:
    own_page.goto(f"{server.origin}/probe.html")
    sound = np.random.default_rng(7).uniform(-1, 1, FRAME).astype(np.float32)
    found = call_script(own_page, "spotter", "features", sound.tolist())
    np.testing.assert_allclose(found, mfcc(sound), rtol=1e-3, atol=1e-3)


def mfcc(sound: np.ndarray) -> np.ndarray:
    """Return the coefficients by TensorFlow's definitions: hann_window, stft, linear_to_mel_weight_matrix, dct."""
    window = 0.5 - 0.5 * np.cos(2 * np.pi * np.arange(FRAME) / FRAME)
    magnitudes = np.abs(np.fft.rfft(sound * window, FFT))

    def mel(hz: np.ndarray) -> np.ndarray:
        return 1127 * np.log(1 + hz / 700)

    bins = mel(np.linspace(0, RATE_HZ / 2, FFT // 2 + 1)[1:])[:, None]
    edges = np.linspace(mel(np.array(LOWEST_HZ)), mel(np.array(HIGHEST_HZ)), MELS + 2)
    lower, centre, upper = edges[:-2], edges[1:-1], edges[2:]
    weights = np.maximum(0, np.minimum((bins - lower) / (centre - lower), (upper - bins) / (upper - centre)))
    log_mels = np.log(magnitudes[1:] @ weights + 1e-6)
    angles = np.pi * np.arange(COEFFICIENTS)[:, None] * (np.arange(MELS) + 0.5) / MELS
    coefficients: np.ndarray = np.cos(angles) @ log_mels * np.sqrt(2 / MELS)
    return coefficients


def test_a_service_worker_responds_to_a_fetch(own_page: Page, server: Server) -> None:
    with own_page.expect_console_message(lambda message: message.text.startswith("200")) as waiting:
        own_page.goto(f"{server.origin}/examples/service_worker/index.html")
    features = np.zeros((1, 50, 10, 1), np.float32)
    assert scores_of(waiting.value.text.removeprefix("200 ")) == reference(features)
    features = np.linspace(-30, 30, 500, dtype=np.float32).reshape(1, 50, 10, 1)
    post = """async (features) => {
        const response = await fetch('scores', { method: 'POST', body: Float32Array.from(features) });
        return [response.status, await response.text()];
    }"""
    assert scores_of(own_page.evaluate(post, features.ravel().tolist())[1]) == reference(features)
    status, text = own_page.evaluate(post, [1, 2, 3])
    assert status == 400
    assert "Input input_1 is float32[1, 50, 10, 1] (500 elements); got 3 elements." in text


def test_a_restarted_service_worker_responds_without_its_server(own_page: Page) -> None:
    wait = own_page.expect_console_message(lambda message: message.text.startswith("200"))
    with Server() as server, wait:
        own_page.goto(f"{server.origin}/examples/service_worker/index.html")
    inspector = own_page.context.new_cdp_session(own_page)
    inspector.send("ServiceWorker.enable")
    inspector.send("ServiceWorker.stopAllWorkers")
    post = "async () => (await fetch('scores', { method: 'POST', body: new Float32Array(500) })).text()"
    assert scores_of(own_page.evaluate(post)) == reference(np.zeros((1, 50, 10, 1), np.float32))


@pytest.mark.needs("package", "chromium")
def test_a_browser_extension_runs_a_model(playwright: Playwright, tmp_path: Path) -> None:
    program = installed.debian_chromium()
    assert program, "apt-get install chromium"
    directory = shutil.copytree(EXAMPLES_DIR / "extension", tmp_path / "extension")
    for name in ("tflite_cpu.js", "simd/tflite_webnn.wasm"):
        shutil.copy(PACKAGE_DIR / name, directory)
    (directory / "model.tflite").write_bytes(handmade.tiny_network())
    context = playwright.chromium.launch_persistent_context(
        tmp_path / "profile",
        executable_path=program.executable,
        ignore_default_args=["--disable-extensions"],
        args=[
            *NO_SANDBOX_FLAGS,
            *QUIET_FLAGS,
            f"--load-extension={directory}",
            f"--disable-extensions-except={directory}",
        ],
    )
    with context:
        worker = context.service_workers[0] if context.service_workers else context.wait_for_event("serviceworker")
        page = context.new_page()
        page.goto(worker.url.replace("background.js", "page.html"))
        expect(page.locator("output")).not_to_be_empty(timeout=20_000)
        scores = json.loads(page.locator("output").inner_text())
    (expected,) = native_litert.outputs_of(handmade.tiny_network(), [np.zeros((1, 16, 16, 3), np.float32)])
    assert scores == pytest.approx(expected.ravel().tolist(), abs=CPU_TOLERANCE)


def scores_of(text: str) -> list[float]:
    scores: list[float] = json.loads(text)["scores"]
    return scores


def reference(features: np.ndarray) -> Any:
    (scores,) = native_litert.outputs_of(SPOTTER.content(), [features])
    return pytest.approx(scores.ravel().tolist(), abs=CPU_TOLERANCE)
