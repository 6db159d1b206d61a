"""The option `customOps` of the built package, in Node: every execution, subgraphs, threads, modules and workers.

js/packages/core/tests/custom_ops_on_module.test.ts has what functions get and do.
"""

from collections.abc import Mapping
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from support.npm import find_node
from web_tests.models import custom_ops
from web_tests.models.model_writer import NO_TENSOR, ModelWriter
from web_tests.models.recipes import SEED, Array
from web_tests.tests.node.programs import EXECUTIONS, call_in_node

pytestmark = pytest.mark.needs("package")

X = np.linspace(-2, 2, 8, dtype=np.float32).reshape(custom_ops.SHAPE)
ON_CPU: Mapping[str, Any] = {"device": "cpu"}
ON_POLYFILL: Mapping[str, Any] = EXECUTIONS["webnn"]
BLOCKING: Mapping[str, Any] = {
    "enableWebnnDelegate": True,
    "webnnDelegateOptions": {"polyfill": "tflite", "blocking": True, "ignorePartitionCost": True},
}
each_execution = pytest.mark.parametrize("options", [ON_CPU, ON_POLYFILL], ids=["cpu", "webnn"])


def call(directory: Path, content: bytes, name: str, *arguments: Any) -> Any:
    """Call a function of scripts/custom_ops.mjs with a model, next to which a test may write ops.mjs."""
    file = directory / "model.tflite"
    file.write_bytes(content)
    return call_in_node(str(find_node()), "custom_ops", name, file, *arguments)


def scaled(x: Array) -> Array:
    result: Array = -(np.sin(x) * custom_ops.TABLE)
    return result


@pytest.mark.parametrize(
    ("options", "mode"),
    [
        (ON_CPU, "cpu"),
        ({**ON_CPU, "enableXnnpackDelegate": False}, "cpu"),
        ({**ON_CPU, "numThreads": 3}, "cpu"),
        (ON_POLYFILL, "stepped"),
        (BLOCKING, "blocking"),
    ],
    ids=["cpu", "without_xnnpack", "threads", "stepped", "blocking"],
)
def test_nodes_next_to_a_custom_op_keep_their_placement_and_result(
    tmp_path: Path, options: Mapping[str, Any], mode: str
) -> None:
    found = call(tmp_path, custom_ops.scaled_between_nodes(), "scaled", options, X.ravel().tolist())
    assert found["mode"] == mode
    assert found["first"] == found["second"]
    np.testing.assert_allclose(np.array(found["second"]).reshape(X.shape), scaled(X), rtol=1e-5, atol=1e-6)
    if mode != "cpu":
        assert found["nodes"] == [
            ["SIN", "webnn", None],
            ["Scale", "cpu", "a function of the option customOps computes Scale"],
            ["NEG", "webnn", None],
        ]


@each_execution
def test_only_the_branch_taken_calls_its_node(tmp_path: Path, options: Mapping[str, Any]) -> None:
    found = call(tmp_path, custom_ops.in_branches("Double"), "branches", options)
    assert found == [[[2, 4, 6, 8], [-2, -4, -6, -8]], ["1:0", "2:1"]]


@each_execution
def test_a_signature_of_another_subgraph_calls_the_functions(tmp_path: Path, options: Mapping[str, Any]) -> None:
    found = call(tmp_path, custom_ops.of_signature("Double"), "otherSignature", options)
    assert found == [2, 4, 6, 8, -1, 0, 0, 0]


def copy_after_products() -> bytes:
    """Return Copy of four products of f32[16,1024]: such runs take long enough for several threads."""
    writer = ModelWriter()
    names = ("x", "first", "second", "third", "fourth", "y")
    x, *products, y = (writer.tensor(name, (16, 1024)) for name in names)
    weights = writer.constant("weights", np.zeros((1024, 1024), np.float32))
    for value, product in pairwise([x, *products]):
        writer.node("FULLY_CONNECTED", [value, weights, NO_TENSOR], [product])
    writer.node("Copy", products[-1:], [y])
    return writer.finish([x], [y])


@pytest.mark.needs("variants")
@pytest.mark.parametrize("member", ["run", "runSync", "runSignature", "dispose"])
def test_a_run_on_threads_cannot_use_its_own_model(tmp_path: Path, member: str) -> None:
    threads, message = call(tmp_path, copy_after_products(), "useDuringRun", member)
    assert threads == 3
    assert "used its own model, which waits for it: use the model after its run." in message


@pytest.mark.parametrize("kind", ["URL", "address", "path"])
def test_custom_ops_of_a_module_compute_here_and_in_a_worker(tmp_path: Path, kind: str) -> None:
    (tmp_path / "ops.mjs").write_text(
        "export default { Double: { run: ([x], [y]) => y.data.set(x.data.map((value) => 2 * value)) } };"
    )
    assert call(tmp_path, custom_ops.one_node("Double"), "opsOfModule", kind) == [[2, 4, 6, 8]] * 2


def test_a_worker_passes_on_errors_of_functions(tmp_path: Path) -> None:
    (tmp_path / "ops.mjs").write_text(
        "export default { Mine: { run() { throw new RangeError('too bad'); } } };", encoding="utf-8"
    )
    ran, provided = call(tmp_path, custom_ops.one_node("Mine"), "errorsInWorker")
    assert ran["message"] == "The custom op 'Mine' (node 0) failed in run(): RangeError: too bad."
    assert (ran["code"], ran["cause"], ran["isOfPackage"]) == ("CUSTOM_OP_FAILED", "RangeError: too bad", True)
    assert (provided["name"], provided["details"]) == ("OptionError", {"option": "customOps"})
    assert "pass the address of a module that has them as its default export" in provided["message"]


MODULES = {
    "export const Mine = {};": 'the option "customOps" is a module without ops: {url} needs "export default',
    "export default 5;": 'the option "customOps" is a module without ops: {url} needs "export default',
    "export default {": 'the option "customOps" could not be imported from {url} (SyntaxError',
    None: 'the option "customOps" could not be imported from {url} (Error: Cannot find module',
    "export default { Mine: {} };": 'the option "customOps.Mine.run" is a function; got undefined',
}


@pytest.mark.parametrize(("content", "message"), MODULES.items(), ids=range(len(MODULES)))
def test_a_module_without_ops_is_an_option_error(tmp_path: Path, content: str | None, message: str) -> None:
    path = tmp_path / "ops.mjs"
    if content is not None:
        path.write_text(content, encoding="utf-8")
    error = call(tmp_path, custom_ops.one_node("Mine"), "errorOfModule")
    assert error["name"] == "OptionError"
    assert error["message"].startswith(message.format(url=path.as_uri()))


@pytest.mark.parametrize("op", ["MaxPoolingWithArgmax2D", "MaxUnpooling2D", "Convolution2DTransposeBias"])
def test_delegates_reject_an_op_that_a_function_computes(tmp_path: Path, op: str) -> None:
    """XNNPACK's delegate would read the options of these ops unchecked."""
    writer = ModelWriter()
    x, y, z = (writer.tensor(name, (1, 2, 2, 1)) for name in ("x", "y", "z"))
    weights = writer.constant("weights", np.ones((1, 1, 1, 1), np.float32))
    bias = writer.constant("bias", np.ones(1, np.float32))
    more = [weights, bias] if op.startswith("Convolution") else []
    writer.node(op, [x, *more], [y], np.array([2, 1, 1], np.int32).tobytes())
    writer.node("NEG", [y], [z])
    found = call(tmp_path, writer.finish([x], [z]), "doubled", op, [ON_CPU, ON_POLYFILL])
    assert found == [[-2, -4, -6, -8]] * 2


def test_a_custom_op_in_javascript_has_the_results_of_its_kernel(tmp_path: Path) -> None:
    """An op that this runtime has, by its own kernel and in JavaScript, from the same file."""
    random = np.random.default_rng(SEED)
    filters, bias = random.standard_normal((3, 2, 2, 4), np.float32), random.standard_normal(3, np.float32)
    x = random.standard_normal((1, 5, 5, 4), np.float32)
    model = custom_ops.transposed_convolution(filters, bias, side=5)
    results, calls = call(tmp_path, model, "ofKernelAndFunction", x.ravel().tolist(), [ON_CPU, ON_POLYFILL])
    assert calls == 2
    for result in results[1:]:
        np.testing.assert_allclose(result, results[0], rtol=1e-4, atol=1e-5)


def test_explain_model_reports_the_node_on_the_cpu(tmp_path: Path) -> None:
    found = call(tmp_path, custom_ops.scaled_between_nodes(), "explained")
    assert found == ["Scale", "cpu", "a function of the option customOps computes Scale"]


def test_explained_is_what_loads_although_a_signature_has_an_unknown_op(tmp_path: Path) -> None:
    """Its subgraph is left out of the report and of the memory plan."""
    found = call(tmp_path, custom_ops.of_signature("Mine"), "explainedAndPlanned")
    (row,) = found["unsupported"]
    assert "custom op 'Mine'" in row["reason"]
    assert (found["nodes"], found["modes"], row["index"], found["planned"]) == (["NEG"], [None], 1, [0])
