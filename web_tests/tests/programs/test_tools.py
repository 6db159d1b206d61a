"""TFLite's benchmark_model and inference_diff on the delegate: flags, files, profiles, exit status."""

import re
from pathlib import Path

import pytest

from tools.programs.hosts import Host, NodeHost, PageHost
from tools.programs.invocation import invocation
from web_tests.models import catalogue

pytestmark = pytest.mark.needs("programs", "webnn")

# The largest average error of inference_diff, by model.
MODELS = {"face_detection_short_range": 1e-5, "mlperftiny_ic_int8": 0.0}


def run(host: Host, name: str, *arguments: str, directory: Path | None = None) -> tuple[int, str]:
    lines: list[str] = []
    status = host.run(invocation(name, arguments, directory), lambda line, _: lines.append(line))
    return status, "\n".join(lines)


def path_of(model: str) -> str:
    return str(catalogue.known_models()[model].path())


def test_benchmark_model_runs_on_webnn(webnn_host: PageHost, tmp_path: Path) -> None:
    graph = f"--graph={path_of('face_detection_short_range')}"
    runs = ["--num_runs=3", "--warmup_runs=1", "--min_secs=0", "--warmup_min_secs=0"]
    profile = ["--enable_op_profiling=true", "--op_profiling_output_mode=csv", "--op_profiling_output_file=profile.csv"]
    status, output = run(webnn_host, "benchmark_model", graph, "--use_webnn=true", *runs, *profile, directory=tmp_path)
    assert status == 0, output
    assert "Use WebNN: [1]" in output
    assert "the model graph will be completely executed by the delegate" in output
    assert "TfLiteWebnnDelegate" in (tmp_path / "profile.csv").read_text()


@pytest.mark.parametrize("model", MODELS)
def test_inference_diff_finds_no_difference_on_webnn(webnn_host: PageHost, model: str) -> None:
    arguments = [f"--model_file={path_of(model)}", "--num_runs=3", "--use_webnn=true"]
    status, output = run(webnn_host, "inference_diff", *arguments)
    assert status == 0, output
    errors = [float(text) for text in re.findall(r"OutputDiff\[\d+\]: avg_error=([-+.\deE]+)", output)]
    assert errors, output
    assert max(errors) <= MODELS[model], output


def test_inference_diff_runs_in_node(node_host: NodeHost) -> None:
    arguments = [f"--model_file={path_of('mlperftiny_ic_int8')}", "--num_runs=1", "--use_webnn=true"]
    status, output = run(node_host, "inference_diff", *arguments)
    assert status == 0, output
    assert "OutputDiff[0]" in output


@pytest.mark.parametrize("host", ["webnn_host", "node_host"])
def test_benchmark_model_uses_the_threads_of_its_flag(host: str, request: pytest.FixtureRequest) -> None:
    arguments = [f"--graph={path_of('face_detection_short_range')}", "--num_threads=3", "--num_runs=3", "--min_secs=0"]
    status, output = run(request.getfixturevalue(host), "benchmark_model", *arguments)
    assert status == 0, output
    assert "Num threads: [3]" in output


def test_a_tool_that_fails_has_an_exit_status(node_host: NodeHost) -> None:
    status, output = run(node_host, "benchmark_model", "--graph=no_such_file.tflite")
    assert status != 0
    assert "no_such_file.tflite" in output


def test_options_of_the_delegate_are_flags(node_host: NodeHost) -> None:
    arguments = [f"--graph={path_of('face_detection_short_range')}", "--num_runs=1", "--min_secs=0", "--use_webnn=true"]
    options = ["--webnn_excluded_ops=CONV_2D,ADD", "--webnn_ignore_partition_cost=true"]
    status, output = run(node_host, "benchmark_model", *arguments, *options)
    assert status == 0, output
    assert "webnn_excluded_ops: [CONV_2D,ADD]" in output
    assert "the model graph will be partially executed by the delegate" in output


def test_a_wrong_option_of_the_delegate_is_named(node_host: NodeHost) -> None:
    arguments = [
        f"--graph={path_of('face_detection_short_range')}",
        "--use_webnn=true",
        "--webnn_device_preference=tpu",
    ]
    status, output = run(node_host, "benchmark_model", *arguments)
    assert status == 1
    assert "--webnn_device_preference: 'tpu' is not one of default (0), gpu (1), cpu (2), npu (3)" in output
