"""All flags of Chromium-based browsers, for this machine and others.

docs/guides/webnn-in-your-browser.md lists those that users need; a test compares it with this file.
"""

from collections.abc import Sequence

FEATURES_SWITCH = "--enable-features="

# Chromium's WebNN is a feature flag; if the GPU process is blocked (most machines without a graphics card), WebNN also
# needs the blocklist ignored.
WEBNN_FLAGS = (f"{FEATURES_SWITCH}WebMachineLearningNeuralNetwork", "--ignore-gpu-blocklist")
# In the npm headless shell, an out-of-bounds access in WebAssembly crashes the renderer instead of throwing a
# RuntimeError as in every other build. Explicit bounds checks avoid that but slow WebAssembly down: for tests of
# damaged models, never for measurements.
BOUNDS_CHECK_FLAGS = ("--js-flags=--wasm-enforce-bounds-checks",)
# WebGPU and WebGL on the CPU, with SwiftShader, for machines without a graphics card.
WEBGPU_FLAGS = (
    "--enable-unsafe-webgpu",
    "--use-webgpu-adapter=swiftshader",
    "--use-angle=swiftshader",
    "--enable-unsafe-swiftshader",
    f"{FEATURES_SWITCH}Vulkan",
)
# No network traffic of the browser itself, no first-run pages.
QUIET_FLAGS = (
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
# Chromium's sandbox rejects root, and lacks privileges in containers. Not for other people's machines.
NO_SANDBOX_FLAGS = ("--no-sandbox",)
# An invisible window. Playwright passes this flag by default, a WebDriver server does not.
HEADLESS_FLAGS = ("--headless=new",)


def trusted(origins: Sequence[str]) -> tuple[str, ...]:
    """Return the flags that make pages of these origins secure contexts, as localhost's are by default."""
    return (f"--unsafely-treat-insecure-origin-as-secure={','.join(origins)}",)


def combined(*groups: Sequence[str]) -> list[str]:
    """Return the flags of all groups, each once: of two switches with the same name, Chromium uses only the last.

    Features are joined into one switch.
    """
    flags = list(dict.fromkeys(flag for group in groups for flag in group))
    lists = [flag.removeprefix(FEATURES_SWITCH) for flag in flags if flag.startswith(FEATURES_SWITCH)]
    features = dict.fromkeys(name for names in lists for name in names.split(","))
    others = [flag for flag in flags if not flag.startswith(FEATURES_SWITCH)]
    return [*others, FEATURES_SWITCH + ",".join(features)] if features else others
