"""The op cases in the C++ unit tests' program, which has the module's functions: no WEBNN_DCHECK fails."""

import json
from pathlib import Path

import pytest

from support.command import run
from support.npm import find_node
from support.paths import PROJECT_DIR
from wasm.toolchain import prebuilt
from wasm.toolchain.programs import PROGRAMS_DIR, UNIT_TESTS
from web_tests.op_cases import all_cases, case_id
from web_tests.references.golden import WEBNN

pytestmark = [
    pytest.mark.needs("unit_tests"),
    pytest.mark.skipif(bool(prebuilt.chosen()), reason=f"{prebuilt.VARIABLE} is set: C++ unit tests need the compiler"),
]

SCRIPT = PROJECT_DIR / "wasm" / "tools" / "describe_models.mjs"
TIMEOUT_SECONDS = 240


def test_no_check_fails_in_a_lowering(tmp_path: Path) -> None:
    models = {case_id(case): tmp_path / f"{index}.tflite" for index, case in enumerate(all_cases())}
    for case in all_cases():
        models[case_id(case)].write_bytes(case.model())
    settings = [f"{key}={text}" for key, text in WEBNN.items()]
    program = PROGRAMS_DIR / f"{UNIT_TESTS}.mjs"
    command: list[str | Path] = [find_node(), SCRIPT, program, *settings, "--", *models.values()]
    printed = run(command, capture=True, quiet=True, timeout_seconds=TIMEOUT_SECONDS)
    errors = [json.loads(line).get("error", {}) for line in printed.splitlines()]
    crashes = {
        name: error["message"] for name, error in zip(models, errors, strict=True) if error.get("code") == "CRASHED"
    }
    assert crashes == {}
