"""Fake of wasm/tools/fuzz_worker.mjs: the model's bytes decide the response. With an argument, reports are longer."""

import json
import os
import struct
import sys
import time

REPORT = """\
==1==ERROR: AddressSanitizer: heap-buffer-overflow on address 0x1
READ of size 4 at 0x1 thread T0
    #0 0x12 in __asan_memcpy+0x12 (worker.mjs+0x12)
    #1 0x34 in tflite::webnn::(anonymous namespace)::ReadPaddings(tflite::webnn::OpView const&)+0x34 (w.mjs+0x34)

allocated by thread T0 here:
    #0 0x56 in malloc+0x56 (worker.mjs+0x56)
"""
KERNEL_REPORT = REPORT.replace("tflite::webnn::", "tflite::ops::builtin::pad::")
STACKS = "with allocation stacks"
RUN_SECONDS = 0.5
RESPONSES: dict[bytes, dict[str, object]] = {
    b"reject": {"outcome": "rejected", "code": "MALFORMED_MODEL"},
    b"load": {"outcome": "loaded", "delegated": 2, "invoked": None},
    b"crash": {"outcome": "crashed", "phase": "load", "kind": "sanitizer", "report": REPORT},
    b"kernel": {"outcome": "crashed", "phase": "invoke", "kind": "sanitizer", "report": KERNEL_REPORT},
}


def main() -> None:
    stdin = sys.stdin.buffer
    while header := stdin.read(4):
        model = stdin.read(struct.unpack("<I", header)[0])
        stdin.read(struct.unpack("<I", stdin.read(4))[0])
        print(json.dumps({"phase": "load"}), flush=True)
        if model == b"slow run":
            print(json.dumps({"phase": "invoke"}), flush=True)
            time.sleep(RUN_SECONDS)
        if model == b"hang":
            time.sleep(600)
        if model == b"exit":
            print("out of memory", file=sys.stderr, flush=True)
            os._exit(1)
        response = next((response for word, response in RESPONSES.items() if word in model), RESPONSES[b"reject"])
        if sys.argv[1:] and "report" in response:
            response = {**response, "report": f"{response['report']}{STACKS}"}
        print(json.dumps(response), flush=True)


if __name__ == "__main__":
    main()
