"""Programs of wasm/programs, run with WebNN: in a browser's worker (its own WebNN or the polyfill's), or in Node."""

import re
from pathlib import Path

EXAMPLES_FILE = Path(__file__).resolve().parents[2] / "wasm" / "examples" / "CMakeLists.txt"

# Targets of wasm/programs/CMakeLists.txt. They are here because the command line needs them before installation.
TFLITE_TOOLS = ("benchmark_model", "inference_diff")
EXAMPLES = tuple(re.findall(r"^add_program\((\w+)", EXAMPLES_FILE.read_text(encoding="utf-8"), re.MULTILINE))
