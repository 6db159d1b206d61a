"""The flags that Chromium-based browsers are started with, here and on other machines: the only place that has them.

docs/webnn-in-your-browser.md tells users which of them they need; a test holds it to this file.
"""

from __future__ import annotations

from collections.abc import Sequence

FEATURES_SWITCH = "--enable-features="

# Chromium has WebNN behind a feature; where the GPU process is blocked (most machines without a graphics card), WebNN
# is too unless the blocklist is ignored.
WEBNN_FLAGS = (f"{FEATURES_SWITCH}WebMachineLearningNeuralNetwork", "--ignore-gpu-blocklist")
# The npm headless shell's renderer dies where WebAssembly reads or writes out of bounds, instead of throwing a
# RuntimeError as every other build does. Checking bounds in code avoids that, at the price of slower WebAssembly: for
# tests of damaged models, never for measurements.
BOUNDS_CHECK_FLAGS = ("--js-flags=--wasm-enforce-bounds-checks",)
# WebGPU and WebGL on the CPU, by SwiftShader, for machines without a graphics card.
WEBGPU_FLAGS = (
    "--enable-unsafe-webgpu",
    "--use-webgpu-adapter=swiftshader",
    "--use-angle=swiftshader",
    "--enable-unsafe-swiftshader",
    f"{FEATURES_SWITCH}Vulkan",
)
# Nothing on the network, no first-run pages.
QUIET_FLAGS = (
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
# Chromium refuses its sandbox to root, and containers lack what it needs. Not for other people's machines.
NO_SANDBOX_FLAGS = ("--no-sandbox",)
# A window that nobody sees. Playwright gives it by itself; a WebDriver end has to be told.
HEADLESS_FLAGS = ("--headless=new",)


def trusted(origins: Sequence[str]) -> tuple[str, ...]:
    """Return the flags that make pages of these origins secure contexts, as those of localhost are without them."""
    return (f"--unsafely-treat-insecure-origin-as-secure={','.join(origins)}",)


def combined(*groups: Sequence[str]) -> list[str]:
    """Return the flags of all groups, each once: of two switches of the same name, Chromium takes the last only.

    Features are put into one switch.
    """
    flags = list(dict.fromkeys(flag for group in groups for flag in group))
    lists = [flag.removeprefix(FEATURES_SWITCH) for flag in flags if flag.startswith(FEATURES_SWITCH)]
    features = dict.fromkeys(name for names in lists for name in names.split(","))
    others = [flag for flag in flags if not flag.startswith(FEATURES_SWITCH)]
    return [*others, FEATURES_SWITCH + ",".join(features)] if features else others
