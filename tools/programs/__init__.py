"""Programs of wasm/programs, run with WebNN: in a browser's worker (its own WebNN or the polyfill's), or in Node."""

# Targets of wasm/programs/CMakeLists.txt. They are here because the command line needs them before installation.
TFLITE_TOOLS = ("benchmark_model", "inference_diff")
