"""Programs of wasm/programs, run where WebNN is: in a worker of a browser, of its own or the polyfill's, or in Node."""

# Targets of wasm/programs/CMakeLists.txt. Here, because the command line reads them before anything is installed.
TFLITE_TOOLS = ("benchmark_model", "inference_diff")
