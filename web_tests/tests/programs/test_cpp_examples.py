"""The examples in wasm/examples work."""

from pathlib import Path

import pytest

from support.paths import PROJECT_DIR
from tools.programs.hosts import Host, NodeHost, PageHost
from tools.programs.invocation import invocation
from web_tests.models.handmade import sin_example

pytestmark = pytest.mark.needs("programs", "webnn")


@pytest.fixture
def model(tmp_path: Path) -> Path:
    """f(x) = sin(x) + x + sin(2x)."""
    path = tmp_path / "sin.tflite"
    path.write_bytes(sin_example(8))
    return path


def run(host: Host, name: str, *arguments: str) -> tuple[int, list[str], list[str]]:
    """Run an example and return its status, output and errors."""
    output: list[str] = []
    errors: list[str] = []
    status = host.run(invocation(name, arguments), lambda line, is_error: (errors if is_error else output).append(line))
    return status, output, errors


def test_the_model_runner_example_runs_on_webnn(webnn_host: PageHost, model: Path) -> None:
    status, lines, errors = run(webnn_host, "model_runner", str(model))
    assert status == 0, errors
    assert any("TfLiteWebnnDelegate" in line for line in lines), lines
    assert lines[-1].endswith("starts with 1.8209"), lines  # sin(0.5) + 0.5 + sin(1)


def test_the_example_of_the_rfc_runs_on_webnn(webnn_host: PageHost, model: Path) -> None:
    status, lines, errors = run(webnn_host, "rfc_runner", str(model))
    assert status == 0, errors
    assert lines == ["node 5: TfLiteWebnnDelegate", "f(2) = 2.15249"]


def test_the_example_of_the_rfc_rejects_an_unknown_device(node_host: NodeHost, model: Path) -> None:
    status, lines, errors = run(node_host, "rfc_runner", str(model), "99")
    assert status == 0, errors
    assert lines == ["Failed to apply webnn delegate.", "f(2) = 2.15249"]
    known = "default (0), gpu (1), cpu (2), npu (3)"
    assert any(f"option 'device_preference': '99' is not one of {known}" in line for line in errors), errors


def test_the_example_of_the_rfc_without_a_host_says_what_is_missing(node_host: NodeHost, model: Path) -> None:
    status, lines, errors = run(node_host, "rfc_runner_without_host", str(model))
    assert status == 0, errors
    assert lines == ["Failed to apply webnn delegate.", "f(2) = 2.15249"]
    assert any("it has no MLContext. Link programs/program_webnn.cc" in line for line in errors), errors


def test_model_runner_reports_a_bad_file(node_host: NodeHost, tmp_path: Path) -> None:
    (tmp_path / "bad.tflite").write_bytes(b"not a model")
    status, _, errors = run(node_host, "model_runner", str(tmp_path / "bad.tflite"))
    assert status == 1
    assert errors[-1].startswith("NOT_A_TFLITE_MODEL: "), errors


def test_sin_delegate_splits_the_plan(node_host: NodeHost, model: Path) -> None:
    status, lines, errors = run(node_host, "sin_delegate", str(model))
    assert status == 0, errors
    assert lines == [
        "before: 0=SIN 1=ADD 2=MUL 3=SIN 4=ADD",
        "after: 5=SinDelegate 1=ADD 2=MUL 6=SinDelegate 4=ADD",
        "f(2) = 2.15249",
    ]
    document = (PROJECT_DIR / "docs" / "explanation" / "tflite-internals.md").read_text(encoding="utf-8")
    assert "```\n{}\n```".format("\n".join(lines)) in document
